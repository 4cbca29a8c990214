# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace -p PID: processes that cannot be followed, and who may follow
one."""

import contextlib
import os
import re
import signal
import subprocess

import pytest

from test_follow import numbers, preload, running  # noqa: F401
from trace_lines import ended


@contextlib.contextmanager
def echoing(*words):
    """A program like cat(1) that runs: it has its name by then, and has mapped
    its file."""
    with ended([*words], stdin=subprocess.PIPE,
               stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "\n"
        yield process


@pytest.mark.parametrize("words", [[], ["--snapshot"]])
def test_several_processes(fails, words):
    """As -p $(pidof NAME) gives them."""
    said = fails(*words, "-p", 4711, 4712)
    assert said == ("sdtkit trace: only one process can be followed: 4711 or "
                    "4712\n")


def test_name_of_a_process(fails, tmp_path):
    program = tmp_path / "namedlikethis"
    program.symlink_to("/bin/cat")
    with echoing(program) as sleeper:
        assert "process ID, or --name" in fails("-p", program.name)
        assert "process %d has no recorder" % sleeper.pid in \
            fails("-n", program.name, "--via=recorder")
        with echoing(program) as other:
            assert fails("--name", program.name, "--via=recorder") == (
                "sdtkit trace: several processes have the name 'namedlikethis', and "
                "only one can be traced: choose it with -p, such as -p %d\n"
                % min(sleeper.pid, other.pid))
    assert "no process has the name" in fails("-n", program.name)


def library(build):
    return build / "lib" / "record" / "libsdtkit-recorder.so"


def test_no_recorder(fails, build):
    with echoing("cat") as sleeper:
        for words in (["--via=recorder"], ["--snapshot"]):
            said = fails("-p", sleeper.pid, *words)
            assert said == (
                "sdtkit trace: process %d has no recorder, nor has any that "
                "it was forked from: start it with "
                "SDTKIT_RECORDER='PROVIDER:*' LD_PRELOAD=%s, or see "
                "docs/recorder.md\n" % (sleeper.pid, library(build)))


@pytest.mark.parametrize("patterns", [None, "nosuch:*"])
def test_recorder_that_records_nothing(fails, build, patterns):
    # the loader splits LD_PRELOAD at blanks, which a directory may have
    env = dict(os.environ, LD_PRELOAD=library(build).name,
               LD_LIBRARY_PATH=str(library(build).parent))
    env.pop("SDTKIT_RECORDER", None)
    if patterns is not None:
        env["SDTKIT_RECORDER"] = patterns
    sleeper = subprocess.Popen(["sh", "-c", "echo; read line"], env=env,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL)
    try:
        sleeper.stdout.readline()
        for words in (["--via=recorder"], ["--snapshot"]):
            said = fails("-p", sleeper.pid, *words)
            assert said == (
                "sdtkit trace: process %d has libsdtkit-recorder.so loaded, "
                "but it records no events: start it with "
                "SDTKIT_RECORDER='PROVIDER:*' in the environment, too, and a "
                "pattern that matches its probes\n" % sleeper.pid)
    finally:
        sleeper.communicate()


def test_no_process(fails):
    ended = subprocess.Popen(["true"])
    ended.wait()
    for words in (["--via=recorder"], ["--snapshot"]):
        said = fails("-p", ended.pid, *words)
        assert said == (
            "sdtkit trace: there is no process %d; its recorder may have left "
            "a file, see docs/recorder.md\n" % ended.pid)


def test_process_that_has_ended(show):
    """Nobody has waited for it yet, so it is still there."""
    zombie = subprocess.Popen(["true"])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    done = show("-p", zombie.pid, "--via=recorder")
    zombie.wait()
    assert (done.returncode, done.stdout) == (125, "")
    assert done.stderr == (
        "sdtkit trace: process %d has ended; its recorder may have left a "
        "file, see docs/recorder.md\n" % zombie.pid)


def test_process_of_another_user(running, fails, nobody, open_build):
    if not nobody:
        pytest.skip("needs root")
    with running("linger") as process:
        for words in ([], ["--snapshot"]):
            said = fails("-p", process.pid, *words, **nobody)
            assert re.match("sdtkit trace: process %d: .*own user and root"
                            % process.pid, said)


def test_root_may_follow_others(acts, preload, show, nobody, tmp_path,
                                open_build):
    if not nobody:
        pytest.skip("needs root")
    with ended([acts / "program", "linger", "/nonexistent"],
               stdout=subprocess.PIPE, text=True, env=preload(),
               **nobody) as process:
        process.stdout.readline()
        done = show("-q", "-p", process.pid, "-c", "2")
        assert (done.returncode, len(numbers(done.stdout))) == (0, 2)


def test_stopped_process(running, fails):
    """It cannot answer, and is not waited for without an end."""
    with running("linger") as process:
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        said = fails("-p", process.pid)
        assert said == (
            "sdtkit trace: process %d: its recorder does not answer within 10 "
            "seconds: is it stopped?\n" % process.pid)


def test_impostor(show, nobody):
    """Somebody else listens in the name of a process."""
    code = ("import os, socket, time; s = socket.socket(socket.AF_UNIX, "
            "socket.SOCK_SEQPACKET); s.bind('\\0sdtkit-recorder-%d' % "
            "os.getppid()); s.listen(); print('x', flush=True); "
            "time.sleep(100)")
    with ended(["/usr/bin/python3", "-c", code], text=True,
               stdout=subprocess.PIPE, **nobody) as impostor:
        impostor.stdout.readline()
        for words in ([], ["--snapshot"]):
            done = show("-p", os.getpid(), *words)
            assert done.returncode == 125
            assert "another process listens in its name: do not" in done.stderr
