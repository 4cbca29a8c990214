# SPDX-License-Identifier: BSD-2-Clause
"""Performance Co-Pilot reads what tsmbd serves: by pmdaopenmetrics."""

import pathlib
import subprocess
import sys

import pytest

from exporter import HOSTILE, RATES
from pcp_run import PMDA, Pcp


@pytest.fixture
def pcp(need, free_port, tmp_path):
    """pcp({name: URL})"""
    programs = need("pmcd"), need("pminfo")
    need("python3-requests")
    assert pathlib.Path(PMDA).exists()
    made = []

    def make(urls):
        made.append(Pcp(*programs, tmp_path / "pcp", free_port(), urls))
        return made[-1]

    yield make
    for one in made:
        one.end()


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
