# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve at a socket that systemd has opened, and its units."""

import contextlib
import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd"), str(TESTS / "top")]

from demo_server import LIMIT, wait_until               # noqa: E402
from served import passing, user_of_service             # noqa: E402
from serving import hash_of                             # noqa: E402
from test_counted import sdtkit, serve                  # noqa: E402,F401
from test_unit import analyze                           # noqa: E402
from programs import which                              # noqa: E402

UNIT = "sdtkit-serve.socket"
NOBODY = "--only=a-program-of-nobody"


@pytest.fixture
def listening():
    """What systemd keeps, whatever becomes of the service."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock


@pytest.fixture
def folder():
    """That the user of the service may read."""
    with tempfile.TemporaryDirectory(prefix="sdtkit-serve-") as name:
        os.chmod(name, 0o755)
        yield pathlib.Path(name)


@pytest.fixture
def refused(sdtkit, tmp_path):
    """refused([socket...], option...): why the service ends."""
    def run(sockets, *options):
        command, numbers = passing(sockets, [sdtkit, "serve", NOBODY,
                                             *options])
        done = subprocess.run(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True,
                              timeout=LIMIT, pass_fds=numbers)
        assert done.returncode == 1, done.stderr
        return done.stderr
    return run


def has(pid, sock):
    """Whether a process has the socket."""
    own = os.fstat(sock.fileno())
    found = []
    for path in pathlib.Path("/proc/%d/fd" % pid).iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(path.stat())
    return any(os.path.samestat(own, other) for other in found)


def test_it_outlives_the_service(serve, listening):
    """Who connects while no service runs waits for the next one."""
    first = serve(NOBODY, passed=listening)
    assert b"sdtkit_build_info" in first.get("/metrics")
    assert not has(first.process.pid, listening)
    assert any(has(pid, listening) for pid in first.children())
    host, port = listening.getsockname()
    assert "the page is at http://%s:%d/\n" % (host, port) \
        in first.log.read_text()
    assert first.end() == 0
    client = http.client.HTTPConnection(host, port, timeout=LIMIT)
    client.request("GET", "/healthz")
    serve(NOBODY, passed=listening)
    assert client.getresponse().read() == b"ok\n"


def test_reload(serve, listening, folder):
    """What is opened anew is at the same socket. 'listen' is refused."""
    config = folder / "serve.conf"
    config.write_text("")
    service = serve(NOBODY, "--socket=" + UNIT, "--config=%s" % config,
                    passed=listening)
    config.write_text("textfile = %s\n" % (service.folder / "metrics.prom"))
    service.process.send_signal(signal.SIGHUP)
    service.says("the configuration has been read again")
    wait_until((service.folder / "metrics.prom").exists, "a new file")
    assert service.get("/metrics")
    config.write_text("listen = 127.0.0.1:1\n")
    service.process.send_signal(signal.SIGHUP)
    service.says("serve.conf:1: listen=127.0.0.1:1: systemd opens the socket "
                 "of this service: leave listen out, and change the address "
                 "with 'systemctl edit %s'" % UNIT)
    service.says("the configuration has not been changed")
    assert service.get("/metrics")


def test_a_unix_socket(serve):
    """systemd removes its file, if anybody does."""
    with tempfile.TemporaryDirectory() as name, \
            socket.socket(socket.AF_UNIX) as sock:
        sock.bind(name + "/socket")
        sock.listen()
        service = serve(NOBODY, passed=sock)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(LIMIT)
            client.connect(name + "/socket")
            client.sendall(b"GET /healthz HTTP/1.0\r\nHost: a.b\r\n\r\n")
            with client.makefile("rb") as answer:
                assert answer.read().endswith(b"\r\n\r\nok\n")
        assert service.end() == 0
        assert os.path.exists(name + "/socket")


@pytest.mark.parametrize("kind, address", [
    (socket.SOCK_DGRAM, ("127.0.0.1", 0)), (socket.SOCK_STREAM, None)])
def test_no_listening_socket(refused, kind, address):
    with socket.socket(socket.AF_INET, kind) as sock:
        if address:
            sock.bind(address)
        assert ("descriptor 3, which systemd has passed, is not a listening "
                "stream socket") in refused([sock], "--socket=" + UNIT)


def test_a_file(refused):
    with tempfile.TemporaryFile() as file:
        assert "descriptor 3, which systemd has passed, is not" in \
            refused([file])


def test_what_is_refused(refused, listening, tmp_path):
    config = tmp_path / "serve.conf"
    config.write_text("#\nlisten = [::1]\n")
    edit = "leave %slisten out, and change the address with 'systemctl edit %s'"
    assert "systemd has passed 2 sockets, and only one can be served" in \
        refused([listening, listening])
    assert edit % ("--", UNIT) in refused(
        [listening], "--socket=" + UNIT, "--listen=[::1]")
    assert edit % ("--", "UNIT.socket") in refused([listening],
                                                  "--listen=[::1]")
    for option in (), ("--check-config",):
        text = refused([], "--socket=" + UNIT, "--config=%s" % config, *option)
        assert "serve.conf:2: listen=[::1]: " in text
        assert edit % ("", UNIT) in text
    with socket.create_server(("0.0.0.0", 0)) as sock:
        assert "--listen=0.0.0.0:%d: everybody in the network could read" % \
            sock.getsockname()[1] in refused([sock], "--socket=" + UNIT)


def test_none_is_passed(refused, sdtkit, serve, listening):
    """Or to another process: then it is not ours."""
    why = ("--socket=%s: systemd has passed no socket: start the service by "
           "systemctl, or use --listen" % UNIT)
    assert why in refused([], "--socket=" + UNIT)
    others = {"LISTEN_PID": "1", "LISTEN_FDS": "1"}
    assert serve(NOBODY, env=dict(os.environ, **others)).get("/metrics")


def test_the_plan(sdtkit, folder):
    """systemd passes no socket to those who check the configuration. What needs
    an address is not refused."""
    config, users = folder / "serve.conf", folder / "users"
    config.write_text("auth = %s\n" % users)
    users.write_text("x:%s\n" % hash_of("x"))
    users.chmod(0o600)
    os.chown(users, user_of_service().pw_uid, -1)
    done = subprocess.run(
        [sdtkit, "serve", "--check-config", "--socket=" + UNIT,
         "--config=%s" % config], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=LIMIT)
    assert "the configuration is good" in done.stdout, done.stdout
    assert ("  serves metrics and the page at %s, to who has a password\n" %
            UNIT) in done.stdout


@pytest.fixture
def units(build, tmp_path):
    """The units, as verify wants them: with a program that exists."""
    if which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    text = (build / "lib/tool/serve/sdtkit-serve.service").read_text()
    service = tmp_path / "sdtkit-serve.service"
    service.write_text(re.sub(r"=\S*/sdtkit ", "=/bin/true ", text))
    source = TESTS.parent / "lib/tool/serve" / UNIT
    (tmp_path / UNIT).write_text(source.read_text())
    return [service, tmp_path / UNIT]


def test_the_units(units):
    """No man page is installed here, which it says."""
    result = analyze("verify", *units)
    assert [line for line in result.stdout.splitlines()
            if "sdtkit-serve" in line and "'man " not in line] == []
    result = analyze("security", "--offline=yes", units[0])
    level = re.search(r"Overall exposure level .*: ([0-9.]+)", result.stdout)
    assert level and float(level.group(1)) <= 1.5, result.stdout
