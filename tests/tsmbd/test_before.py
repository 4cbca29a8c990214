# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd finds the processes that exist before it starts."""

import os
import pathlib
import socket
import subprocess
import sys

import pytest

import demo_wire as w
from demo_server import LIMIT, children, wait_until
from ending import ending


@pytest.fixture(scope="module")
def ask(build, source, tmp_path_factory):
    """ask(what, pid): the answer of tsmbd's own functions."""
    path = tmp_path_factory.mktemp("ask") / "ask"
    tsmbd = source / "lib" / "tsmbd"
    uprobe = source / "lib" / "uprobe"
    files = [tsmbd / "peer.c", tsmbd / "opens.c", uprobe / "proc.c"]
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE",
                    "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
                    "-I", tsmbd, "-I", uprobe, "-I", source / "lib",
                    source / "tests" / "tsmbd" / "ask.c", *files, "-o", path],
                   check=True)

    def run(what, pid):
        return subprocess.run([path, what, str(pid)], check=True,
                              stdout=subprocess.PIPE, timeout=LIMIT,
                              universal_newlines=True).stdout.strip()

    return run


# Listens, accepts one client in the way of smbd, and is told what to do.
SERVER = """
import os, socket, sys, time
listening = socket.socket(getattr(socket, sys.argv[1]))
if sys.argv[2] == "::":
    listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
listening.bind((sys.argv[2], 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
# what the child has of it comes before the client's connection
other = socket.create_connection((sys.argv[3], int(sys.argv[4])))
print(other.getsockname()[1], flush=True)
helper = os.fork()
if helper == 0:
    listening.close()
    time.sleep(1000)
client, address = listening.accept()
child = os.fork()
if child == 0:
    listening.close()
    print(helper, os.getpid(), flush=True)
    time.sleep(1000)
client.close()
sys.stdin.read()
for pid in helper, child:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
"""


