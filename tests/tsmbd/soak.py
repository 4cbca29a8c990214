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

import json
import os
import shutil
import signal
import subprocess
import time

from soaking import SOURCE, Scraper, Soaking, main
from soak_load import LIMIT, Load
from openmetrics import Metrics
from test_serve import Service, status_of

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
    r"the page is at \S+$",
    r"the configuration has been read again",
    r"incident", r"No space left on device", r"Disk quota exceeded",
    r"writes to .* again", r"written again",
]


class Soak(Soaking):
    EXPECTED = EXPECTED
    HEAD = ("minute    KiB of VmHWM  descriptors threads  history  scrapes "
            "in ms: median, p99, most; requests made, counted; lost\n"
            "       tracer  server")

    def __init__(self, args, folder):
        super().__init__(args, folder)
        self.name = "soak-%d" % os.getpid()
        self.load = Load(args.build, SOURCE, folder, self.name, args.seed)
        self.config = folder / "tsmbd.conf"
        self.write_config(20)
        self.service = Service(
            args.build / "lib" / "tsmbd" / "tsmbd", folder,
            "-n", self.name, "--config", self.config).begin()
        self.server_pid = self.service.server_pid()
        self.scraper = Scraper(
            args.port, self.broken,
            r"^(\w+_(?:total|count)(?:\{command=[^}]*\})?) ([0-9.]+)$")
        self.load.thread.start()

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

    def replay(self):
        subprocess.run(
            [self.service.process.args[0], "replay", "--history",
             self.disk / "history.db", "--from", "-10m", "--json"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=LIMIT)

    EVENTS = [burst, kill_server, upgrade_server, stop_tracer, replay, burst,
              reload, stop_server_process, Soaking.fill_disk, rotate_logs]

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

    def summary(self, elapsed, replayed):
        print("requests: %d; the history has %d of them" %
              (self.load.total(), replayed))
        print("processor: %.2f %% of one" % (100 * self.cpu / elapsed))

    def failed(self):
        return self.load.failure

    def end(self):
        self.service.end()
        self.load.end()


if __name__ == "__main__":
    main(Soak, __doc__, DISK, USER)
