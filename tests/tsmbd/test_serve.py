# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd serve: its privileges, its messages, and what it survives."""

import json
import os
import pwd
import random
import re
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from actor import Actor, compile_actor
from demo_server import LIMIT, Installed, wait_until
from ending import ending
from openmetrics import Metrics
from serving import has_no_http, make_certificate
from test_counts import by_opcode, operations, run_clients
from programs import which

# A name that no other process has; the kernel keeps 15 letters.
NAME = "served-%d" % os.getpid()

# What docs/tsmbd-serve.md says that the process that traces keeps.
DAC_READ_SEARCH, SYS_PTRACE, SYS_ADMIN = 2, 19, 21


class Notify:
    """The socket of a service manager."""

    def __init__(self, path):
        self.path = str(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(LIMIT)
        path.chmod(0o777)

    def wait_for(self, text):
        """Waits for a datagram that has the text."""
        while text not in self.socket.recv(4096).decode():
            pass


class Service:
    def __init__(self, program, directory, *options, env=None, **kwargs):
        self.notify = Notify(directory / "notify")
        self.log = directory / "log of tsmbd"
        kwargs.setdefault("stderr", self.log.open("a"))
        self.process = subprocess.Popen(
            [program, "serve", "-n", NAME, *options],
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, NOTIFY_SOCKET=self.notify.path,
                     TSMBD_SEARCH_MS="500", **(env or {})), **kwargs)
        self.pid = self.process.pid

    def begin(self):
        self.notify.socket.settimeout(1)
        for _ in range(LIMIT):
            try:
                self.notify.wait_for("READY=1")
                break
            except socket.timeout:
                assert self.process.poll() is None, self.log.read_text()
        self.notify.socket.settimeout(LIMIT)
        return self

    def says(self, text):
        wait_until(lambda: re.search(text, self.log.read_text()), text)

    def server_pid(self):
        """The process that serves: the child of the one that traces."""
        with open("/proc/%d/task/%d/children" % (self.pid, self.pid)) as file:
            pid, = file.read().split()
        return int(pid)

    def stop(self, status=0):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(LIMIT) == status, self.log.read_text()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.notify.socket.close()


@pytest.fixture
def serve(program, privileged, open_directory):
    yield from ending(lambda *options, **kwargs: Service(
        program, open_directory, *options, **kwargs))


def status_of(pid):
    with open("/proc/%d/status" % pid) as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file
                    if ":\t" in line)


def is_dropped(pid, user, capabilities):
    status = status_of(pid)
    mask = sum(1 << bit for bit in capabilities)
    assert set(status["Uid"].split()) == {str(pwd.getpwnam(user).pw_uid)}
    assert set(status["Gid"].split()) == {str(pwd.getpwnam(user).pw_gid)}
    assert status["Groups"].strip() == ""
    for name in ("CapEff", "CapPrm", "CapBnd"):
        assert int(status[name], 16) == mask, (name, status[name])
    for name in ("CapInh", "CapAmb"):
        assert int(status[name], 16) == 0, (name, status[name])
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"


@pytest.fixture
def kernel(monkeypatch):
    """kernel(name): one that lacks it."""
    def lack(name):
        monkeypatch.setenv("TSMBD_OLD_KERNEL", name)
    return lack


@pytest.mark.parametrize("lacks", [
    "", pytest.param("uprobe", marks=pytest.mark.thorough)])
def test_privileges(program, serve, install, kernel, lacks, open_directory):
    """After them, an smbd that is new, or upgraded, is traced still."""
    kept = [DAC_READ_SEARCH, SYS_PTRACE]
    if lacks:
        kernel(lacks)
    if lacks or not os.environ.get("TSMBD_OLD_KERNEL", "call")[:4] == "call":
        kept.append(SYS_ADMIN)
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    history = own / "history.db"
    service = serve("--run-as", "nobody", "--history", history).begin()
    is_dropped(service.pid, "nobody", kept)
    is_dropped(service.server_pid(), "nobody", ())
    sent = []
    for folder in "one", "two":
        server = install(folder)
        service.says("new files, tracing them from now on: .*" +
                     str(server.path))
        sent += run_clients(server)
    service.stop()
    report = json.loads(subprocess.run(
        [program, "replay", "--history", history, "--json"],
        stdout=subprocess.PIPE, check=True, timeout=LIMIT).stdout)
    assert operations(report, "count") == by_opcode(sent, "sent")


