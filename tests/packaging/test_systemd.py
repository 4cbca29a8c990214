# SPDX-License-Identifier: BSD-2-Clause
"""The services of the packages under a systemd that runs: they start, trace a
server that was there before and one that comes later, read the configuration
again, come back when they were killed, and stop."""

import json
import pathlib
import re
import shutil

import pytest

from booted import Booted, cgroup2
from demo_server import wait_until
from tsmbd_run import lacks

METRICS = "http://127.0.0.1:10445/metrics"
CONFIGURATION = """listen = 127.0.0.1:10445
history = /var/lib/tsmbd/history.db
"""
SERVE, SOCKET = "sdtkit-serve", "sdtkit-serve.socket"
# the address is that of its socket
SERVE_CONFIGURATION = "history = /var/lib/sdtkit/history.db\n"
NEEDS = ["systemd", "systemd-sysv", "dbus", "libtevent0", "libtalloc2"]


@pytest.fixture(scope="module")
def system(bare_root, packages, build, tmp_path_factory, unavailable):
    reason = lacks(build / "lib" / "tsmbd" / "tsmbd")
    if reason:
        unavailable(reason)
    if cgroup2() is None:
        unavailable("no control groups of version 2 are mounted")
    folder = tmp_path_factory.mktemp("systemd")
    with bare_root.layer(folder / "layer") as layer:
        layer.run("apt-get", "install", "-y", "-q", *NEEDS,
                  *layer.put(*(packages[name] for name in (
                      "tsmbd", "sdtkit", "sdtkit-serve"))))
        for name, to in ("demo-server", "sbin/smbd"), ("demo-client", "bin"):
            shutil.copy(build / "examples" / "demo" / name,
                        layer.folder / "usr" / "local" / to)
        # those that the packages have made: the system makes them, too
        layer.run("userdel", "tsmbd")
        layer.run("userdel", "sdtkit")
        (layer.folder / "etc" / "tsmbd.conf").write_text(CONFIGURATION)
        (layer.folder / "etc/sdtkit/serve.conf").write_text(
            SERVE_CONFIGURATION)
        with Booted.start(layer.folder, folder / "log") as started:
            started.layer = layer.folder
            yield started


@pytest.fixture
def service(system):
    """The service, which has just been started."""
    system.run("systemctl", "restart", "tsmbd")
    yield system
    system.run("systemctl", "stop", "tsmbd")
    (system.layer / "etc" / "tsmbd.conf").write_text(CONFIGURATION)


@pytest.fixture
def serve(system):
    """serve(port): an smbd there, as a service of its own."""
    units = []

    def start(port):
        unit = "smbd-%d" % port     # an earlier test may have had it, too
        before = said(system, unit).count("listening")
        units.append(unit)
        system.run("systemd-run", "--quiet", "--unit", unit,
                   "/usr/local/sbin/smbd", "--port", str(port), "/srv")
        wait_until(lambda: said(system, unit).count("listening") > before,
                   "listens")
        return port

    yield start
    for unit in units:
        system.run("systemctl", "stop", unit)


@pytest.fixture
def smbd(serve):
    """The port of one that runs before the service does, if its test has
    this fixture first."""
    return serve(4450)


def said(system, unit):
    return system.run("journalctl", "-o", "cat", "--no-pager", "-u", unit)


def show(system, name, unit="tsmbd"):
    return system.run("systemctl", "show", "--value", "-p", name,
                      unit).strip()


def statuses(system, unit):
    """/proc/PID/status of its processes."""
    group = show(system, "ControlGroup", unit)
    return [pathlib.Path("/proc/%s/status" % pid).read_text() for pid in
            (system.group / group.lstrip("/") / "cgroup.procs"
             ).read_text().split()]


def check_rights(system, unit, user, count):
    number = system.run("id", "-u", user).strip()
    found = statuses(system, unit)
    assert len(found) == count
    for status in found:
        assert "Uid:" + ("\t" + number) * 4 in status
        assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status


def copies(system, port):
    """How many requests a client sends."""
    done = json.loads(system.run("/usr/local/bin/demo-client", "--port",
                                 str(port), "--files", "20", "--json"))
    return sum(row["sent"] for row in done["requests"].values())


def counted(system):
    return sum(int(value) for value in re.findall(
        r"^smbd_requests_total\{.*\} (\d+)$", system.get(METRICS), re.M))


def test_it_starts_without_rights(service):
    assert show(service, "ActiveState") == "active"
    assert "Tracing smbd" in service.run("systemctl", "status", "tsmbd")
    assert "tracing smbd from now on" in said(service, "tsmbd")
    check_rights(service, "tsmbd", "tsmbd", 2)


def test_an_smbd_from_before_and_a_later_one(smbd, service, serve):
    sent = copies(service, smbd)
    wait_until(lambda: counted(service) == sent, "counted")
    sent += copies(service, serve(4451))    # the same file
    wait_until(lambda: counted(service) == sent, "counted")
    assert service.get("http://127.0.0.1:10445/healthz") == "ok\n"


