# SPDX-License-Identifier: BSD-2-Clause
"""Where a file cannot be made, or could be somebody else's; and who may get it
through the socket."""

import contextlib
import os
import signal
import subprocess
import time

import pytest

from step_lines import number_of


def own(recorder, directory, patterns="rec:step", **more):
    return recorder.call("record-own", directory, patterns, **more)


def as_nobody():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


@pytest.fixture
def root(unavailable):
    if os.geteuid() != 0:
        unavailable("root, to become another user and to mount")


def test_no_directory(recorder):
    done = own(recorder, recorder.folder / "none")
    assert done.returncode == 1
    assert "none: there is no such directory" in done.stdout


def test_no_permission(recorder, root, open_build):
    recorder.folder.chmod(0o700)
    done = own(recorder, recorder.folder, preexec_fn=as_nobody)
    assert done.returncode == 1
    assert "Permission denied" in done.stdout


def mounted(recorder, options, body):
    """Runs body with a tmpfs of its own."""
    place = recorder.folder / "mount"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(place)],
                   check=True)
    try:
        body(place)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_read_only(recorder, root):
    def body(place):
        done = own(recorder, place)
        assert done.returncode == 1
        assert "Read-only file system" in done.stdout
    mounted(recorder, "size=1m,ro", body)


def test_full_at_the_start(recorder, root):
    def body(place):
        done = own(recorder, place)
        assert done.returncode == 1
        assert "No space left on device" in done.stdout
        assert list(place.iterdir()) == []
    mounted(recorder, "size=64k", body)


def test_full_later(recorder, root):
    """Threads that find no memory for a ring lose their hits, which are
    counted; the others keep theirs."""
    def body(place):
        recorder.folder = place
        done = recorder.run("threads 16 100", options="keep")
        assert (done.returncode, done.stderr) == (0, "")
        recording = recorder.show(*recorder.files())
        assert recording.events > 0
        assert recording.no_ring > 0
        assert recording.events + recording.no_ring == 1600
        assert len(recording.lines) == recording.events
    mounted(recorder, "size=1m", body)


def test_full_in_the_middle_of_a_ring(recorder, root):
    """A thread that finds no memory for more of its ring keeps what is there,
    and its other hits are lost, and counted."""
    def body(place):
        recorder.folder = place
        done = recorder.run("step 100000", options="keep,ring=4M")
        assert (done.returncode, done.stderr) == (0, "")
        recording = recorder.show(*recorder.files())
        assert recording.events > 0
        assert recording.lost >= recording.no_ring > 0
        assert recording.events + recording.lost == 100000
        assert len(recording.lines) == recording.events
        assert recording.damaged == 0
    mounted(recorder, "size=2m", body)


def test_ring_grows(recorder):
    """A thread with few hits takes little of the memory that its ring may
    have."""
    def blocks(orders):
        done = recorder.run(orders, options="keep,ring=4M")
        assert (done.returncode, done.stderr) == (0, "")
        (file,) = recorder.files()
        size = file.stat().st_blocks * 512
        file.unlink()
        return size

    few = blocks("threads 4 10")
    assert few < 2 << 20
    assert blocks("threads 4 100000") > few + (15 << 20)


def test_link_in_place_of_the_file(recorder):
    """A file that exists is never opened: another name is taken."""
    victim = recorder.folder / "victim"
    victim.write_text("mine")
    code = ("import os, sys\n"
            "for i in range(1, 50):\n"
            "    os.symlink(%r, '%s/sdtkit-recorder-%%d.%%d' %%"
            " (os.getpid(), i))\n"
            "os.execv(sys.argv[1], sys.argv[1:])\n"
            % (str(victim), recorder.folder))
    done = recorder.call("/usr/bin/python3", "-c", code,
                         recorder.programs / "record-own", recorder.folder,
                         "rec:step")
    assert done.returncode == 0
    assert done.stdout.strip().endswith(".50")
    assert victim.read_text() == "mine"


def test_mode_of_the_file(recorder):
    with recorder.start("step 1 say wait") as work:
        work.stdout.readline()
        assert [file.stat().st_mode & 0o777
                for file in recorder.files()] == [0o600]
        work.stdin.close()


def test_truncated_file(recorder):
    """Ends the recording, not the program."""
    with recorder.start("step 10 say wait step 100000 threads 4 10 say") as work:
        work.stdout.readline()
        os.truncate(str(recorder.files()[0]), 0)
        work.stdin.write("\n")
        work.stdin.close()
        assert work.stdout.readline().strip().isdigit()
        assert work.wait(timeout=300) == 0


def test_truncated_while_it_is_followed(build, recorder):
    """An error, and no signal that ends the reader."""
    with recorder.start("step 1 say wait", options="nolisten") as work:
        pid = work.stdout.readline().strip()
        with subprocess.Popen([str(build / "lib" / "tool" / "sdtkit"), "trace",
                               "-p", pid], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              universal_newlines=True) as trace:
            assert " records " in trace.stderr.readline()
            os.truncate(str(recorder.files()[0]), 0)
            assert ("the file was truncated while it was read"
                    in trace.stderr.read())
            assert trace.wait(timeout=300) == 125
        work.stdin.close()


def test_snapshot_through_the_socket(recorder):
    with recorder.start("step 4 say wait", options="nofile") as work:
        pid = int(work.stdout.readline())
        recording = recorder.show("-p", pid)
        assert (recording.events, recording.opener) == (4, pid)
        assert recorder.files() == []
        work.stdin.close()


def test_socket_refuses_others(recorder, root, open_build):
    with recorder.start("step 4 say wait") as work:
        pid = int(work.stdout.readline())
        for asked in (["-p", str(pid)], ["-s", str(pid), "rec:*", "1"]):
            done = recorder.call("record-show", *asked, preexec_fn=as_nobody)
            assert done.returncode == 1
            assert "refused" in done.stderr
        work.stdin.close()


