# SPDX-License-Identifier: BSD-2-Clause
"""Servers that are upgraded, or new, while tsmbd runs: their files are new."""

import contextlib
import fcntl
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest

import demo_wire as w
from actor import compile_module
from demo_server import LIMIT, children, state, wait_until
from test_counts import by_opcode, operations, run_clients

# A name that no other process has; the kernel keeps 15 letters.
NAME = "upgrad-%d" % os.getpid()
SEARCH = 0.5    # seconds between two searches; for others it is 5


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setenv("TSMBD_SEARCH_MS", str(int(SEARCH * 1000)))


def says(tracer, text, behind=""):
    line = tracer.process.stderr.readline()
    assert re.fullmatch("tsmbd: " + re.escape(text) + behind + "\n",
                        line), line


@contextlib.contextmanager
def stopped(tracer):
    """It finds out at once, and not in the middle, what was done here."""
    tracer.process.send_signal(signal.SIGSTOP)
    yield
    tracer.process.send_signal(signal.SIGCONT)


# Python 3.10 has it, too.
F_SETPIPE_SZ = 1031


@contextlib.contextmanager
def held_at_its_message(tracer):
    """Yields a function that waits until it writes, which takes until the
    end of this."""
    reads = tracer.process.stderr
    size = fcntl.fcntl(reads, F_SETPIPE_SZ, 4096)
    with open("/proc/self/fd/%d" % reads.fileno(), "wb", 0) as pipe:
        pipe.write(b"x" * (size - 1) + b"\n")
    now = pathlib.Path("/proc/%d/syscall" % tracer.process.pid)
    yield lambda: wait_until(lambda: now.read_text().split()[1:2] == ["0x2"],
                             "writes to file 2")
    assert len(reads.readline()) == size


def counts_equal(report, sent):
    assert operations(report, "count") == by_opcode(sent, "sent")
    assert operations(report, "bytes_in") == by_opcode(sent, "bytes_out")
    assert not any(report["lost"].values())


def test_an_upgrade(install, tracing):
    """The old one is traced still, and who has connected to the new one
    before that is there."""
    old = install("sbin")
    tracer = tracing("-n", NAME, "--top", "clients")
    with contextlib.ExitStack() as stack:
        with stopped(tracer):
            new = install("sbin")
            early = stack.enter_context(new.login())
        says(tracer, "%s has new files, tracing them from now on: %s" % (
            NAME, new.path))
        sent = run_clients(old)
        early.call(w.ECHO, b"\4\0\0\0")
    wait_until(new.idle, "child reaped")
    sent += run_clients(new)
    report = tracer.report()
    assert report["processes"] == 3
    client, = report["top"]["clients"]
    assert client["requests"] == report["requests"]
    counts = by_opcode(sent, "sent")
    counts[w.ECHO] += 1
    assert operations(report, "count") == counts
    assert not any(report["lost"].values())


@pytest.mark.thorough
def test_all_clients_are_known_when_it_says_so(install, tracing):
    install("sbin")
    tracer = tracing("-n", NAME, "--top", "clients")
    with held_at_its_message(tracer) as wait:
        with stopped(tracer):
            new = install("sbin")
            early = new.login()
        wait()
        with early:
            early.call(w.ECHO, b"\4\0\0\0")
        wait_until(new.idle, "child reaped")
    says(tracer, "%s has new files, tracing them from now on: %s" % (
        NAME, new.path))
    client, = tracer.report()["top"]["clients"]
    assert (client["name"], client["requests"]) == ("ipv4:127.0.0.1", 1)


@pytest.mark.thorough
def test_a_client_of_it_that_does_nothing(install, tracing):
    install("sbin")
    tracer = tracing("-n", NAME)
    with contextlib.ExitStack() as stack:
        with stopped(tracer):
            new = install("other")
            stack.enter_context(new.login())
        says(tracer, "%s has new files, tracing them from now on: %s" % (
            NAME, new.path))
        report = tracer.report()
    assert (report["processes"], report["requests"]) == (1, 0)


@pytest.mark.parametrize("who", [
    "", pytest.param("fork", marks=pytest.mark.thorough)], ids=["itself", "a-child"])
def test_a_library_that_is_loaded_later(act, tracing, build, source, tmp_path,
                                        who):
    """As smbd does for the modules of a share when a client connects to it:
    the process has been looked at before, and so has the parent of one."""
    library = compile_module(build, source, tmp_path / "later.so")
    actor = act("hold", *[who] * bool(who), "hold", "load:%s" % library,
                "hold", "begin:%d" % w.READ, "limit:1", "wait:1", "limited:1",
                "end:0")
    tracer = tracing("-p", str(actor.pid))
    actor.play()
    actor.play()
    actor.play()
    says(tracer, "process %d has new files, tracing them from now on: %s" % (
        actor.pid, library))
    actor.play()
    read, = tracer.report()["operations"]
    assert (read["count"], read["limited"]) == (1, 1)