def low_port():
    """One that nobody listens on, for which most kernels want root."""
    ports = list(range(600, 1001))
    random.shuffle(ports)   # another run of the tests looks for one, too
    for port in ports:
        with socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind(("127.0.0.1", port))
                return port
            except PermissionError:
                pytest.skip("no port below 1024 is allowed here")
            except OSError:
                pass
    raise AssertionError("no port is free")


@pytest.mark.thorough
def test_a_low_port(program, serve):
    """The capability for it is gone when somebody can connect."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    port = low_port()
    service = serve("--run-as", "nobody", "--listen",
                    "127.0.0.1:%d" % port).begin()
    is_dropped(service.server_pid(), "nobody", ())

    def is_served():
        try:
            with urllib.request.urlopen("http://127.0.0.1:%d/healthz" %
                                        port) as answer:
                return answer.read() == b"ok\n"
        except urllib.error.HTTPError:      # no report yet
            return False
    wait_until(is_served, "served")
    service.stop()


def test_other_users(program, privileged, tmp_path):
    result = subprocess.run([program, "serve", "--run-as", "no-such-user"],
                            stderr=subprocess.PIPE, universal_newlines=True,
                            timeout=LIMIT)
    assert result.returncode == 1
    assert result.stderr == ("tsmbd: there is no user 'no-such-user': give "
                             "another one with --run-as\n"
                             "Try 'tsmbd --help'.\n")
    result = subprocess.run([program, "serve", "--run-as", "root"],
                            stderr=subprocess.PIPE, universal_newlines=True,
                            timeout=LIMIT)
    assert result.returncode == 1 and "cannot be root" in result.stderr


def test_a_root_that_cannot_become_another_user(program, unavailable):
    """--run-as was not given: the message says what is missing."""
    if os.geteuid() != 0 or not which("setpriv"):
        unavailable("needs root and setpriv, to give capabilities up")
    result = subprocess.run(
        ["setpriv", "--bounding-set=-setuid,-setgid", "--inh-caps=-all", "--",
         program, "serve", "--listen=127.0.0.1:0"], timeout=LIMIT,
        stderr=subprocess.PIPE, universal_newlines=True)
    assert result.returncode == 1
    assert re.search("cannot become the user '(tsmbd|nobody)': Operation not "
                     "permitted: start tsmbd with CAP_SETUID and CAP_SETGID",
                     result.stderr)


def test_a_service_prints_no_reports(program):
    result = subprocess.run([program, "serve", "-i", "1"], timeout=LIMIT,
                            stderr=subprocess.PIPE, universal_newlines=True)
    assert result.returncode == 1
    assert "the service prints no reports" in result.stderr


def test_smbd_comes_and_goes(serve, install, build, tmp_path):
    """It is not there at the start, ends, and is started again."""
    service = serve().begin()
    server = install()
    service.says("tracing them from now on: .*" + str(server.path))
    run_clients(server)
    server.stop()
    again = Installed(build, server.path, tmp_path)
    run_clients(again)
    again.stop()
    again.process.stdout.close()
    assert service.process.poll() is None
    service.stop()
    assert "cannot" not in service.log.read_text()


def test_watchdog(serve):
    service = serve(env={"WATCHDOG_USEC": "900000"}).begin()
    for _ in range(3):
        service.notify.wait_for("WATCHDOG=1")
    service.process.send_signal(signal.SIGTERM)
    service.notify.wait_for("STOPPING=1")
    assert service.process.wait(LIMIT) == 0


@pytest.mark.thorough
def test_the_watchdog_of_somebody_else(serve):
    service = serve(env={"WATCHDOG_USEC": "100000",
                         "WATCHDOG_PID": "1"}).begin()
    service.notify.socket.settimeout(1)
    with pytest.raises(socket.timeout):
        service.notify.wait_for("WATCHDOG=1")
    service.stop()


@pytest.mark.thorough
def test_a_stopped_server_is_not_alive(serve):
    """The watchdog is about both processes."""
    service = serve(env={"WATCHDOG_USEC": "600000"}).begin()
    pid = service.server_pid()
    service.notify.wait_for("WATCHDOG=1")
    os.kill(pid, signal.SIGSTOP)
    service.notify.socket.settimeout(2)
    with pytest.raises(socket.timeout):
        for _ in range(20):
            service.notify.wait_for("WATCHDOG=1")
    os.kill(pid, signal.SIGCONT)
    service.notify.wait_for("WATCHDOG=1")
    service.stop()


@pytest.mark.thorough
def test_a_server_that_dies(serve):
    """Both end, so that the service is started again."""
    service = serve().begin()
    os.kill(service.server_pid(), signal.SIGKILL)
    assert service.process.wait(LIMIT) == 1
    assert "was ended by signal 9" in service.log.read_text()


@pytest.mark.thorough
def test_a_tracer_that_dies(serve):
    service = serve().begin()
    pid = service.server_pid()
    service.process.kill()
    service.process.wait(LIMIT)
    wait_until(lambda: not os.path.exists("/proc/%d" % pid), "ended")


def test_what_a_tracer_that_dies_has_counted(program, serve, install,
                                             open_directory):
    """The other process writes what it has, with the names of the minute."""
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    history = own / "history.db"
    server = install()
    metrics = own / "metrics.prom"
    service = serve("--run-as", "nobody", "--history", history,
                    "--textfile", metrics).begin()
    sent = run_clients(server)
    total = sum(by_opcode(sent, "sent").values())
    wait_until(lambda: metrics.exists() and total == Metrics(
        metrics.read_bytes(), False).sum("smbd_requests_total"),
               "a report has it")
    pid = service.server_pid()
    service.process.kill()
    service.process.wait(LIMIT)
    wait_until(lambda: not os.path.exists("/proc/%d" % pid), "ended")
    report = json.loads(subprocess.run(
        [program, "replay", "--history", history, "--json", "--top=shares"],
        stdout=subprocess.PIPE, check=True, timeout=LIMIT).stdout)
    assert operations(report, "count") == by_opcode(sent, "sent")
    assert report["top"]["shares"][0]["name"] == "demo", report["top"]


@pytest.mark.thorough
def test_a_server_that_does_not_end(serve):
    service = serve().begin()
    pid = service.server_pid()
    os.kill(pid, signal.SIGSTOP)
    service.stop(status=1)
    service.says("does not end within 10 s: it is killed")
    assert not os.path.exists("/proc/%d" % pid)


@pytest.mark.thorough
def test_a_server_that_takes_nothing(serve, build, source, tmp_path,
                                     open_directory):
    """A report with a thousand names is more than the socket takes."""
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    actor = compile_actor(build, source, tmp_path / NAME)
    with subprocess.Popen([actor, "from:0", "many:20000", "hold",
                           "again:1000000"],
                          stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        service = serve("--run-as", "nobody", "--history",
                        own / "history").begin()
        pid = service.server_pid()
        os.kill(pid, signal.SIGSTOP)
        for _ in range(3):
            process.stdin.write(b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"hold\n"
            time.sleep(1)
        service.stop(status=1)
        process.kill()
    service.says("does not end within 10 s: it is killed")
    assert not os.path.exists("/proc/%d" % pid)


@pytest.mark.thorough
def test_stop_and_continue(serve, install):
    service = serve().begin()
    server = install()
    service.says("tracing them from now on")
    service.process.send_signal(signal.SIGSTOP)
    run_clients(server)
    time.sleep(2)
    service.process.send_signal(signal.SIGCONT)
    run_clients(server)
    service.stop()


def test_priorities_in_the_journal(serve):
    service = serve(env={"JOURNAL_STREAM": "1:2"}).begin()
    os.kill(service.server_pid(), signal.SIGKILL)
    assert service.process.wait(LIMIT) == 1
    lines = service.log.read_text().splitlines()
    assert lines == [
        "<4>tsmbd: the service makes nothing: set listen, textfile, history, "
        "html or when",
        "<6>tsmbd: tracing %s from now on: all that run now or later" % NAME,
        "<4>tsmbd: the process that serves was ended by signal 9"]


@pytest.mark.thorough
def test_closed_streams(serve, install):
    def close_all():
        for fd in range(3):
            os.close(fd)

    service = serve(stderr=subprocess.DEVNULL, preexec_fn=close_all).begin()
    run_clients(install())
    os.kill(service.pid, signal.SIGHUP)
    time.sleep(1)
    assert service.process.poll() is None
    service.stop()


@pytest.mark.thorough
def test_a_reader_of_messages_that_has_gone(serve, install):
    reader, writer = os.pipe()
    service = serve(stderr=writer)
    os.close(writer)
    service.begin()
    os.close(reader)
    run_clients(install())
    time.sleep(1)
    service.stop()


@pytest.fixture
def configured(serve, open_directory):
    path = open_directory / "tsmbd.conf"
    path.write_text("run-as = nobody\n")
    path.chmod(0o644)
    service = serve("--config", path).begin()
    service.config = path
    return service


def reload(service, text, says):
    service.config.write_text(text)
    service.process.send_signal(signal.SIGHUP)
    service.says(says)


def test_reload(configured):
    reload(configured, "# nothing\nrun-as = nobody\n",
           "the configuration has been read again")
    assert "take effect" not in configured.log.read_text()
    for line in ("top = clients", "when = p99(READ) > 1s for 1s"):
        configured.log.write_text("")
        reload(configured, "run-as = nobody\n%s\n" % line,
               "take effect when tsmbd is started again")
    configured.stop()


@pytest.mark.thorough
def test_reload_of_privacy(configured):
    """The tracer hides names: who asks for it later must be told."""
    reload(configured, "run-as = nobody\nprivacy = hash\n",
           "take effect when tsmbd is started again: what is traced, "
           "incidents, privacy,")
    configured.stop()


def test_reload_of_a_wrong_file(configured):
    reload(configured, "run-as = nobody\nnonsense = 1\n",
           "tsmbd.conf:2: unknown key 'nonsense'")
    configured.says("the configuration has not been changed")
    configured.config.unlink()
    configured.process.send_signal(signal.SIGHUP)
    configured.says("cannot read the configuration: No such file")
    reload(configured, "run-as = nobody\n",
           "the configuration has been read again")
    configured.stop()


@pytest.fixture
def full_disk(open_directory):
    """A file system of 2 MiB that belongs to the user of the service."""
    path = open_directory / "small"
    path.mkdir()
    result = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", path])
    if result.returncode != 0:
        pytest.skip("no file system can be mounted here")
    shutil.chown(path, "nobody")
    yield path
    subprocess.run(["umount", "-l", path], check=True)


def messages(service):
    return [line for line in service.log.read_text().splitlines()
            if " from now on" not in line]


def test_a_full_disk(program, serve, install, full_disk):
    """It says so once, goes on, and records again when there is space."""
    server = install()
    service = serve("--run-as", "nobody", "--history", full_disk / "h.db",
                    "--history-size", "1").begin()
    filler = full_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        with pytest.raises(OSError):
            while True:
                file.write(b"x" * 4096)
    run_clients(server)
    service.says("No space left on device")
    time.sleep(3)
    run_clients(server)
    time.sleep(2)
    # it may find room for a moment, and say so
    said = messages(service)
    full = sum("No space left on device" in line for line in said)
    again = sum(bool(re.search("history: writes to .* again", line))
                for line in said)
    assert full + again == len(said) and full == again + 1 <= 2, said
    assert service.process.poll() is None
    filler.unlink()
    time.sleep(2)
    service.says("history: writes to .* again")
    begin = time.time()
    sent = run_clients(server)

    def replayed():
        done = subprocess.run(
            [program, "replay", "--history", full_disk / "h.db", "--json",
             "--from", "@%f" % begin], stdout=subprocess.PIPE, timeout=LIMIT)
        return done.stdout != b"" and json.loads(done.stdout)["requests"]

    wait_until(lambda: replayed() == sum(by_opcode(sent, "sent").values()),
               "recorded")
    # not everything was written
    service.stop(status=1)


@pytest.mark.thorough
def test_a_page_on_a_full_disk(serve, full_disk):
    """The last write of the page finds room, those before it did not."""
    service = serve("--run-as", "nobody", "--html",
                    full_disk / "page.html").begin()
    time.sleep(2)
    with (full_disk / "filler").open("wb", buffering=0) as file:
        while os.statvfs(full_disk).f_bavail > 4:
            file.write(b"x" * 4096)
    service.stop(status=1)
    service.says("page.html: No space left on device")
    assert not (full_disk / "page.html").exists()


def test_reload_of_a_sink(configured, open_directory):
    """What it is told changes at once, and its files are the user's."""
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    for name in ("a.prom", "b.prom"):
        reload(configured, "run-as = nobody\ntextfile = %s\n" % (own / name),
               "the configuration has been read again")
        wait_until((own / name).exists, "written")
    assert (own / "b.prom").stat().st_uid == pwd.getpwnam("nobody").pw_uid
    configured.stop()


