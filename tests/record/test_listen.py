# SPDX-License-Identifier: BSD-2-Clause
"""The thread that hands out the file, in programs that treat it badly."""

import contextlib
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import time

import pytest


@pytest.mark.parametrize("options", ["", "nofile"])
def test_descriptors_are_its_own(recorder, options):
    """A program that closes all descriptors can be followed all the same."""
    with recorder.start("step 1 closefrom say wait step 3 say wait",
                        options=options) as work:
        pid = int(work.stdout.readline())
        assert recorder.show("-p", pid).events == 1
        with subprocess.Popen(
                [str(recorder.programs / "record-show"), "-s", str(pid),
                 "rec:step", "300"], stdout=subprocess.PIPE,
                universal_newlines=True) as show:
            assert show.stdout.readline() == "attached\n"
            recorder.go_on(work)
            work.stdout.readline()
            # the session ends with the process
            work.stdin.close()
            assert show.stdout.read().count("rec:step") == 3


def test_children_do_not_keep_the_socket(recorder):
    """The opener has ended: who asks it is told so, and does not wait."""
    with recorder.start("step 1 say background wait") as work:
        opener = int(work.stdout.readline())
        assert work.wait(timeout=300) == 0
        with open("/proc/net/unix") as names:
            assert "@sdtkit-recorder-%d\n" % opener not in names.read()
        work.stdin.close()


def test_user_changes(recorder, unavailable):
    """A server gives up its rights: the file stays root's."""
    if os.geteuid() != 0:
        unavailable("root, to become another user")
    with recorder.start("step 2 nobody say wait") as work:
        pid = int(work.stdout.readline())
        assert recorder.show("-p", pid).events == 2
        work.stdin.close()


def processor_time(pid):
    """In ticks, of which there are a hundred in a second."""
    with open("/proc/%d/stat" % pid) as stat:
        fields = stat.read().rsplit(")")[1].split()
    return int(fields[11]) + int(fields[12])


def test_no_descriptor_left(recorder):
    """It waits for one, but not by asking all the time."""
    with recorder.start("step 2 say wait") as work:
        pid = int(work.stdout.readline())
        limit = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        # poll(2) wants at least so many as are polled
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (5, limit[1]))
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.connect("\0sdtkit-recorder-%d" % pid)
        before = processor_time(pid)
        time.sleep(1)
        assert processor_time(pid) - before < 30
        client.close()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limit)
        assert recorder.show("-p", pid).events == 2
        work.stdin.close()


def has_open(process, path):
    """Whether the process has the file open, or has ended."""
    if process.poll() is not None:
        return True
    folder = "/proc/%d/fd" % process.pid
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            if os.readlink(os.path.join(folder, name)) == str(path):
                return True
    return False


def test_file_that_is_being_made(recorder, tmp_path):
    """A program in its first milliseconds: who asks waits for the file."""
    recorder.run("step 3", options="keep")
    made, = recorder.files()
    other = tmp_path / ("sdtkit-recorder-%d.1" % os.getpid())
    with open(str(other), "w+b") as file:
        file.truncate(made.stat().st_size)
        content = made.read_bytes()
        with mmap.mmap(file.fileno(), 0) as memory:
            memory[8:] = content[8:]
            show = subprocess.Popen(
                [str(recorder.programs / "record-show"), "-p",
                 str(os.getpid())], stdout=subprocess.PIPE,
                universal_newlines=True)
            while not has_open(show, other):
                time.sleep(0.001)
            memory[:8] = content[:8]
            said, _ = show.communicate(timeout=300)
        assert (said.count("rec:step"), show.returncode) == (3, 0)


def test_path_of_something_else(recorder, tmp_path):
    """A name with the end of a line is that of another file in the list of
    mappings. What is there is not opened if it is no file."""
    true, shown = (tmp_path / ("sdtkit-recorder-" + end)
                   for end in ("\n", "\\012"))
    os.mkfifo(str(shown))
    with open(str(true), "w+b") as file, subprocess.Popen(
            ["sh", "-c", "echo >$0", str(shown)]) as opened:
        file.truncate(mmap.PAGESIZE)
        with mmap.mmap(file.fileno(), 0):
            time.sleep(0.2)
            done = recorder.call("record-show", "-p", os.getpid())
        time.sleep(0.2)
        try:
            assert opened.poll() is None
            assert done.stderr.endswith(": not a regular file\n")
        finally:
            opened.kill()


