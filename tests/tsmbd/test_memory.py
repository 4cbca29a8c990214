# SPDX-License-Identifier: BSD-2-Clause
"""The memory of the service, whatever clients do.

SDTKIT_REQUESTS is how many requests are made: 10000000 takes some minutes.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest

from actor import compile_actor
from demo_server import LIMIT
from serving import has_no_http
from test_serve import NAME, serve, status_of   # noqa: F401

REQUESTS = int(os.environ.get("SDTKIT_REQUESTS", "300000"))
MOST = 64 << 10     # KiB, of both processes
HOURS = 6 * 3600    # that the page shows


def peak(pid):
    return int(status_of(pid)["VmHWM"].split()[0])


def make_history(build, path, seconds):
    """What a busy server has recorded up to now."""
    subprocess.run([build / "tests" / "tsmbd" / "tsmbd-history-make", path,
                    str(seconds)], check=True, timeout=5 * LIMIT)
    for one in path, path.parent:
        shutil.chown(one, "nobody")


def read_page(path, paths):
    """Reads pages as long as the socket is there; notes their sizes."""
    while path.exists():
        for page in b"/", b"/data.json", b"/metrics":
            with socket.socket(socket.AF_UNIX) as one:
                try:
                    one.connect(str(path))
                    one.sendall(b"GET %s HTTP/1.0\r\n\r\n" % page)
                    with one.makefile("rb") as file:
                        paths[page] = len(file.read())
                except OSError:     # it has ended
                    return
        time.sleep(1)


def slow_down(process, ended):
    """Stops it most of the time, so that 300,000 requests take half a minute.
    Each second of that still has the 2048 names that are counted."""
    while not ended.wait(0.005):
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.05)
        process.send_signal(signal.SIGCONT)


@pytest.mark.thorough
def test_many_names(serve, build, source,  # noqa: F811
                    open_directory, tmp_path, program):
    """10,000 clients and 100,000 files, and all that a service can have; six
    hours of a busy server are in the page already."""
    own = open_directory / "own"
    own.mkdir()
    history = own / "history.db"
    make_history(build, history, HOURS)
    begin = time.time()
    listening = "unix:%s" % (own / "metrics")
    serves = not has_no_http(program)
    metrics = ["--listen", listening] if serves else []
    metrics += ["--textfile", own / "metrics.prom"]
    page = ["--html", own / "page.html"]
    page += ["--html-flame"] if serves else []
    saved = ["--save", own / "saved"]
    actor = compile_actor(build, source, tmp_path / NAME)
    with subprocess.Popen([actor, "client:ipv4:10.9.9.9:9", "many:%d" %
                           REQUESTS], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        service = serve("--run-as", "nobody", "--history", history,
                        "--when", "p99(CREATE) > 3600s for 60s",
                        *saved, *page, *metrics).begin()
        sizes = {}
        reader = threading.Thread(target=read_page, args=(
            own / "metrics", sizes))
        reader.start()
        process.stdin.write(b"\n")
        process.stdin.flush()
        ended = threading.Event()
        slower = threading.Thread(target=slow_down, args=(process, ended),
                                  daemon=True)
        slower.start()
        assert process.stdout.readline() == b"done\n"
        ended.set()
        slower.join()
        peaks = peak(service.pid), peak(service.server_pid())
        process.stdin.close()
    print("\nVmHWM: tracer %d KiB, server %d KiB" % peaks)
    service.process.send_signal(signal.SIGTERM)
    assert service.process.wait(LIMIT) == 0
    reader.join(LIMIT)
    print("bytes read:", sizes)
    assert not serves or sizes[b"/data.json"] > 1000000
    assert sum(peaks) <= MOST, peaks
    replayed = subprocess.run(
        [program, "replay", "--history", history, "--json",
         "--from", "@%d" % begin], check=True,
        stdout=subprocess.PIPE, timeout=LIMIT).stdout
    report = json.loads(replayed)
    assert report["requests"] == REQUESTS, report["lost"]