def status_of_page(path):
    headers, _ = get(path, "/")
    return headers.split()[1].decode()


def get(path, page):
    """The head of the answer, and its body."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(LIMIT)
        sock.connect(str(path))
        sock.sendall(b"GET %s HTTP/1.0\r\n\r\n" % page.encode())
        answer = b"".join(iter(lambda: sock.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return head, body


def names_in(box):
    return {box["name"]}.union(*map(names_in, box.get("children", [])))


@pytest.mark.thorough
def test_samples_while_somebody_looks(serve, build, source, open_directory,
                                      tmp_path, program):
    """The tracer takes them when the page is read, and not before."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    listening = own / "http"
    actor = Actor(compile_actor(build, source, tmp_path / NAME), tmp_path,
                  "client:ipv4:10.9.9.9:9", "begin:9", "spin:60000", "end:0")
    service = serve("--run-as", "nobody", "--html", own / "page.html",
                    "--html-flame", "--listen", "unix:%s" % listening).begin()
    actor.go()
    wait_until(listening.exists, "a page")

    def flame():
        data = json.loads(get(listening, "/data.json")[1])
        return data["flame"]

    assert flame() is None
    wait_until(flame, "a flame graph")
    wait_until(lambda: "spin_for" in names_in(flame()["tree"]), "samples")
    assert flame()["tree"]["count"] == flame()["samples"] > 0
    actor.process.kill()
    actor.process.wait()
    service.stop()


