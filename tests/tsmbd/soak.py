# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd serve under load for an hour, with all that may happen to a service:
the server is killed and upgraded, the configuration is read again, a process
is stopped and goes on, logs are rotated, the disk is full for a while.

Each minute it prints what the two processes need, how long scrapes take, and
whether the metrics have the requests that the clients made. The exit status is
1 if something that docs/tsmbd-serve.md promises does not hold. Run as root,
after `./dev build`:

    python3 tests/tsmbd/soak.py [--minutes N] [--build DIRECTORY] [--help]
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCE / "tests"))

from soak_load import LIMIT, Load, wait_until   # noqa: E402
from openmetrics import Metrics                 # noqa: E402
from test_serve import Service, status_of       # noqa: E402

USER = "nobody"
HISTORY_MIB = 4         # so that an hour is more than fits
SAVE_MIB = 4
DISK = "40m"
MOST = 64 << 10         # KiB of both processes
COMMANDS = """negprot sesssetup logoff tcon tdis create close flush read write
lock ioctl cancel keepalive query_directory notify getinfo setinfo break
""".split()
# What it may say; anything else is a failure.
EXPECTED = [
    r"tracing .* from now on", r"has new files, tracing them from now on",
    r"the configuration has been read again",
    r"incident", r"No space left on device", r"Disk quota exceeded",
    r"writes to .* again", r"written again",
]


def ms_since(begin):
    return (time.perf_counter() - begin) * 1e3


class Scraper:
    """A scrape each second, unless the process that answers is stopped."""

    def __init__(self, port, broken):
        self.port, self.broken = port, broken
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
            r"^(\w+_(?:total|count)(?:\{command=[^}]*\})?) ([0-9.]+)$",
            data.decode(), re.MULTILINE)}
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


