# SPDX-License-Identifier: BSD-2-Clause
"""What the soaks of tsmbd and of sdtkit serve share: a scrape each second,
events in turns, a disk that is full for a while, the log."""

import argparse
import http.client
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(SOURCE / "tests"), str(SOURCE / "tests" / "demo")]

from demo_server import LIMIT, wait_until   # noqa: E402
from ports import free_port                 # noqa: E402


def ms_since(begin):
    return (time.perf_counter() - begin) * 1e3


class Scraper:
    """A scrape each second, unless the process that answers is stopped. The
    pattern finds counters and their values."""

    def __init__(self, port, broken, pattern):
        self.port, self.broken, self.pattern = port, broken, pattern
        self.times, self.all_times = [], []
        self.last = {}
        self.allowed = threading.Lock()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def get(self, accept="*/*"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                timeout=LIMIT)
        try:
            connection.request("GET", "/metrics", headers={"Accept": accept})
            return connection.getresponse().read()
        finally:
            connection.close()

    def scrape(self):
        begin = time.perf_counter()
        data = self.get("application/openmetrics-text")
        self.times.append(ms_since(begin))
        now = {match.group(1): float(match.group(2)) for match in re.finditer(
            self.pattern, data.decode(), re.MULTILINE)}
        for name, value in now.items():
            if value < self.last.get(name, 0):
                self.broken("%s fell from %s to %s" %
                            (name, self.last[name], value))
        self.last = now

    def run(self):
        while not self.ended.wait(1):
            try:
                with self.allowed:
                    self.scrape()
            except (OSError, http.client.HTTPException) as error:
                self.broken("a scrape failed: %r" % error)

    def minute(self):
        """Median, 99th percentile and longest of the last minute, in ms."""
        times, self.times = sorted(self.times), []
        self.all_times += times
        if not times:
            return 0, 0, 0
        return (statistics.median(times), times[len(times) * 99 // 100],
                times[-1])


class Soaking:
    """A subclass has EVENTS, EXPECTED (what the log may say), HEAD (of the
    table), report(), finish(), summary(), failed() and end()."""

    SCRAPE_MS = 10      # of the clock, the median

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.failures = []
        self.happened = {}
        self.disk = folder / "disk"
        self.incomplete = False     # the history

    def broken(self, text):
        if text not in self.failures:
            print("BROKEN: " + text, flush=True)
            self.failures.append(text)

    def log(self):
        return self.service.log.read_text(errors="replace")

    def says_once_more(self, text, act):
        before = len(re.findall(text, self.log()))
        act()
        wait_until(lambda: len(re.findall(text, self.log())) > before, text)

    def fill_disk(self):
        filler = self.disk / "filler"
        end = time.monotonic() + self.args.full
        with filler.open("wb", buffering=0) as file:
            while time.monotonic() < end:
                try:
                    file.write(b"x" * 65536)
                except OSError:
                    time.sleep(0.2)
        filler.unlink()
        if "history: cannot write" in self.log():
            wait_until(lambda: re.search("history: writes to", self.log()),
                       "the history is written again")

    # --- what has to hold ---

    def check_log(self):
        for line in self.log().splitlines():
            self.incomplete |= "history: cannot write" in line
            if not any(re.search(text, line) for text in self.EXPECTED):
                self.broken("it said: " + line)

    def history_size(self):
        return sum(path.stat().st_blocks
                   for path in self.disk.glob("history.db*")) * 512

    def run(self):
        print(self.HEAD, flush=True)
        begin = time.monotonic()
        self.scraper.thread.start()
        self.report("begin")
        minute = number = 0
        end = begin + self.args.minutes * 60
        while time.monotonic() < end and not self.failed():
            event = self.EVENTS[number % len(self.EVENTS)]
            event(self)
            name = event.__name__
            self.happened[name] = self.happened.get(name, 0) + 1
            number += 1
            while True:
                if time.monotonic() >= begin + (minute + 1) * 60:
                    minute = int((time.monotonic() - begin) / 60)
                    self.report(minute)
                if time.monotonic() >= min(
                        begin + number * self.args.every, end):
                    break
                time.sleep(0.2)
        self.report("end")
        self.summary(time.monotonic() - begin, self.finish())
        times = self.scraper.all_times + self.scraper.times
        median = statistics.median(times)
        print("happened: " + ", ".join(
            "%s %d" % item for item in self.happened.items()))
        print("scrapes: %d, median %.2f ms, longest %.2f ms" % (
            len(times), median, max(times)))
        if median > self.args.scrape_ms:
            self.broken("a scrape takes %.1f ms" % median)


def main(kind, about, disk_size, user):
    """Runs a soak; its class is kind."""
    parser = argparse.ArgumentParser(description=about.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=30,
                        help="seconds between events")
    parser.add_argument("--stop", type=float, default=5,
                        help="seconds that a process is stopped")
    parser.add_argument("--full", type=float, default=25,
                        help="seconds that the disk is full")
    parser.add_argument("--scrape-ms", type=float, default=kind.SCRAPE_MS,
                        help="what the median of the scrapes may be")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path,
                        default=SOURCE / "build")
    args = parser.parse_args()
    args.port = free_port()
    if os.geteuid() != 0:
        sys.exit("soak.py: needs root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
    folder.chmod(0o755)
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%s,mode=755" % disk_size,
                    "tmpfs", disk], check=True)
    soak = None
    try:
        shutil.chown(disk, user)
        soak = kind(args, folder)
        soak.run()
    finally:
        if soak:
            soak.end()
        subprocess.run(["umount", "-l", disk], check=True)
        shutil.rmtree(folder)
    print("broken promises: %d" % len(soak.failures))
    sys.exit(1 if soak.failures else 0)