@pytest.mark.thorough
def test_reload_of_the_page(configured, open_directory, program):
    """A page that is not wanted any more is not served any more."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    always = "run-as = nobody\nlisten = unix:%s\n" % (own / "http")
    page = "html = %s\n" % (own / "page.html")
    for text, status in ((page, "200"), ("", "404"), (page, "200")):
        reload(configured, always + text,
               "the configuration has been read again")
        wait_until((own / "http").exists, "listens")
        wait_until(lambda: status_of_page(own / "http") == status, status)
    configured.stop()


def certificate_at(port):
    return ssl.get_server_certificate(("127.0.0.1", port))


def test_reload_of_certificates(configured, open_directory, program,
                                free_port):
    """They are renewed each few weeks; the options are the same."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    port = free_port()
    own = open_directory / "own"
    own.mkdir()
    text = "run-as = nobody\nlisten = 127.0.0.1:%d\ntls-cert = %s\n" \
        "tls-key = %s\n" % (port, own / "cert", own / "key")
    seen = set()
    for count in range(2):
        make_certificate(own)
        shutil.chown(own / "key", "nobody")
        configured.log.write_text("")
        reload(configured, text, "the configuration has been read again")
        wait_until(lambda: (own / "cert").read_text() ==
                   certificate_at(port), "the new one")
        seen.add(certificate_at(port))
    assert len(seen) == 2
    (own / "key").write_text("nonsense")
    for line in "", "top-series = 3\n":
        configured.log.write_text("")
        reload(configured, text + line, "not a certificate and its key")
        configured.says("has not been changed")
        assert certificate_at(port) in seen
    configured.stop()