def fill(pid):
    """Connects until no more clients are queued."""
    clients = []
    for _ in range(100):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            client.connect("\0sdtkit-recorder-%d" % pid)
            clients.append(client)
    return clients


@pytest.mark.parametrize("is_full", [False, True])
def test_stopped_process(recorder, is_full):
    """It answers nobody, and the file is found without it."""
    with recorder.start("step 2 say wait") as work:
        pid = int(work.stdout.readline())
        work.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED)
        clients = fill(pid) if is_full else []
        try:
            assert recorder.show("-p", pid).events == 2
        finally:
            for client in clients:
                client.close()
            work.send_signal(signal.SIGCONT)
            work.stdin.close()


def test_client_is_stopped_while_it_waits(recorder):
    """As by Ctrl-Z: it goes on to wait for the answer afterwards."""
    with recorder.start("say wait") as work:
        pid = int(work.stdout.readline())
        work.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED)
        show = subprocess.Popen(
            [str(recorder.programs / "record-show"), "-s", str(pid),
             "rec:step", "300"], stdout=subprocess.PIPE,
            universal_newlines=True)
        for _ in range(20):
            time.sleep(0.05)
            show.send_signal(signal.SIGSTOP)
            time.sleep(0.01)
            show.send_signal(signal.SIGCONT)
        work.send_signal(signal.SIGCONT)
        said = show.stdout.readline()
        work.stdin.close()
        show.communicate(timeout=300)
        assert said == "attached\n"


def thread_descriptors(pid):
    """Those of the thread that listens, which has its own."""
    counts = [len(os.listdir("/proc/%d/task/%s/fd" % (pid, task)))
              for task in os.listdir("/proc/%d/task" % pid)
              if task != str(pid)]
    assert len(counts) == 1
    return counts[0]


def requests():
    """What a client of the same user may send by mistake; see attach.h."""
    def session(mode=2, limit=0, size=1 << 20, ring=1 << 16, patterns=b"rec:*",
                version=1, what=2):
        return struct.pack("=4I2Q1024s", version, what, mode, limit, size,
                           ring, patterns)

    yield b""
    yield b"x"
    yield session()[:-1]
    yield session() + b"x"
    yield session(version=2)
    yield session(what=0)
    yield session(mode=99)
    yield session(limit=2 ** 32 - 1)
    yield session(size=0, ring=2 ** 64 - 1)
    yield session(size=2 ** 64 - 1, ring=1 << 28)
    yield session(size=1)
    yield session(ring=4095)
    yield session(patterns=b"x" * 1024)
    yield session(patterns=b"rec:*/" * 170)
    yield session(patterns=b"rec:step/1%7/," * 73)
    yield session(patterns=b"")


@contextlib.contextmanager
def asked(pid, request):
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
        client.settimeout(300)
        client.connect("\0sdtkit-recorder-%d" % pid)
        client.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                    struct.pack("i", client.fileno()))])
        yield client


def descriptors_at_rest(pid):
    """The thread serves one request after the other: when it has closed the
    connection of this one, it has closed those before, too."""
    with asked(pid, b"x") as client:
        assert client.recv(1024) == b""
    return thread_descriptors(pid)


def test_requests_that_are_wrong(recorder):
    with recorder.start("step 2 say wait step 2 say wait") as work:
        pid = int(work.stdout.readline())
        assert recorder.show("-p", pid).events == 2
        before = descriptors_at_rest(pid)
        for request in requests():
            with asked(pid, request) as client:
                client.recv(1024)
        recorder.go_on(work)
        work.stdout.readline()
        assert recorder.show("-p", pid).events == 4
        assert descriptors_at_rest(pid) == before
        work.stdin.close()
