# SPDX-License-Identifier: BSD-2-Clause
"""Who may connect to --listen, what they get, and what they cannot do."""

import base64
import concurrent.futures
import contextlib
import http.client
import os
import resource
import signal
import socket
import ssl
import stat
import subprocess
import threading
import time

import pytest

from demo_server import LIMIT, wait_until
from openmetrics import Metrics
from serving import hash_of, make_certificate
from test_serve import listening_socket


@pytest.fixture
def program(build):
    """It serves as tsmbd does, and traces nothing."""
    path = build / "tests" / "tsmbd" / "metrics-server"
    if not path.exists():
        pytest.skip("tsmbd was not built: needs libbpf, clang and bpftool")
    done = subprocess.run([path, "--listen=unix:/none/x"], timeout=LIMIT,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if "without libmicrohttpd" in done.stderr:
        pytest.skip(done.stderr)
    return path


@pytest.fixture
def started(program):
    """started(option...): the process that serves."""
    running = []

    def start(*options, stderr=None):
        process = subprocess.Popen([program, *options],
                                   stdout=subprocess.PIPE, stderr=stderr,
                                   universal_newlines=True)
        running.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in running:
        process.terminate()
        assert process.wait(LIMIT) == 0
        process.stdout.close()


@pytest.fixture
def serve(started, free_port):
    """serve(option...): the address at which it serves."""
    def start(*options, host="127.0.0.1"):
        port = free_port()
        name = "[%s]" % host if ":" in host else host
        start.process = started("--listen=%s:%d" % (name, port), *options)
        return host, port
    return start


def request(address, method="GET", path="/metrics", headers=(), context=None):
    """Returns the answer and its body."""
    if context is None:
        connection = http.client.HTTPConnection(*address, timeout=LIMIT)
    else:
        connection = http.client.HTTPSConnection(*address, timeout=LIMIT,
                                                 context=context)
    try:
        connection.request(method, path, headers=dict(headers))
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def is_good(data):
    return len(Metrics(data, False)) > 500


def test_methods_and_pages(serve):
    address = serve()
    answer, data = request(address)
    assert answer.status == 200 and is_good(data)
    assert answer.headers["Connection"] == "close"
    head, nothing = request(address, "HEAD")
    assert head.status == 200 and nothing == b""
    assert int(head.headers["Content-Length"]) > 10000
    assert request(address, path="/healthz")[1] == b"ok\n"
    for path in "/none", "/metrics/", "//metrics", "/%00", "/../metrics":
        answer, text = request(address, path=path)
        assert answer.status == 404
        assert set(text.decode().split(": ")[1].split()) >= {
            "/metrics", "/healthz"}
    assert request(address, path="/metrics?a=b")[0].status == 200
    for method in "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "GETX":
        answer, _ = request(address, method)
        assert answer.status == 405 and "GET" in answer.headers["Allow"]


def test_names_of_others(serve, passwords):
    """A page of theirs may not read ours: their name may be 127.0.0.1."""
    def status(address, host, **headers):
        return request(address, headers=dict(headers, Host=host))[0].status

    address = serve()
    for host in "evil.example", "evil.example:80", "127.0.0.1.example", "1.2":
        assert status(address, host) == 403, host
    for host in "127.0.0.1:10445", "localhost", "alpha:80", "[::1]:1", "":
        assert status(address, host) == 200, host
    address = serve("--auth=%s" % passwords)
    assert status(address, "smb.example", **authorize("prom:right")) == 200


def test_ipv6(serve):
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    assert is_good(request(serve(host="::1"))[1])


def ask(path):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(LIMIT)
        sock.connect(str(path))
        sock.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        return b"".join(iter(lambda: sock.recv(65536), b""))


def test_a_unix_socket(started, tmp_path):
    path = tmp_path / "metrics.sock"
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    process = started("--listen=unix:%s" % path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o660
    head, _, body = ask(path).partition(b"\r\n\r\n")
    assert b" 200 OK" in head and is_good(body)
    process.terminate()
    assert process.wait(LIMIT) == 0
    assert not path.exists()


@pytest.fixture
def refused(program):
    """refused(option...): the message with which it ends."""
    def run(*options):
        done = subprocess.run([program, *options], capture_output=True,
                              text=True, timeout=LIMIT)
        assert (done.returncode, done.stdout) == (1, "")
        return done.stderr
    return run


@pytest.mark.parametrize("address", [
    "", "localhost:1", "1.2.3.4:x", "127.0.0.1:", "127.0.0.1:99999999",
    "127.0.0.1:65536", "[::1]:99999",
    "[::1", "[::1]x", ":9", "unix:", "unix:relative", "::1:1:", "[]:1",
    "127.0.0.1:-1", "a" * 300])
def test_addresses_that_are_wrong(refused, address):
    assert "--listen" in refused("--listen=" + address)


def test_what_cannot_be_opened(refused, tmp_path):
    (tmp_path / "file").touch()
    with socket.socket() as sock, socket.socket(socket.AF_UNIX) as local:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        assert "cannot bind: Address already in use" in refused(
            "--listen=127.0.0.1:%d" % sock.getsockname()[1])
        local.bind(str(tmp_path / "socket"))
        local.listen()
        assert "another process listens there" in refused(
            "--listen=unix:%s/socket" % tmp_path)
    assert "is not a socket" in refused("--listen=unix:%s/file" % tmp_path)
    assert "use a shorter path" in refused("--listen=unix:/" + "a" * 120)


def test_the_network_needs_a_password(refused):
    for address in "0.0.0.0:0", "[::]:0":
        assert "use --auth=FILE, or --no-auth" in refused(
            "--listen=" + address)


def test_the_network_without_a_password(serve):
    address = serve("--no-auth", host="0.0.0.0")
    assert is_good(request(("127.0.0.1", address[1]))[1])


@pytest.fixture
def passwords(tmp_path):
    path = tmp_path / "users"
    path.write_text("# who\n\nprom:%s\nother:%s\n" %
                    (hash_of("right"), hash_of("x:y")))
    path.chmod(0o600)
    return path


def authorize(text):
    return {"Authorization": "Basic " +
            base64.b64encode(text.encode()).decode()}


def test_passwords(serve, passwords):
    address = serve("--auth=%s" % passwords)
    for path in "/metrics", "/healthz", "/none":
        answer, data = request(address, path=path)
        assert answer.status == 401 and b"smbd" not in data
        assert answer.headers["WWW-Authenticate"] == (
            'Basic realm="metrics-server"')
    for good in "prom:right", "other:x:y", "prom:right":
        answer, data = request(address, headers=authorize(good))
        assert answer.status == 200 and is_good(data)
    for bad in ("prom:wrong", "prom:", "nobody:right", ":", "prom",
                "other:right", "prom:right" + "x" * 5000):
        answer, data = request(address, headers=authorize(bad))
        # too many wrong ones in a second are not even looked at
        assert answer.status in (401, 429, 431) and b"smbd" not in data
    for header in "Basic", "Basic ====", "Bearer x", "Basic " + "A" * 9000:
        assert request(address, headers={"Authorization": header})[0].status \
            in (401, 431)
    # one that was right once is never refused
    for _ in range(30):
        request(address, headers=authorize("prom:no"))
        assert request(address, headers=authorize("prom:right"))[0].status \
            == 200


def test_guesses_do_not_keep_out_others(serve, passwords):
    """There is a limit for each address."""
    address = serve("--auth=%s" % passwords)
    ended = threading.Event()
    answers = []

    def guess():
        while not ended.is_set():
            connection = http.client.HTTPConnection(
                *address, timeout=LIMIT, source_address=("127.0.0.2", 0))
            connection.request("GET", "/metrics",
                               headers=authorize("prom:guess"))
            answers.append(connection.getresponse().status)
            connection.close()

    thread = threading.Thread(target=guess)
    thread.start()
    wait_until(lambda: 429 in answers, "refused")
    for good in "prom:right", "other:x:y":
        assert request(address, headers=authorize(good))[0].status == 200
    ended.set()
    thread.join(LIMIT)


def test_files_of_passwords_that_are_wrong(refused, tmp_path):
    path = tmp_path / "users"
    options = "--listen=127.0.0.1:0", "--auth=%s" % path
    assert "No such file" in refused(*options)
    for text, says in (("", "no line of the form user:hash"),
                       ("prom", "users:1: use a line of the form user:hash"),
                       ("\n:x", "users:2: use a line of the form user:hash"),
                       ("prom:plain", "users:1: not a hash that crypt(5)"),
                       ("x" * 70000, "larger than 64 KiB")):
        path.write_text(text)
        path.chmod(0o640)
        assert says in refused(*options)
    path.chmod(0o644)
    assert "others may read or change the file" in refused(*options)


def test_it_is_opened_again(serve, passwords):
    """tsmbd serve does so at SIGHUP, if an option has changed."""
    address = serve("--auth=%s" % passwords)
    good = authorize("prom:right")
    reads = 0
    for i in range(12):
        m = Metrics(request(address, headers=good)[1], False)
        assert m.get("smbd_requests_total", command="read") >= reads
        reads = m.get("smbd_requests_total", command="read")
        before = listening_socket(address[1])
        serve.process.send_signal(signal.SIGHUP)
        wait_until(lambda: listening_socket(address[1]) not in (None, before),
                   "opened again")
        # each password is tried once, and not too often in a second
        wait_until(lambda: serves(address, good), "it serves")
    passwords.write_text("prom:%s\n" % hash_of("new"))
    serve.process.send_signal(signal.SIGHUP)
    new = authorize("prom:new")
    wait_until(lambda: serves(address, new), "read again")
    # or too many have been tried in this second
    assert request(address, headers=good)[0].status in (401, 429)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    directory = tmp_path_factory.mktemp("tls")
    make_certificate(directory)
    return directory / "cert", directory / "key"


def test_tls(serve, certificate):
    cert, key = certificate
    address = serve("--tls-cert=%s" % cert, "--tls-key=%s" % key)
    context = ssl.create_default_context(cafile=str(cert))
    answer, data = request(address, context=context)
    assert answer.status == 200 and is_good(data)
    with pytest.raises((http.client.HTTPException, OSError)):
        request(address)


def test_tls_needs_both_files(refused, certificate, tmp_path):
    cert, key = certificate
    listen = "--listen=127.0.0.1:0"
    assert "given together" in refused(listen, "--tls-cert=%s" % cert)
    assert "given together" in refused(listen, "--tls-key=%s" % key)
    shown = tmp_path / "shown"
    shown.write_bytes(key.read_bytes())
    shown.chmod(0o644)
    assert "others may read" in refused(listen, "--tls-cert=%s" % cert,
                                        "--tls-key=%s" % shown)


def memory(process):
    with open("/proc/%d/statm" % process.pid) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def reports(address):
    return Metrics(request(address)[1], False).get("tsmbd_reports_total")


@pytest.mark.thorough
def test_a_storm(serve):
    address = serve()
    reports(address)
    before = memory(serve.process)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: request(address), range(800)))
    assert all(answer.status == 200 for answer, _ in answers)
    assert memory(serve.process) < before + (16 << 20)
    first = reports(address)
    wait_until(lambda: reports(address) > first + 5, "reports go on")


