# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd.service of the package under a systemd that runs: it starts, traces a
server that was there before and one that comes later, reads its configuration
again, comes back when it was killed, and stops."""

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
                  *layer.put(packages["tsmbd"]))
        for name, to in ("demo-server", "sbin/smbd"), ("demo-client", "bin"):
            shutil.copy(build / "examples" / "demo" / name,
                        layer.folder / "usr" / "local" / to)
        # the one that the package has made: the system makes it, too
        layer.run("userdel", "tsmbd")
        (layer.folder / "etc" / "tsmbd.conf").write_text(CONFIGURATION)
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


def show(system, name):
    return system.run("systemctl", "show", "--value", "-p", name,
                      "tsmbd").strip()


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
    user = service.run("id", "-u", "tsmbd").strip()
    group = show(service, "ControlGroup")
    pids = (service.group / group.lstrip("/") /
            "cgroup.procs").read_text().split()
    assert len(pids) == 2
    for pid in pids:
        status = pathlib.Path("/proc/%s/status" % pid).read_text()
        assert "Uid:" + ("\t" + user) * 4 in status
        assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status


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