class Soak:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.failures = []
        self.happened = {}
        self.name = "soak-%d" % os.getpid()
        self.load = Load(args.build, SOURCE, folder, self.name, args.seed)
        self.disk = folder / "disk"
        self.config = folder / "tsmbd.conf"
        self.write_config(20)
        self.service = Service(
            args.build / "lib" / "tsmbd" / "tsmbd", folder,
            "-n", self.name, "--config", self.config).begin()
        self.server_pid = self.service.server_pid()
        self.scraper = Scraper(args.port, self.broken)
        self.incomplete = False     # the history

    def broken(self, text):
        if text not in self.failures:
            print("BROKEN: " + text, flush=True)
            self.failures.append(text)

    def write_config(self, top_series):
        self.config.write_text(
            "run-as = %s\nlisten = 127.0.0.1:%d\ntop-series = %d\n"
            "textfile = %s\nhistory = %s\nhistory-size = %d\n"
            "html = %s\nwhen = rate(*) > 20000 for 1s again 10m\n"
            "save = %s\nsave-size = %d\n" %
            (USER, self.args.port, top_series, self.disk / "metrics.prom",
             self.disk / "history.db", HISTORY_MIB, self.disk / "page.html",
             self.disk / "incidents", SAVE_MIB))
        self.config.chmod(0o644)

    def log(self):
        return self.service.log.read_text(errors="replace")

    def says_once_more(self, text, act):
        before = len(re.findall(text, self.log()))
        act()
        wait_until(lambda: len(re.findall(text, self.log())) > before, text)

    # --- what happens ---

    def burst(self):
        with self.load.paused:
            self.load.many()

    def kill_server(self):
        with self.load.paused:
            self.load.replace(signal.SIGKILL)

    def upgrade_server(self):
        with self.load.paused:
            self.says_once_more(
                "new files, tracing them",
                lambda: self.load.replace(signal.SIGTERM, exchange=True))

    def reload(self):
        self.write_config(20 + 10 * (self.happened.get("reload", 0) % 2))
        self.says_once_more(
            "has been read again",
            lambda: self.service.process.send_signal(signal.SIGHUP))

    def stop_tracer(self):
        self.service.process.send_signal(signal.SIGSTOP)
        time.sleep(self.args.stop)
        self.service.process.send_signal(signal.SIGCONT)

    def stop_server_process(self):
        with self.scraper.allowed:
            os.kill(self.server_pid, signal.SIGSTOP)
            time.sleep(self.args.stop)
            os.kill(self.server_pid, signal.SIGCONT)

    def rotate_logs(self):
        """As logrotate does with copytruncate."""
        self.check_log()
        shutil.copy(self.service.log, self.folder / "log.1")
        os.truncate(self.service.log, 0)
        self.reload()

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

    def replay(self):
        subprocess.run(
            [self.service.process.args[0], "replay", "--history",
             self.disk / "history.db", "--from", "-10m", "--json"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=LIMIT)

    EVENTS = [burst, kill_server, upgrade_server, stop_tracer, replay, burst,
              reload, stop_server_process, fill_disk, rotate_logs]

    # --- what has to hold ---

    def check_log(self):
        for line in self.log().splitlines():
            self.incomplete |= "history: cannot write" in line
            if not any(re.search(text, line) for text in EXPECTED):
                self.broken("it said: " + line)

    def history_size(self):
        return sum(path.stat().st_blocks
                   for path in self.disk.glob("history.db*")) * 512

    def needs(self):
        """For both processes: KiB at most, descriptors, threads."""
        for pid in self.service.pid, self.server_pid:
            status = status_of(pid)
            yield (int(status["VmHWM"].split()[0]),
                   len(os.listdir("/proc/%d/fd" % pid)),
                   int(status["Threads"]))

    def counted(self, metrics):
        return {name: int(value) for name, value in metrics.by(
            "smbd_requests_total", "command").items() if value}

    def expected(self):
        return {COMMANDS[opcode]: number
                for opcode, number in self.load.sent.items() if number}

    def metrics_of(self, sent):
        """(metrics, number of requests in them), as soon as that is ``sent``,
        or those after a minute: a report comes each second, if it can."""
        end = time.monotonic() + 60
        while True:
            metrics = Metrics(self.scraper.get(), False)
            counted = sum(self.counted(metrics).values())
            if counted == sent or time.monotonic() > end:
                return metrics, counted
            time.sleep(0.5)

    def report(self, minute):
        if self.service.process.poll() is not None:
            self.broken("the service has ended")
            return
        (memory, files, threads), (memory2, files2, threads2) = self.needs()
        median, p99, most = self.scraper.minute()
        with self.load.paused, self.scraper.allowed:
            sent = self.load.total()
            metrics, counted = self.metrics_of(sent)
        lost = metrics.by("tsmbd_lost_total", "what")
        history = self.history_size()
        print("%6s %7d %7d %4d/%-4d %3d/%-3d %8d %6.2f %6.2f %7.2f %10d %10d "
              " %s" % (
                  minute, memory, memory2, files, files2, threads, threads2,
                  history >> 10, median, p99, most, sent, counted,
                  " ".join("%s=%d" % (what, number) for what, number in
                           lost.items() if number) or "0"), flush=True)
        if sent != counted:
            self.broken("%d requests were made and %d counted" %
                        (sent, counted))
        if memory + memory2 > MOST:
            self.broken("the memory is %d KiB" % (memory + memory2))
        if history > HISTORY_MIB << 20:
            self.broken("the history takes %d bytes" % history)
        for what in "processes", "requests":
            if lost[what]:
                self.broken("%d %s are lost" % (lost[what], what))
        self.cpu = metrics.get("tsmbd_cpu_seconds_total")
        if self.load.failure:
            self.broken(self.load.failure)

    def finish(self):
        self.load.stop()
        self.scraper.ended.set()
        self.scraper.thread.join(LIMIT)
        self.service.process.send_signal(signal.SIGTERM)
        status = self.service.process.wait(LIMIT)
        self.check_log()
        if status != (1 if self.incomplete else 0):
            self.broken("its exit status is %d" % status)
        counted = self.counted(Metrics(
            (self.disk / "metrics.prom").read_bytes(), False))
        if counted != self.expected():
            self.broken("the last file of metrics has %s, and the clients "
                        "made %s" % (counted, self.expected()))
        replayed = json.loads(subprocess.run(
            [self.service.process.args[0], "replay", "--history",
             self.disk / "history.db", "--json"], check=True,
            stdout=subprocess.PIPE, timeout=LIMIT).stdout)
        if replayed["requests"] > self.load.total() or (
                not self.incomplete and
                replayed["requests"] != self.load.total()):
            self.broken("the history has %d requests" % replayed["requests"])
        return replayed["requests"]

    def run(self):
        print("minute    KiB of VmHWM  descriptors threads  history  scrapes "
              "in ms: median, p99, most; requests made, counted; lost\n"
              "       tracer  server", flush=True)
        begin = time.monotonic()
        self.load.thread.start()
        self.scraper.thread.start()
        self.report("begin")
        minute = number = 0
        end = begin + self.args.minutes * 60
        while time.monotonic() < end and not self.load.failure:
            event = self.EVENTS[number % len(self.EVENTS)]
            event(self)
            name = event.__name__
            self.happened[name] = self.happened.get(name, 0) + 1
            number += 1
            while time.monotonic() < min(begin + number * self.args.every,
                                         end):
                time.sleep(0.2)
                if time.monotonic() >= begin + (minute + 1) * 60:
                    minute += 1
                    self.report(minute)
        self.report("end")
        elapsed = time.monotonic() - begin
        replayed = self.finish()
        times = sorted(self.scraper.all_times)
        median = statistics.median(times)
        print("happened: " + ", ".join(
            "%s %d" % item for item in self.happened.items()))
        print("scrapes: %d, median %.2f ms, p99 %.2f ms, longest %.2f ms" % (
            len(times), median, times[len(times) * 99 // 100], times[-1]))
        print("requests: %d; the history has %d of them" %
              (self.load.total(), replayed))
        print("processor: %.2f %% of one" % (100 * self.cpu / elapsed))
        if median > self.args.scrape_ms:
            self.broken("a scrape takes %.1f ms" % median)


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=30,
                        help="seconds between events")
    parser.add_argument("--stop", type=float, default=5,
                        help="seconds that a process is stopped")
    parser.add_argument("--full", type=float, default=25,
                        help="seconds that the disk is full")
    parser.add_argument("--scrape-ms", type=float, default=10,
                        help="what the median of the scrapes may be")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path,
                        default=SOURCE / "build")
    args = parser.parse_args()
    args.port = free_port()
    if os.geteuid() != 0:
        sys.exit("soak.py: needs root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tsmbd-soak-"))
    folder.chmod(0o755)
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%s,mode=755" % DISK,
                    "tmpfs", disk], check=True)
    soak = None
    try:
        shutil.chown(disk, USER)
        soak = Soak(args, folder)
        soak.run()
    finally:
        if soak:
            soak.service.end()
            soak.load.end()
        subprocess.run(["umount", "-l", disk], check=True)
        shutil.rmtree(folder)
    print("broken promises: %d" % len(soak.failures))
    sys.exit(1 if soak.failures else 0)


if __name__ == "__main__":
    main()
