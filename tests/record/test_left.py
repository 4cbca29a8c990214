# SPDX-License-Identifier: BSD-2-Clause
"""Files of processes that a signal has ended: a recorder that is opened later
removes the oldest of them."""

import os
import shutil
import subprocess

import pytest


def leave(recorder, options=""):
    """A process ends by a signal; returns its file."""
    before = set(recorder.files())
    with recorder.start("step 1 say wait", options=options) as work:
        work.stdout.readline()
        (file,) = set(recorder.files()) - before
        work.terminate()
        work.wait(timeout=300)
    return file


def test_four_stay(recorder):
    left = [leave(recorder) for _ in range(7)]
    assert set(recorder.files()) == set(left[-5:])
    recorder.run("step 1")
    assert set(recorder.files()) == set(left[-4:])
    assert len(recorder.show(left[-1]).texts) == 1


@pytest.mark.parametrize("count", [0, 1, 6])
def test_so_many_stay(recorder, count):
    left = [leave(recorder, "keep=99") for _ in range(7)]
    assert set(recorder.files()) == set(left)
    recorder.run("step 1", options="keep=%d" % count)
    assert set(recorder.files()) == set(left[7 - count:])


def test_kept_on_purpose(recorder):
    """At a normal end, by the option without a number; and by another name."""
    for _ in range(3):
        recorder.run("step 1", options="keep")
    kept = recorder.files()
    saved = set()
    for name in ("-saved.1", "-1.1", "-%s.saved", "-%s.1.saved", "-%s."):
        file = leave(recorder, "keep=99")
        pid = file.name.split("-")[-1].split(".")[0]
        saved.add(file.rename(
            recorder.folder / ("sdtkit-recorder" + name.replace("%s", pid))))
    recorder.run("step 1", options="keep=0")
    assert set(recorder.files()) == {*kept, *saved}


def test_dumps_stay(recorder):
    recorder.run("step 1 crash SEGV")
    (dump,) = recorder.files("dump")
    # as one that has the name of a recorder
    recorder.files()[0].unlink()
    copy = recorder.folder / dump.name.replace("dump", "recorder")
    shutil.copy(str(dump), str(copy) + ".1")
    before = sorted(recorder.folder.iterdir())
    recorder.run("step 1", options="keep=0")
    assert sorted(recorder.folder.iterdir()) == before


@pytest.mark.parametrize("orders", ["say wait", "closefrom say wait",
                                    "background say wait",
                                    "step 1 leave say wait"])
def test_file_of_a_running_process(recorder, orders):
    """Also one that has closed all descriptors, or is a child."""
    with recorder.start(orders, options="nolisten") as work:
        work.stdout.readline()
        (file,) = recorder.files()
        recorder.run("step 1", options="keep=0")
        assert recorder.files() == [file]
        work.stdin.close()


def test_other_files(recorder):
    """What is not that of a recorder, and that of another program."""
    file = leave(recorder)
    texts = {"1.1": b"", "1.2": b"text", "1.3": bytes(99999)}
    for name, text in texts.items():
        (recorder.folder / ("sdtkit-recorder-" + name)).write_bytes(text)
    (recorder.folder / "sdtkit-recorder-1.4").mkdir()
    (recorder.folder / "sdtkit-recorder-1.5").symlink_to(file)
    other = recorder.folder / "record-work"
    shutil.copy(recorder.command("")[0], str(other))
    before = sorted(recorder.folder.iterdir())
    recorder.command = lambda orders, made=recorder.command: [
        str(other), *made(orders)[1:]]
    recorder.run("step 1", options="keep=0")
    assert sorted(recorder.folder.iterdir()) == before


@pytest.fixture
def root(unavailable):
    if os.geteuid() != 0:
        unavailable("root, to give files away and to make namespaces")


def test_file_of_another_user(recorder, root):
    file = leave(recorder)
    os.chown(str(file), 65534, 65534)
    recorder.run("step 1", options="keep=0")
    assert recorder.files() == [file]


def test_file_of_another_pid_namespace(recorder, root):
    """Its number may be that of no process here."""
    with subprocess.Popen(
            ["unshare", "--pid", "--fork", "sh", "-c", "true; true; true; "
             "\"$@\"; true", "sh", *recorder.command("say wait")],
            env=recorder.environment(options="nolisten"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as work:
        work.stdout.readline()
        (file,) = recorder.files()
        recorder.run("step 1", options="keep=0")
        assert recorder.files() == [file]
        work.stdin.close()


def test_misuse(recorder):
    done = recorder.run("step 1", options="keep=-1")
    assert '"keep=-1" is not an option' in done.stderr
