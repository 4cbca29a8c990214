# SPDX-License-Identifier: BSD-2-Clause
"""Server and client together, and their command lines."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

import pytest

import demo_wire as w
from demo_server import LIMIT, exists, wait_until


def run(build, name, *args):
    return subprocess.run([build / "examples" / "demo" / name, *args],
                          capture_output=True, text=True, timeout=LIMIT)


def expected_counts(files, size):
    """What the client is documented to do, per command."""
    directories = 1 + (files + 99) // 100
    chunks = (size + 65535) // 65536
    counts = {
        "NEGOTIATE": 1, "SESSION_SETUP": 1, "TREE_CONNECT": 1,
        "TREE_DISCONNECT": 1, "LOGOFF": 1,
        "CREATE": 2 * files + 2 * directories,
        "CLOSE": 2 * files + 2 * directories,
        "WRITE": files * chunks, "READ": files * chunks,
        "QUERY_INFO": files, "ECHO": (files + 15) // 16,
    }
    return {name: count for name, count in counts.items() if count}


@pytest.mark.parametrize("files,size", [
    (0, 10), (1, 0), (1, 1), (1, 65536), (2, 65537), (3, 200000), (201, 10240)])
def test_client__copies_and_compares(server, files, size):
    result = server.client("--files", str(files), "--size", str(size),
                           "--json")
    assert (result.returncode, result.stderr) == (0, "")
    counts = json.loads(result.stdout)
    assert counts["ok"] is True
    assert (counts["files"], counts["size"]) == (files, size)
    requests = counts["requests"]
    expected = expected_counts(files, size)
    assert {n: r["sent"] for n, r in requests.items()} == expected
    assert {n: r["answered"] for n, r in requests.items()} == expected
    assert not any(r["errors"] for r in requests.values())
    if "WRITE" in requests:
        overhead = (64 + 48) * requests["WRITE"]["sent"]
        assert requests["WRITE"]["bytes_out"] == files * size + overhead
    assert not list(server.directory.iterdir())


def test_client__keeps_files(server):
    result = server.client("--files", "3", "--size", "70000", "--keep")
    assert result.returncode == 0
    tree, = server.directory.iterdir()
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    assert [str(path.relative_to(tree)) for path in files] == [
        "dir0000/file%05d" % number for number in range(3)]
    contents = [path.read_bytes() for path in files]
    assert [len(content) for content in contents] == [70000] * 3
    assert len(set(contents)) == 3


def test_client__prints_a_table(server):
    result = server.client("--files", "5")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["Command", "Sent", "Answered", "Errors",
                                "Bytes", "out", "Bytes", "in"]
    assert [line for line in lines if re.match(r"CREATE +14 +14 +0 ", line)]
    assert lines[-2].startswith("Total")
    assert re.fullmatch(r"ok: 5 files of 10240 bytes copied and compared in "
                        r"\d+\.\d{3} s", lines[-1])


def test_client__several_at_once(server):
    clients = [subprocess.Popen(
        [server.client_program, "-p", str(server.port), "-n", "150"],
        stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [client.wait(LIMIT) for client in clients] == [0] * 4
    assert not list(server.directory.iterdir())


def test_client__is_stopped_while_it_waits(server):
    """As by Ctrl-Z."""
    client = subprocess.Popen([server.client_program, "-p", str(server.port),
                               "-n", "1000"], stdout=subprocess.DEVNULL)
    for _ in range(20):
        time.sleep(0.01)
        client.send_signal(signal.SIGSTOP)
        time.sleep(0.01)
        client.send_signal(signal.SIGCONT)
    assert client.wait(LIMIT) == 0


def test_client__dead_port(build):
    """A port that nobody listens on, and that nobody else is given."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        result = run(build, "demo-client", "--port", str(port))
    assert result.returncode == 1
    assert result.stdout == ""
    assert "cannot connect to 127.0.0.1:%d: Connection refused" % port \
        in result.stderr


def fake_server(sock, answer):
    """Accepts one client and does answer(connection)."""
    def serve():
        connection, _ = sock.accept()
        with connection:
            answer(connection)
    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("data,message", [
    (b"", "NEGOTIATE: the server closed the connection"),
    (b"HTTP/1.0 400 Bad Request\r\n\r\n",
     "NEGOTIATE: the answer is not an SMB2"),
    (w.packet(bytes(64)), "NEGOTIATE: the answer is not an SMB2"),
    (w.packet(w.header(0, flags=1) + b"\x41\0"), "the answer is not an SMB2"),
    (b"\0\xff\xff\xff", "the answer is not an SMB2"),
])
def test_client__wrong_server(build, data, message):
    with socket.create_server(("127.0.0.1", 0)) as sock:
        def answer(connection):
            connection.recv(4096)
            connection.sendall(data)
        thread = fake_server(sock, answer)
        result = run(build, "demo-client", "-p", str(sock.getsockname()[1]))
        thread.join(LIMIT)
    assert result.returncode == 1
    assert message in result.stderr
    assert result.stdout.splitlines()[-1].startswith("FAILED: ")