def begin_pids_after(pid):
    pathlib.Path("/proc/sys/kernel/ns_last_pid").write_text(str(pid))


@pytest.mark.parametrize("numbers", [
    pytest.param("above", marks=pytest.mark.thorough), "below"])
def test_a_library_that_is_loaded_while_others_come(
        act, tracing, build, source, tmp_path, numbers):
    """Processes that have just been forked do not take all the time there
    is, whether the system gives them numbers above its own or below."""
    library = compile_module(build, source, tmp_path / "later.so")
    actor = act("hold", "crowd:%d" % (10 / SEARCH), "fork", "hold", "load:%s" % library, "hold")
    tracer = tracing("-p", str(actor.pid))
    if numbers == "below":
        last = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())
        begin_pids_after(last - 1000)
    actor.play()
    if numbers == "below":
        begin_pids_after(300)
    actor.play()
    time.sleep(3 * SEARCH)      # until it is none of the new ones itself
    actor.play()
    assert select.select([tracer.process.stderr], [], [], LIMIT)[0]
    says(tracer, "process %d has new files, tracing them from now on: %s" % (
        actor.pid, library))


# Starts a server for each line that it reads.
PARENT = """
import subprocess, sys
for line in sys.stdin:
    subprocess.Popen([*line.split(), "--port", "0", "."])
"""


def test_a_child_of_the_process(install, tracing, tmp_path):
    """With -p the name does not matter."""
    one, other = install("sbin"), install("other")
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=tmp_path,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          universal_newlines=True) as parent:
        start(parent, one)
        tracer = tracing("-p", str(parent.pid))
        start(parent, other)
        says(tracer, "process %d has new files, tracing them from now on: %s"
             % (parent.pid, other.path))
        sent = run_clients(one) + run_clients(other)
        report = tracer.report()
        for pid in children(parent.pid):
            os.kill(pid, signal.SIGKILL)
    assert report["processes"] == 2
    counts_equal(report, sent)


@pytest.mark.thorough
def test_clients_of_the_child_when_it_says_so(install, tracing, tmp_path):
    """They are traced because their parent is known."""
    one, other = install("sbin"), install("other")
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=tmp_path,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          universal_newlines=True) as parent:
        start(parent, one)
        tracer = tracing("-p", str(parent.pid))
        with held_at_its_message(tracer) as wait:
            start(parent, other)
            wait()
            sent = run_clients(other)
        says(tracer, "process %d has new files, tracing them from now on: %s"
             % (parent.pid, other.path))
        report = tracer.report()
        for pid in children(parent.pid):
            os.kill(pid, signal.SIGKILL)
    counts_equal(report, sent)


def start(parent, server):
    """Its port is that of the new process from now on."""
    parent.stdin.write("%s\n" % server.path)
    parent.stdin.flush()
    line = parent.stdout.readline()
    server.port = int(re.match(r"listening on 127\.0\.0\.1:(\d+)",
                               line).group(1))


@pytest.mark.thorough
def test_it_gets_probes(install, tracing, tmp_path):
    """The old file is removed first, so the new one may get the same inode.
    Where it does not, only test_find.c tests what that needs."""
    path = tmp_path / "sbin" / NAME
    path.parent.mkdir()
    shutil.copy("/bin/sleep", path)
    install("other")
    tracer = tracing("-n", NAME)
    with subprocess.Popen([path, "1000"]) as process:
        says(tracer, "process %d is called %s and has no probes: it is not "
             "traced" % (process.pid, NAME))
        process.kill()
    number = path.stat().st_ino
    path.unlink()
    server = install("sbin", renamed=False)
    print("the same number:", path.stat().st_ino == number)
    says(tracer, "%s has new files, tracing them from now on: %s" % (
        NAME, server.path))
    sent = run_clients(server)
    counts_equal(tracer.report(), sent)


WAITS = "until [ -e go ]; do sleep 0.1; done; exec %s --port 0 ."


def test_a_script_becomes_one(build, install, tracing, tmp_path):
    """It has run under another name for longer than two searches."""
    install("other")
    path = tmp_path / "sbin" / NAME
    path.parent.mkdir()
    shutil.copy(build / "examples" / "demo" / "demo-server", path)
    with subprocess.Popen(["sh", "-c", WAITS % path], cwd=tmp_path,
                          stdout=subprocess.DEVNULL) as process:
        tracer = tracing("-n", NAME)
        time.sleep(3 * SEARCH)      # until two searches have seen it
        (tmp_path / "go").touch()
        says(tracer, "%s has new files, tracing them from now on: %s" % (
            NAME, path))
        process.kill()
    tracer.report()