def closed(sock):
    """Waits until the other side has closed it."""
    sock.settimeout(LIMIT)
    try:
        return sock.recv(65536) == b""
    except ConnectionResetError:
        return True


@pytest.mark.thorough
def test_those_who_are_slow(serve):
    """They send a byte now and then, or nothing, or do not read."""
    address = serve()
    request(address)
    slow = [socket.create_connection(address) for _ in range(8)]
    for sock in slow[:4]:
        sock.sendall(b"GET /metrics HTTP/1.1\r\n")
    for sock in slow[4:6]:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        sock.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    # others are served meanwhile
    answer, data = request(address)
    assert answer.status == 200 and is_good(data)
    ended = set()
    end = time.monotonic() + LIMIT
    while len(ended) < 4 and time.monotonic() < end:
        for sock in set(slow[:4]) - ended:
            try:
                sock.sendall(b"X")
            except OSError:
                ended.add(sock)
        time.sleep(0.2)
    assert len(ended) == 4
    assert all(closed(sock) for sock in slow[6:])
    for sock in slow:
        sock.close()
    assert request(address)[0].status == 200


@pytest.mark.thorough
def test_too_many_connections(serve):
    address = serve()
    request(address)
    many = [socket.create_connection(address) for _ in range(100)]
    for sock in many[::2]:
        with contextlib.suppress(OSError):
            sock.sendall(b"GET /metrics HTTP/1.1\r\n")
    # one that is idle gives way
    assert request(address)[0].status == 200
    for sock in many[:80]:
        assert closed(sock)
    for sock in many:
        sock.close()
    assert request(address)[0].status == 200