def listening_socket(port):
    """The inode of the socket, or None."""
    with open("/proc/net/tcp") as file:
        rows = [line.split() for line in file][1:]
    inodes = [row[9] for row in rows if row[3] == "0A" and
              row[1] == "0100007F:%04X" % port]
    return inodes[0] if inodes else None


@pytest.mark.thorough
def test_a_reload_refuses_nobody(configured, program, free_port):
    """The socket is not closed if another option has changed."""
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    port = free_port()
    text = "run-as = nobody\nlisten = 127.0.0.1:%d\ntop-series = %d\n"
    reload(configured, text % (port, 20), "has been read again")
    first = listening_socket(port)
    configured.log.write_text("")
    reload(configured, text % (port, 10), "has been read again")
    assert first and listening_socket(port) == first
    configured.stop()


@pytest.mark.thorough
def test_descriptors(serve):
    """Each upgrade of smbd needs more of them."""
    def lower():
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    service = serve(preexec_fn=lower).begin()
    with open("/proc/%d/limits" % service.pid) as file:
        limit, = [line for line in file if line.startswith("Max open files")]
    assert limit.split()[3:5] == [str(hard)] * 2
    service.stop()


@pytest.mark.thorough
def test_reload_of_what_cannot_be_opened(configured, open_directory):
    """It says why, goes on as before, and takes the next file."""
    text = "run-as = nobody\nlisten = unix:%s\n"
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    good = own / "good"
    reload(configured, text % good, "the configuration has been read again")
    wait_until(good.exists, "listening")
    for count, (wrong, why) in enumerate((
            (text % configured.config, "is not a socket"),
            (text % good + "auth = /nonexistent/users\n",
             "tsmbd.conf:3: auth=/nonexistent/users: No such file"),
            (text % good + "history = %s\n" % configured.config,
             "the user nobody cannot open .*: Permission denied"))):
        reload(configured, wrong, why)
        configured.says("(?s)(has not been changed.*){%d}" % (count + 1))
        assert good.exists()
    other = own / "other"
    reload(configured, text % other, "the configuration has been read again")
    wait_until(other.exists, "listening")
    assert not good.exists()
    configured.stop()