def test_name_of_another(recorder):
    """Who has taken the name of a process is not believed."""
    code = ("import socket, sys, time\n"
            "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
            "s.bind('\\0sdtkit-recorder-%d')\n"
            "s.listen(1)\n"
            "print('ready', flush=True)\n"
            "sys.stdin.read()\n")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as owner, \
            subprocess.Popen(["/usr/bin/python3", "-c", code % owner.pid],
                             stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE) as thief:
        thief.stdout.readline()
        done = recorder.call("record-show", "-p", str(owner.pid))
        assert done.returncode == 1
        assert "do not trust it" in done.stderr
        thief.stdin.close()
        owner.stdin.close()


def start_session(recorder, pid, seconds):
    show = subprocess.Popen(
        [str(recorder.programs / "record-show"), "-s", str(pid), "rec:step",
         str(seconds)], stdout=subprocess.PIPE, universal_newlines=True)
    assert show.stdout.readline() == "attached\n"
    return show


def test_session(recorder):
    """It has what happens while it lasts, and loses nothing."""
    with recorder.start("step 5 say wait step 200000 say wait step 5 say "
                        "wait") as work:
        pid = int(work.stdout.readline())
        with start_session(recorder, pid, 3) as show:
            recorder.go_on(work)
            lines = show.stdout.read().splitlines()
        assert [number_of(line) for line in lines[:-1]] == list(range(200000))
        assert " lost=0 " in lines[-1]
        work.stdout.readline()
        # nobody reads any more: the program does not wait
        recorder.go_on(work)
        work.stdout.readline()
        recording = recorder.show("-p", pid)
        assert recording.events == 200010
        work.stdin.close()


def has_left(pid):
    """The main thread has ended."""
    with open("/proc/%s/stat" % pid) as stat:
        return stat.read().rsplit(")")[1].split()[0] == "Z"


@contextlib.contextmanager
def left(recorder, orders, **options):
    """A process whose main thread has ended."""
    with recorder.start("leave say wait %s" % orders, **options) as work:
        try:
            pid = work.stdout.readline().strip()
            while not has_left(pid):
                time.sleep(0.01)
            yield work, pid
        finally:
            work.kill()


def test_session_without_main_thread(recorder):
    with left(recorder, "step 3 say wait") as (work, pid), \
            start_session(recorder, pid, 300) as show:
        recorder.go_on(work)
        work.stdout.readline()
        # the session ends with the process
        work.stdin.close()
        assert show.stdout.read().count("rec:step") == 3


@pytest.mark.parametrize("options", ["", "nofile", "nolisten"])
def test_snapshot_without_main_thread(recorder, options):
    with left(recorder, "step 3 say wait", options=options) as (work, pid):
        recorder.go_on(work)
        work.stdout.readline()
        assert len(recorder.show("-p", pid).texts) == 3


def test_followed_without_main_thread(build, recorder):
    """It has not ended until its last thread has."""
    with left(recorder, "step 3 wait step 2") as (work, pid), \
            subprocess.Popen([str(build / "lib" / "tool" / "sdtkit"), "trace",
                              "-p", pid], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE,
                             universal_newlines=True) as trace:
        assert " records " in trace.stderr.readline()
        for count in (3, 2):
            recorder.go_on(work)
            for i in range(count):
                assert "number=%d," % i in trace.stdout.readline()
            time.sleep(0.1)
        work.wait(timeout=300)
        assert trace.wait(timeout=300) == 0


def sessions_come_and_go(recorder, orders, **more):
    with recorder.start(orders, **more) as work:
        pid = int(work.stdout.readline())
        # one is there when the program begins
        with start_session(recorder, pid, 0.01) as show:
            recorder.go_on(work)
            show.stdout.read()
        sessions = show.returncode == 0
        while work.poll() is None and sessions < 100:
            done = recorder.call("record-show", "-s", pid, "rec:step", "0.01")
            sessions += done.returncode == 0
        work.stdin.close()
        assert work.wait(timeout=300) == 0
        assert sessions > 0


def test_sessions_and_forks(recorder):
    """A process that forks all the time, while sessions come and go."""
    sessions_come_and_go(recorder, "say wait " + "fork 10 " * 2000 + "say",
                         options="size=1M,ring=16K")


def test_sessions_and_libraries(recorder):
    """Libraries come and go, and are attached to by sessions that end."""
    plugin = recorder.programs / "librecord-plugin.so"
    sessions_come_and_go(recorder, ["say", "wait", "reopen", "1000", plugin],
                         MALLOC_PERTURB_="165")


def test_end_with_session(recorder):
    """A session ends while the program does, and both remove what they have.
    The program may leave its file if the session takes two seconds to end."""
    in_time = 0
    for i in range(100):
        with recorder.start("say wait", MALLOC_PERTURB_="165") as work:
            pid = int(work.stdout.readline())
            with start_session(recorder, pid, 60) as show:
                show.kill()
                begin = time.monotonic()
                time.sleep(i * 0.00002)
                work.stdin.close()
                assert work.wait(timeout=300) == 0
                took = time.monotonic() - begin
        left = recorder.files()
        if took < 2:
            in_time += 1
            assert left == []
        for file in left:
            file.unlink()
    assert in_time > 0


def test_session_whose_reader_is_killed(recorder):
    with recorder.start("say wait step 500000 say wait") as work:
        pid = int(work.stdout.readline())
        with start_session(recorder, pid, 60) as show:
            show.send_signal(signal.SIGSTOP)
            recorder.go_on(work)
            show.send_signal(signal.SIGKILL)
        assert work.stdout.readline().strip().isdigit()
        work.stdin.close()
