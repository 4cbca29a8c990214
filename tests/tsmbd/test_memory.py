# SPDX-License-Identifier: BSD-2-Clause
"""The memory of the service, whatever clients do.

SDTKIT_REQUESTS is how many requests are made: 10000000 takes some minutes.
"""

import json
import os
import shutil
import signal
import subprocess

from actor import compile_actor
from demo_server import LIMIT
from serving import has_no_http
from test_serve import NAME, serve, status_of   # noqa: F401

REQUESTS = int(os.environ.get("SDTKIT_REQUESTS", "300000"))
MOST = 64 << 10     # KiB, of both processes


def peak(pid):
    return int(status_of(pid)["VmHWM"].split()[0])


def test_many_names(serve, build, source,  # noqa: F811
                    open_directory, tmp_path, program):
    """10,000 clients and 100,000 files."""
    history = open_directory / "history"
    history.mkdir()
    shutil.chown(history, "nobody")
    listening = "unix:%s" % (history / "metrics")
    metrics = [] if has_no_http(program) else ["--listen", listening]
    metrics += ["--textfile", history / "metrics.prom"]
    actor = compile_actor(build, source, tmp_path / NAME)
    with subprocess.Popen([actor, "client:ipv4:10.9.9.9:9", "many:%d" %
                           REQUESTS], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        service = serve("--run-as", "nobody", "--history", history,
                        "--when", "p99(CREATE) > 3600s for 60s",
                        *metrics).begin()
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"done\n"
        peaks = peak(service.pid), peak(service.server_pid())
        process.stdin.close()
    print("\nVmHWM: tracer %d KiB, server %d KiB" % peaks)
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(LIMIT) == 0
    assert sum(peaks) <= MOST, peaks
    replayed = subprocess.run(
        [program, "replay", "--history", history, "--json"], check=True,
        stdout=subprocess.PIPE, timeout=LIMIT).stdout
    report = json.loads(replayed)
    assert report["requests"] == REQUESTS, report["lost"]