@pytest.mark.thorough
def test_it_cannot_be_traced(install, tracing):
    """It has only as many descriptors as it needs to read the file."""
    old = install("sbin")
    tracer = tracing("-n", NAME)
    used = len(os.listdir("/proc/%d/fd" % tracer.process.pid))
    resource.prlimit(tracer.process.pid, resource.RLIMIT_NOFILE,
                     (used + 4, used + 4))
    new = install("sbin")
    # what libbpf makes of having too few differs
    says(tracer, "%s has new files that cannot be traced: %s: " % (
        NAME, new.path), "[A-Z].+")
    sent = run_clients(old)
    counts_equal(tracer.report(), sent)


def test_it_has_no_probes(install, tracing, tmp_path):
    """There is one message, however many processes there are."""
    server = install("sbin")
    tracer = tracing("-n", NAME)
    path = tmp_path / "bin" / NAME
    path.parent.mkdir()
    shutil.copy("/bin/sleep", path)
    with contextlib.ExitStack() as stack:
        with stopped(tracer):
            one, other = (stack.enter_context(subprocess.Popen(
                [path, "1000"])) for _ in range(2))
            for sleeper in one, other:  # their name comes after Popen()
                wait_until(lambda: state(sleeper.pid) == "S", "it sleeps")
        says(tracer, "process %d is called %s and has no probes: it is not "
             "traced" % (min(one.pid, other.pid), NAME))
        sent = run_clients(server)
        counts_equal(tracer.report(), sent)
        one.kill()
        other.kill()


LIMIT_OF_FILES = 64


@pytest.fixture
def many(build, tmp_path):
    """many(folder): servers of NAME there, each of a file of its own, that
    together are more than half of what tsmbd can trace at a time."""
    running = []

    def start(folder):
        for i in range(LIMIT_OF_FILES // 2 + 4):
            path = tmp_path / folder / str(i) / NAME
            path.parent.mkdir(parents=True)
            shutil.copy(build / "examples" / "demo" / "demo-server", path)
            running.append(subprocess.Popen(
                [path, "--port", "0", tmp_path], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL))
            assert running[-1].stdout.readline()
        return [str(server.args[0]) for server in running]

    def end():
        while running:
            server = running.pop()
            server.kill()
            server.wait()
            server.stdout.close()

    start.end = end
    yield start
    end()


def open_files(tracer, name):
    """Those with this name that it keeps open, and how many others."""
    links = []
    for fd in pathlib.Path("/proc/%d/fd" % tracer.process.pid).iterdir():
        with contextlib.suppress(FileNotFoundError):
            links.append(os.readlink(fd))
    return [link for link in links if name in link], len(links)


@pytest.fixture(params=[None, "uprobe_multi"])
def either_way(request, monkeypatch):
    """Both ways to attach: the one that tsmbd chooses, and libbpf's."""
    if request.param is not None:
        monkeypatch.setenv("TSMBD_OLD_KERNEL", request.param)


@pytest.mark.thorough
def test_files_that_nobody_has_any_more(install, many, tracing, tmp_path):
    """They are closed, so that the limit is one of files at a time."""
    old = install("sbin")
    tracer = tracing("-n", NAME)
    own, used = open_files(tracer, NAME)
    assert len(own) == 1

    def are_closed():
        now, count = open_files(tracer, NAME)
        # it may have read a directory when they were counted first
        return now == own and count <= used

    for folder in "one", "two":
        with stopped(tracer):
            names = many(folder)
        line = tracer.process.stderr.readline()
        text, _, found = line.rpartition(": ")
        assert text == ("tsmbd: %s has new files, tracing them from now on" %
                        NAME), line
        assert sorted(found.strip().split(", ")) == sorted(names)
        many.end()
        shutil.rmtree(tmp_path / folder)
        wait_until(are_closed, "closed the files")
    sent = run_clients(old)
    new = install("other")
    says(tracer, "%s has new files, tracing them from now on: %s" % (
        NAME, new.path))
    sent += run_clients(new)
    counts_equal(tracer.report(), sent)


@pytest.mark.thorough
def test_a_removed_file_that_somebody_has(install, either_way, tracing):
    """Files that came and went in between do not end its tracing."""
    old = install("sbin")
    tracer = tracing("-n", NAME)
    before = len(open_files(tracer, NAME)[0])
    for _ in range(2):
        new = install("sbin")
        says(tracer, "%s has new files, tracing them from now on: %s" % (
            NAME, new.path))
        new.kill()
        new.path.unlink()
        wait_until(lambda: len(open_files(tracer, NAME)[0]) == before,
                   "closed the file")
    sent = run_clients(old)
    counts_equal(tracer.report(), sent)