def relay(client, server, change):
    """Carries packets both ways; change() sees the answers."""
    while True:
        try:
            prefix = client.recv(4, socket.MSG_WAITALL)
            if len(prefix) < 4:
                return
            length = int.from_bytes(prefix, "big")
            server.send(prefix + client.recv(length, socket.MSG_WAITALL))
            length = int.from_bytes(server.receive_bytes(4), "big")
            client.sendall(w.packet(change(server.receive_bytes(length))))
        except ConnectionError:
            return


def flip_last_byte_of(opcode):
    def change(data):
        reply = w.Reply(data)
        if (reply.opcode, reply.status) == (opcode, w.OK):
            return data[:-1] + bytes([data[-1] ^ 1])
        return data
    return change


def longer(data):
    if w.Reply(data).opcode == w.QUERY_INFO:
        return data[:80] + b"\x09" + data[81:]      # EndOfFile
    return data


@pytest.mark.parametrize("change,message", [
    (flip_last_byte_of(w.READ), "file00000: not what was written"),
    (longer, "bytes long on the server instead of 10240"),
])
def test_client__mismatch(build, server, change, message):
    with socket.create_server(("127.0.0.1", 0)) as sock, \
            server.connect() as connection:
        thread = fake_server(sock, lambda c: relay(c, connection, change))
        result = run(build, "demo-client", "-p", str(sock.getsockname()[1]),
                     "--json")
        thread.join(LIMIT)
    assert result.returncode == 1
    assert message in result.stderr
    assert json.loads(result.stdout)["ok"] is False


@pytest.mark.parametrize("name", ["demo-server", "demo-client"])
def test_help_and_version(build, name):
    result = run(build, name, "--help")
    assert result.returncode == 0
    assert result.stdout.startswith("Usage: %s " % name)
    assert "--port" in result.stdout
    result = run(build, name, "--version")
    assert result.returncode == 0
    assert re.fullmatch(r"%s \(sdtkit\) \d+\.\d+.*\n" % name, result.stdout)


@pytest.mark.parametrize("name,args", [
    ("demo-server", []), ("demo-server", [".", "."]),
    ("demo-server", ["--port", "x", "."]),
    ("demo-server", ["--port", "65536", "."]),
    ("demo-server", ["--port", "-1", "."]),
    ("demo-server", ["--port", "", "."]),
    ("demo-server", ["--nonsense"]),
    ("demo-client", ["--files", "10x"]), ("demo-client", ["--size", "-1"]),
    ("demo-client", ["--port"]), ("demo-client", ["argument"]),
])
def test_wrong_command_line(build, name, args):
    result = run(build, name, *args)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(str(build)) or \
        result.stderr.startswith(name)


def test_server__taken_port(build, server):
    result = run(build, "demo-server", "--port", str(server.port),
                 server.directory)
    assert result.returncode == 1
    assert result.stdout == ""
    assert "cannot listen on 127.0.0.1:%d: Address already in use" \
        % server.port in result.stderr
    assert "--port" in result.stderr
    assert server.serves()


def test_server__bad_directory(build, tmp_path):
    (tmp_path / "file").write_text("")
    for name, reason in (("missing", "No such file or directory"),
                         ("file", "Not a directory")):
        result = run(build, "demo-server", "-p", "0", tmp_path / name)
        assert result.returncode == 1
        assert result.stdout == ""
        assert result.stderr == "demo-server: cannot serve '%s': %s\n" % (
            tmp_path / name, reason)


def test_server__unreadable_directory(build, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read every directory")
    tmp_path.chmod(0)
    result = run(build, "demo-server", "-p", "0", tmp_path)
    tmp_path.chmod(0o700)
    assert result.returncode == 1
    assert "Permission denied" in result.stderr


def test_server__listens_on_loopback_only(server):
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(
            socket.gethostname(), server.port, type=socket.SOCK_STREAM)}
    except socket.gaierror:     # the machine does not know its own name
        addresses = set()
    for address in ("127.0.0.2", "::1", *addresses - {"127.0.0.1"}):
        with pytest.raises(OSError):
            socket.create_connection((address, server.port), timeout=5)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_server__ends_with_its_children(server, signum):
    with server.login() as idle, server.connect() as fresh:
        idle.open("left-open", w.WRITE_DATA | w.DELETE, w.CREATE_NEW,
                  w.DELETE_ON_CLOSE)
        wait_until(lambda: len(server.children()) == 2, "two children")
        server.stop(signum)
        assert idle.closed() and fresh.closed()
    assert not list(server.directory.iterdir())


def test_server__killed_takes_children_along(server):
    with server.login() as connection:
        pid, = server.children()
        server.process.kill()
        server.process.wait(LIMIT)
        wait_until(lambda: not exists(pid), "child ended")
        assert connection.closed()


def test_server__reaps_children(server):
    for _ in range(5):
        server.login().sock.close()
    wait_until(server.idle, "children reaped")
    assert server.log == ""


def test_server__turns_away_the_101st(server):
    connections = [server.connect() for _ in range(101)]
    assert connections[100].closed()
    assert connections[99].login()
    for connection in connections:
        connection.sock.close()
    assert "client refused: 100 clients are served" in server.log
    wait_until(server.idle, "children reaped")
    assert server.serves()
