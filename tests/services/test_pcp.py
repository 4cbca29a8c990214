# SPDX-License-Identifier: BSD-2-Clause
"""Performance Co-Pilot reads what tsmbd serves: by pmdaopenmetrics."""

import json
import pathlib
import subprocess
import sys
import urllib.request

import pytest

from demo_server import LIMIT, Server, wait_until
from ending import ending
from exporter import HOSTILE, RATES
from openmetrics import Metrics
from pcp_run import PMDA, Pcp
from tsmbd_run import Tsmbd


@pytest.fixture
def pcp(need, free_port, tmp_path):
    """pcp({name: URL})"""
    programs = need("pmcd"), need("pminfo")
    need("python3-requests")
    assert pathlib.Path(PMDA).exists()
    yield from ending(lambda urls: Pcp(*programs, tmp_path / "pcp",
                                       free_port(), urls))


def test_names(pcp, source, started, free_port):
    """What hostile clients are called, PCP calls them, too."""
    port = free_port()
    exporter = started(
        sys.executable, "-B", source / "tests" / "services" / "exporter.py",
        "127.0.0.1", port, stdout=subprocess.PIPE)
    assert exporter.stdout.readline() == "listens\n"
    daemon = pcp({"fs1": "http://127.0.0.1:%d/metrics" % port})
    daemon.wait_for("openmetrics.fs1.smbd_requests_total")
    assert set(daemon.values("openmetrics.fs1.smbd_requests_total")) == {
        "command:" + name for name in RATES}
    assert set(daemon.values("openmetrics.fs1.smbd_share_requests_total")) == {
        "share:" + name for name in HOSTILE}
    assert daemon.values("openmetrics.fs1.smbd_connections") == {"": 3}


def scrape(url):
    with urllib.request.urlopen(url, timeout=LIMIT) as answer:
        return Metrics(answer.read(), False).samples


def stable(samples):
    """What does not change while no client is there, and has one label at
    most: {name: {label: value}}."""
    return {name: {",".join("%s:%s" % pair for pair in key): value
                   for key, value in series.items()}
            for name, series in samples.items()
            if name.startswith("smbd_") and "process" not in name
            and all(len(key) < 2 for key in series)}


def test_each_value_is_that_of_tsmbd(pcp, build, program, free_port, tmp_path):
    server = Server(build, tmp_path / "served", tmp_path / "log")
    port = free_port()
    url = "http://127.0.0.1:%d/metrics" % port
    tracer = Tsmbd(program, "-p", str(server.pid), "-i", "1", "--json",
                   "--listen=127.0.0.1:%d" % port,
                   into=tmp_path / "reports")
    try:
        report = server.client("--json", "--files", "20")
        assert report.returncode == 0, report.stderr
        wait_until(server.idle, "children reaped")
        sent = sum(request["sent"] for request in
                   json.loads(report.stdout)["requests"].values())
        wait_until(lambda: sum(scrape(url)["smbd_requests_total"].values()) ==
                   sent, "counted")
        daemon = pcp({"fs1": url})
        daemon.wait_for("openmetrics.fs1.smbd_requests_total")
        expected = stable(scrape(url))
        assert "smbd_received_bytes_total" in expected
        for name, values in expected.items():
            if values:
                assert daemon.values("openmetrics.fs1." + name) == values, name
    finally:
        tracer.end()
        server.stop()
        server.process.stdout.close()