class Family:
    """An smbd that listens, a helper and a child with a client. All have a
    connection to another server, too."""

    def __init__(self, family, address, before=()):
        self.elsewhere = socket.create_server(("127.0.0.1", 0))
        self.process = subprocess.Popen(
            [*before, sys.executable, "-c", SERVER, family, address,
             *map(str, self.elsewhere.getsockname())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True)
        self.pid = self.process.pid
        self.port = int(self.process.stdout.readline())
        self.outgoing = int(self.process.stdout.readline())

    def serve(self, address):
        self.client = socket.create_connection((address, self.port))
        self.helper, self.child = map(int,
                                      self.process.stdout.readline().split())
        return self.client.getsockname()[1]

    def end(self):
        self.process.communicate(timeout=LIMIT)
        self.elsewhere.close()
        self.client.close()


@pytest.fixture
def family():
    yield from ending(Family)


@pytest.mark.parametrize("kind, listens, address, shown", [
    ("AF_INET", "127.0.0.1", "127.0.0.1", "ipv4:127.0.0.1:%d"),
    ("AF_INET", "0.0.0.0", "127.0.0.1", "ipv4:127.0.0.1:%d"),
    ("AF_INET6", "::1", "::1", "ipv6:::1:%d"),
    ("AF_INET6", "::", "::1", "ipv6:::1:%d"),
    ("AF_INET6", "::", "127.0.0.1", "ipv4:127.0.0.1:%d"),
], ids=["v4", "v4-any", "v6", "v6-any", "v4-mapped"])
def test_the_client_of_a_process(ask, family, kind, listens, address, shown):
    """Neither the server elsewhere, nor that of the parent or a helper."""
    one = family(kind, listens)
    port = one.serve(address)
    assert ask("peer", one.child) == shown % port
    assert ask("peer", one.helper) == "-"
    assert ask("peer", one.pid) == "-"


def test_a_client_that_has_given_up(ask, family):
    """Its process hangs, and has not read that yet."""
    one = family("AF_INET", "127.0.0.1")
    port = one.serve("127.0.0.1")
    one.client.shutdown(socket.SHUT_WR)
    assert ask("peer", one.child) == "ipv4:127.0.0.1:%d" % port


def test_somebody_listens_on_the_port_of_an_outgoing_connection(ask, family):
    """The client is on another address of the same machine."""
    one = family("AF_INET", "127.0.0.1")
    with socket.create_server(("127.0.0.2", one.outgoing)):
        one.serve("127.0.0.1")
        assert ask("peer", one.helper) == "-"


# The loopback of a new network namespace is down. `ip link set lo up` would
# do, but a minimal Debian does not have it.
INSIDE = """
import fcntl, os, socket, struct, sys, time
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
with socket.socket() as any_socket:
    fcntl.ioctl(any_socket, SIOCSIFFLAGS,
                struct.pack("16sh14x", b"lo", IFF_UP))
listening = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listening.getsockname())
server, _ = listening.accept()
child = os.fork()
if child == 0:
    port = client.getsockname()[1]
    listening.close()
    client.close()
    print(os.getpid(), port, flush=True)
    time.sleep(1000)
sys.stdin.read()
os.kill(child, 9)
"""


def test_in_another_network_namespace(ask, unavailable):
    if subprocess.run(["unshare", "--net", "true"],
                      stderr=subprocess.DEVNULL).returncode != 0:
        unavailable("cannot make a network namespace")
    process = subprocess.Popen(
        ["unshare", "--net", sys.executable, "-c", INSIDE],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        universal_newlines=True)
    child, port = map(int, process.stdout.readline().split())
    try:
        assert ask("peer", child) == "ipv4:127.0.0.1:%d" % port
    finally:
        process.communicate(timeout=LIMIT)


def test_no_such_process(ask):
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert ask("peer", ended.pid) == "-"


def test_a_client_that_does_nothing_is_there(server, tsmbd):
    with server.login():
        tracer = tsmbd("--json")
        report = tracer.report()
    assert (report["processes"], report["requests"]) == (1, 0)
    assert report["sum_us"] > 0


@pytest.mark.thorough
def test_its_name_outlives_it(server, tsmbd):
    with server.login() as before:
        name = "ipv4:127.0.0.1:%d" % before.sock.getsockname()[1]
        tracer = tsmbd("--json", "--slow", "0", "--top", "clients")
        before.call(w.ECHO, b"\4\0\0\0")
    wait_until(server.idle, "child reaped")
    (report,), events = tracer.reports()
    host = name.rpartition(":")[0]
    assert [one["name"] for one in report["top"]["clients"]] == [host]
    assert {event["client"] for event in events} == {name}


# Like an smbd and its child: what the parent has, the child has too.
OPENS = """
import os, sys
inherited = [open(name, "a+") for name in ("log.smbd", "inherited")]
child = os.fork()
if child == 0:
    os.makedirs("msg.lock")
    own = [open(name, "a+") for name in (
        "own.tdb", "gone.tdb", "msg.lock/%d" % os.getpid(), "/dev/null",
        "inherited")]
    own.append(os.open("log.client", os.O_WRONLY | os.O_APPEND | os.O_CREAT))
    own.append(os.pipe())
    os.unlink("gone.tdb")
    print("parent", flush=True)
    sys.stdin.readline()
    clients = [open(name, "w+") for name in ("letter", "letter", "gone")]
    clients.append(os.open(".", os.O_RDONLY | os.O_DIRECTORY))
    os.unlink("gone")
    print(os.getpid(), flush=True)
    sys.stdin.read()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.fixture
def opens(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", OPENS], cwd=tmp_path,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               universal_newlines=True)
    yield process
    process.communicate(timeout=LIMIT)


def test_files_that_clients_have_open(ask, opens):
    """Databases, logs, the lock and inherited files are not counted."""
    process = opens
    assert process.stdout.readline() == "parent\n"
    child, = children(process.pid)
    assert ask("opens", child) == "0"
    process.stdin.write("\n")
    process.stdin.flush()
    assert int(process.stdout.readline()) == child
    assert ask("opens", child) == "4"


@pytest.fixture
def dead(tmp_path, unavailable):
    """A process with a file open on a file system that does not answer."""
    process = subprocess.Popen(
        ["unshare", "--mount", sys.executable,
         pathlib.Path(__file__).parent / "dead_fs.py", tmp_path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        universal_newlines=True)
    line = process.stdout.readline()
    if not line:
        unavailable("no FUSE here: " + process.stderr.read())
    yield int(line)
    process.communicate(timeout=LIMIT)


def test_a_file_system_that_does_not_answer(ask, dead, tmp_path):
    """The file is counted, and tsmbd does not hang."""
    links = {os.readlink("/proc/%d/fd/%s" % (dead, fd)): fd
             for fd in os.listdir("/proc/%d/fd" % dead)}
    file = "/proc/%d/fd/%s" % (dead, links[str(tmp_path / "file")])
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(["stat", "--dereference", file], timeout=1)
    assert ask("opens", dead) == "1"
    assert ask("peer", dead) == "-"