def serves(address, headers=()):
    try:
        return request(address, headers=headers)[0].status == 200
    except (http.client.HTTPException, OSError):
        return False


NOT_HTTP = {
    "zeros": b"\0" * 5000, "lines": b"\r\n" * 10000,
    "a long path": b"GET " + b"/" * 100000 + b" HTTP/1.1\r\n\r\n",
    "a version": b"GET /metrics HTTP/9.9\r\n\r\n",
    "headers": b"GET /metrics HTTP/1.1\r\n" + b"A: b\r\n" * 20000,
    "a body": b"POST /metrics HTTP/1.1\r\nHost: x\r\n"
              b"Content-Length: 99999999\r\n\r\n",
    "TLS": b"\x16\x03\x01" + b"x" * 3000,
}


@pytest.mark.parametrize("what", sorted(NOT_HTTP))
def test_what_is_not_http(serve, what):
    address = serve()
    data = NOT_HTTP[what]
    with socket.create_connection(address, timeout=LIMIT) as sock:
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(65536):
                pass
        except OSError:
            pass
    assert request(address)[0].status == 200


def test_a_textfile_that_was_never_written(program, tmp_path):
    """There is no old file then. The first byte does not fit."""
    path = tmp_path / "tsmbd.prom"
    process = subprocess.Popen(
        [program, "--textfile=%s" % path], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True,
        preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))))
    process.stdout.readline()
    process.terminate()
    _, message = process.communicate(timeout=LIMIT)
    assert message == ("metrics-server: --textfile=%s: it cannot be written: "
                       "File too large\n" % path)


def test_a_textfile_on_a_full_disk(program, tmp_path):
    """A limit of the size of files stands for the disk."""
    path = tmp_path / "tsmbd.prom"
    process = subprocess.Popen(
        [program, "--textfile=%s" % path], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True,
        preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))
    assert process.stdout.readline() == "ready\n"
    before = path.read_bytes()
    assert is_good(before) and stat.S_IMODE(path.stat().st_mode) == 0o644
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1000, 1000))
    process.terminate()
    _, message = process.communicate(timeout=LIMIT)
    assert message == ("metrics-server: --textfile=%s: the old file stays: "
                       "File too large\n" % path)
    assert process.returncode == 0 and path.read_bytes() == before
    assert os.listdir(str(tmp_path)) == ["tsmbd.prom"]
