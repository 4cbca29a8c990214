# SPDX-License-Identifier: BSD-2-Clause
"""The time of day jumps while the service runs: nothing is lost, nothing counts
twice, and there is no burst of reports."""

import json
import os
import shutil
import struct
import subprocess
import time

import pytest

from demo_server import LIMIT
from openmetrics import Metrics
from test_counts import by_opcode, operations, run_clients
from test_serve import NAME as SERVED, serve    # noqa: F401

DAY = 86400


@pytest.mark.thorough
def test_the_clock_is_set(program, serve, install,  # noqa: F811
                          open_directory, source, tmp_path):
    library = open_directory / "clock.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-Wall",
                    "-Werror", source / "tests" / "tsmbd" / "clock.c", "-o",
                    library], check=True)
    clock = open_directory / "clock"
    clock.write_bytes(struct.pack("l", 0))
    own = open_directory / "own"
    own.mkdir()
    shutil.chown(own, "nobody")
    server = install(name=SERVED)
    begin = time.monotonic()
    service = serve("--run-as", "nobody", "--history", own / "history",
                    "--textfile", own / "metrics.prom", "--html",
                    own / "page.html", "--when", "rate(*) > 1 for 1s",
                    env={"LD_PRELOAD": str(library),
                         "CLOCK_FILE": str(clock),
                         "ASAN_OPTIONS": "verify_asan_link_order=0"}).begin()
    sent = []
    for jump in 0, DAY, -DAY, 3600, 5:
        with clock.open("r+b", buffering=0) as file:
            file.write(struct.pack("l", jump))
        sent += run_clients(server)
        time.sleep(1.5)
    service.stop()
    elapsed = time.monotonic() - begin
    assert "cannot" not in service.log.read_text()
    m = Metrics((own / "metrics.prom").read_bytes(), False)
    expected = by_opcode(sent, "sent")
    assert m.sum("smbd_requests_total") == sum(expected.values())
    assert m.get("tsmbd_reports_total") <= elapsed + 1
    reported = m.get("tsmbd_last_report_time_seconds")
    assert abs(reported - time.time() - jump) < 60
    report = json.loads(subprocess.run(
        [program, "replay", "--history", own / "history", "--json"],
        stdout=subprocess.PIPE, check=True, timeout=LIMIT).stdout)
    assert operations(report, "count") == expected