def test_reload(service):
    conf = service.layer / "etc" / "tsmbd.conf"
    conf.write_text(CONFIGURATION + "textfile = /run/tsmbd/smbd.prom\n")
    service.run("systemctl", "reload", "tsmbd")
    wait_until(lambda: "smbd.prom" in service.run("ls", "/run/tsmbd"),
               "a new file")
    before = show(service, "MainPID")
    conf.write_text("listen = nowhere\n")
    assert "failed" in service.run("systemctl", "reload", "tsmbd",
                                   check=False)
    assert show(service, "ActiveState") == "active"
    assert show(service, "MainPID") == before


def test_it_comes_back(smbd, service):
    before = show(service, "MainPID")
    service.run("systemctl", "kill", "--kill-who=main", "--signal=KILL",
                "tsmbd")
    wait_until(lambda: show(service, "ActiveState") == "active" and
               show(service, "MainPID") not in ("0", before), "started again")
    assert show(service, "NRestarts") == "1"
    sent = copies(service, smbd)
    wait_until(lambda: counted(service) == sent, "counted")


def test_its_end(service):
    service.run("systemctl", "stop", "tsmbd")
    assert (show(service, "ActiveState"), show(service, "Result"),
            show(service, "ExecMainStatus")) == ("inactive", "success", "0")
    listed = service.run("tsmbd", "replay", "--list",
                         "--history=/var/lib/tsmbd/history.db")
    assert len(listed.splitlines()) > 1
    assert service.run("stat", "-c", "%U:%G %a", "/var/lib/tsmbd/history.db"
                       ).split("\n")[0] == "tsmbd:tsmbd 640"


def spans_of(system, name="duration_seconds_count"):
    """Requests of smbd, in the metrics of sdtkit serve."""
    return [int(value) for value in re.findall(
        r'^sdtkit_spans?_%s\{program="smbd",.*span="request".*\} (\d+)$' % name,
        system.get(METRICS), re.M)]


def test_sdtkit_serve(system, serve):
    """It finds the server, counts it, comes back and stops."""
    unit = SERVE
    port = serve(4452)
    system.run("systemctl", "enable", "--now", unit)
    assert system.run("systemctl", "is-enabled", SOCKET) == "enabled\n"
    wait_until(lambda: spans_of(system, "in_progress"), "smbd is found")
    check_rights(system, unit, "sdtkit", 2 + len(re.findall(
        "counting", said(system, unit))))
    sent = copies(system, port)
    wait_until(lambda: sum(spans_of(system)) == sent, "counted")
    before = show(system, "MainPID", unit)
    system.run("systemctl", "kill", "--kill-who=main", "--signal=KILL", unit)
    wait_until(lambda: show(system, "ActiveState", unit) == "active" and
               show(system, "MainPID", unit) not in ("0", before),
               "started again")
    wait_until(lambda: spans_of(system, "in_progress"), "smbd is found again")
    system.run("systemctl", "reload", unit)
    system.run("systemctl", "stop", SOCKET)     # and with it the service
    assert (show(system, "ActiveState", unit), show(system, "Result", unit)
            ) == ("inactive", "success")
    assert system.run("stat", "-c", "%U:%G %a", "/var/lib/sdtkit/history.db"
                      ).split("\n")[0] == "sdtkit:sdtkit 640"


def test_the_socket_of_sdtkit_serve(system):
    """Who connects starts the service. The socket stays when it is started
    again, and an address in the configuration is refused."""
    conf = system.layer / "etc/sdtkit/serve.conf"
    system.run("systemctl", "start", SOCKET)
    assert show(system, "ActiveState", SERVE) == "inactive"
    since = show(system, "ActiveEnterTimestampMonotonic", SOCKET)
    assert system.get("http://127.0.0.1:10445/healthz") == "ok\n"
    before = show(system, "MainPID", SERVE)
    system.run("systemctl", "restart", SERVE)
    assert show(system, "MainPID", SERVE) not in ("0", before)
    assert show(system, "ActiveEnterTimestampMonotonic", SOCKET) == since
    assert system.get("http://127.0.0.1:10445/healthz") == "ok\n"
    assert "serves metrics and the page at " + SOCKET in said(system, SERVE)
    conf.write_text("listen = 127.0.0.1:1\n")
    assert "failed" in system.run("systemctl", "reload", SERVE, check=False)
    assert "'systemctl edit %s'" % SOCKET in said(system, SERVE)
    conf.write_text(SERVE_CONFIGURATION)
    system.run("systemctl", "restart", SOCKET, SERVE)
    assert show(system, "ActiveState", SERVE) == "active"
    system.run("systemctl", "stop", SOCKET)
    assert show(system, "ActiveState", SERVE) == "inactive"
