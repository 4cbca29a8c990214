# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve under load for an hour, with all that may happen to a service
and to the programs that it counts: they are killed, upgraded and stopped, its
own processes are, the disk is full, hundreds of programs start and end, some
have 10,000 names, and others lie.

Four programs are under load: the demo server, PostgreSQL, and of
examples/servers Redis and Mosquitto, which `./dev server redis mosquitto` has
built. Each minute it prints what the processes need, how long scrapes take,
and whether the metrics have what the programs did. The exit status is 1 if
something that docs/serve.md promises does not hold. Run as root, after
`./dev build`:

    SDTKIT_ALL=1 python3 tests/serve/soak.py [--minutes N] [--help]
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests" / place) for place in (
    "services", "serve", "tsmbd", "demo")]

import hostile                                          # noqa: E402
import serve_truth                                      # noqa: E402
from openmetrics import Metrics                         # noqa: E402
from soak_load import Load                              # noqa: E402
from soaking import LIMIT, Scraper, Soaking, main, wait_until   # noqa: E402
from served import COUNT, Service, user_of_service      # noqa: E402

DISK = "40m"
HISTORY_MIB = 8
MOST = 64 << 10         # KiB of all processes, with so many workers:
WORKERS = 5             # of four programs, and of the one with many clients
WORKER = 9 << 10        # KiB for each more: programs come and go
PROCESSOR_MS = 10       # of a scrape, for 2,000 series
NAMES = 10000
AT_ONCE = 5             # of the programs that start and end


def pss(pid):
    """KiB; 0 for a process that has ended."""
    try:
        text = pathlib.Path("/proc/%d/smaps_rollup" % pid).read_text()
    except OSError:
        return 0
    return int(re.search(r"^Pss:\s+(\d+)", text, re.M).group(1))


def processor_ms(pid):
    return sum(int((thread / "schedstat").read_text().split()[0])
               for thread in pathlib.Path("/proc/%d/task" % pid).iterdir()
               ) / 1e6


class Programs:
    """Programs of hostile.py that say how often they hit their span."""

    def __init__(self, folder):
        self.folder, self.made = folder, hostile.make(folder / "made")
        self.running = []

    def start(self, name, *words):
        copy = self.folder / name
        if not copy.exists():
            shutil.copy(self.made, copy)
        self.running.append(subprocess.Popen(
            [copy, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        assert self.running[-1].stdout.readline() == b"ready\n"
        return self.running[-1]

    def hit(self, process, count):
        process.stdin.write(b"x" * count)
        process.stdin.flush()

    def end(self, process):
        self.running.remove(process)
        process.stdin.close()
        process.wait(LIMIT)
        process.stdout.close()

    def end_all(self):
        while self.running:
            self.end(self.running[0])


class Soak(Soaking):
    # what it may say; anything else is a failure
    EXPECTED = [
        r"tracing .* from now on", r"counting \S+$", r"the page is at \S+$",
        r"\S+: via=kernel$", r"\S+ has ended$",
        r"another one begins anew", r"incident", r"No space left on device",
        r"writes to .* again", r"written again", r"read again",
        r"liar\S*( is not counted| is not traced|: )",
        r"there were too many messages"]
    # the four servers leave no processor idle: PROCESSOR_MS decides
    SCRAPE_MS = float("inf")
    HEAD = "minute  KiB of PSS  workers  descriptors  series  ms of a scrape " \
        "(processor)  made      counted   lost"

    def __init__(self, args, folder):
        super().__init__(args, folder)
        self.mark = "%d" % os.getpid()
        self.name = "demo" + self.mark
        self.service, self.base, self.lost = None, {}, 0
        self.failure, self.number, self.hits = None, 0, {}
        self.most = 0, 0, 0     # of a minute: of the limit, KiB, workers
        self.load = Load(args.build, SOURCE, folder, self.name, args.seed)
        (folder / "programs").mkdir()
        self.programs = Programs(folder / "programs")
        self.others = self.start_others()
        self.lie()
        self.start_service()
        self.scraper = Scraper(
            self.port, self.broken,
            r"^(\w+_(?:total|count)(?:\{[^}]*\})?) ([0-9.]+)$")
        self.load.thread.start()
        threading.Thread(target=self.watch, daemon=True).start()
        self.busy = [threading.Thread(target=self.keep_busy, args=(one,),
                                      daemon=True) for one in self.others]
        for thread in self.busy:
            thread.start()

    # --- the programs ---

    def start_others(self):
        """Those of serve_truth.py that are here, but for the demo server."""
        others = []
        for kind in serve_truth.chosen():
            if kind is not serve_truth.Demo:
                place = self.folder / kind.name
                place.mkdir(mode=0o755)
                others.append(kind(self.args.build, place))
                others[-1].start()
        return others

    def keep_busy(self, server):
        """Its clients come and go; these are only load."""
        while not self.load.ended.is_set():
            try:
                if isinstance(server, serve_truth.PostgreSQL):
                    server.cluster.pgbench("-c", "2", "-t", "200")
                else:
                    server.running.load(200)
            except (AssertionError, OSError, ValueError) as error:
                self.failure = "%s: %r" % (server.name, error)
                return
            self.load.ended.wait(1)

    def lie(self):
        for case, (said, sites, notes) in hostile.CASES.items():
            if said:
                hostile.make(self.folder / "programs" / ("liar" + case),
                             sites, notes)
                self.programs.start("liar" + case)

    def write_config(self):
        """The demo server has a section, so that its file is traced at any
        time: what comes between two looks is counted, too."""
        path = self.folder / "serve.conf"
        path.write_text(
            "slow = 20\nhistory = %s\nhistory-size = %d\n"
            "save = %s\nsave-size = 4\nwhen = rate(%s:request) > 20000 for 1s "
            "again 10m\n[%s]\nfile = %s\nspan = smb2:request\n" % (
                self.disk / "history.db", HISTORY_MIB, self.disk / "saved",
                self.name, self.name, self.load.path) + "".join(
                "[%s]\nfile = %s\n" % (one.name, one.file)
                for one in self.others))
        path.chmod(0o644)
        return path

    # --- the service ---

    def start_service(self):
        self.service = Service(self.args.build / "lib" / "tool" / "sdtkit",
                               self.folder, "--config=%s" %
                               self.write_config())
        self.port = int(self.service.address.rpartition(":")[2])
        self.base = self.made()
        # the server and the actor
        wait_until(lambda: self.log().count("%s: via=" % self.name) > 1,
                   "both are counted")
        self.wait_attached(self.name)
        self.server_pid, = [pid for pid in self.service.children()
                            if self.is_server(pid)]

    def is_server(self, pid):
        """It alone listens. A worker may end meanwhile."""
        with contextlib.suppress(FileNotFoundError):
            return any(os.readlink(link).startswith("socket:") and
                       self.listens(os.readlink(link)) for link in
                       pathlib.Path("/proc/%d/fd" % pid).iterdir())
        return False

    def listens(self, link):
        line = ":%04X 00000000:0000 0A" % self.port
        return any(line in row and row.split()[9] == link[8:-1] for row in
                   pathlib.Path("/proc/net/tcp").read_text().splitlines())

    def pids(self):
        return [self.service.process.pid, *self.service.children()]

    def made(self):
        """By program: how many spans there were."""
        return dict(self.hits, **{self.name: self.load.total()})

    @contextlib.contextmanager
    def paused(self):
        """Nothing is under way that is counted exactly."""
        with self.load.paused:
            self.wait_counted()
            yield

    def counted(self):
        return {name: int(sum(number for _, number in self.service.samples(
            COUNT, program=name))) for name in self.made()}

    def expected(self):
        return {name: number - self.base.get(name, 0)
                for name, number in self.made().items()}

    def wait_counted(self):
        end = time.monotonic() + 60
        while self.counted() != self.expected() and time.monotonic() < end:
            time.sleep(0.2)

    def wait_attached(self, name):
        """Without many scrapes, which are load, too."""
        end = time.monotonic() + LIMIT
        while not self.service.samples("sdtkit_spans_in_progress",
                                       program=name):
            assert time.monotonic() < end, name + ": " + self.log()
            time.sleep(0.5)

    # --- what happens ---

    def burst(self):
        with self.load.paused:
            self.load.many()

    def kill_program(self):
        with self.paused():
            self.load.replace(signal.SIGKILL)

    def upgrade_program(self):
        with self.paused():
            self.says_once_more(
                "%s: via=" % self.name,
                lambda: self.load.replace(signal.SIGTERM, exchange=True))

    def kill_worker(self):
        """What it has counted in its last second is lost: nothing here."""
        with self.paused():
            worker = min(pid for pid in self.service.children()
                         if pid != self.server_pid)
            self.says_once_more(": via=", lambda: self.says_once_more(
                "begins anew", lambda: os.kill(worker, signal.SIGKILL)))
            self.lost += 1

    def kill_service(self):
        """All that is not in the history is gone: counters begin anew."""
        with self.paused(), self.scraper.allowed:
            children = self.service.children()
            self.service.process.kill()
            self.service.process.wait()
            wait_until(lambda: not any(
                os.path.exists("/proc/%d/exe" % pid) for pid in children),
                "its processes have ended")
            self.check_log()
            self.start_service()
            self.scraper.port, self.scraper.last = self.port, {}
            self.lost = 0
            self.hits, self.base = {}, {self.name: self.load.total()}

    def stop(self, pid):
        with self.scraper.allowed:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(self.args.stop)
            os.kill(pid, signal.SIGCONT)

    def stop_supervisor(self):
        self.stop(self.service.process.pid)

    def stop_server(self):
        self.stop(self.server_pid)

    def stop_worker(self):
        self.stop(max(pid for pid in self.service.children()
                      if pid != self.server_pid))

    def short_programs(self):
        """Some start, are counted and end."""
        names = ["short%d" % (self.number + i) for i in range(AT_ONCE)]
        self.number += AT_ONCE
        running = [self.programs.start(name) for name in names]
        for name in names:
            self.wait_attached(name)
        for name, process in zip(names, running):
            self.hits[name] = 100
            self.programs.hit(process, 100)
        self.wait_counted()
        for process in running:
            self.programs.end(process)
        for name in names:
            (self.folder / "programs" / name).unlink()

    def many_names(self):
        name = "names%d" % self.number
        self.number += 1
        process = self.programs.start(name, "0")
        self.wait_attached(name)
        self.hits[name] = NAMES
        self.programs.hit(process, NAMES)
        self.wait_counted()
        self.programs.end(process)

    def very_short_programs(self):
        """Too short to be found."""
        for _ in range(50):
            process = self.programs.start("brief")
            self.programs.hit(process, 1)
            self.programs.end(process)

    EVENTS = [short_programs, kill_program, many_names, upgrade_program,
              stop_supervisor, very_short_programs, burst, kill_worker,
              short_programs, stop_worker, stop_server, Soaking.fill_disk,
              short_programs, kill_service]

    # --- what has to hold ---

    def scrape_ms(self):
        """Of the processor, the least of some."""
        times = []
        for _ in range(5):
            before = processor_ms(self.server_pid)
            data = self.service.get("/metrics")
            times.append(processor_ms(self.server_pid) - before)
        return min(times), len(Metrics(data, False))

    def watch(self):
        """The most memory, in KiB."""
        while not self.load.ended.wait(1):
            try:
                pids = self.pids()
            except OSError:         # it has just been killed
                continue
            memory, workers = sum(map(pss, pids)), len(pids) - 2
            limit = MOST + max(workers - WORKERS, 0) * WORKER
            self.most = max(self.most, (memory / limit, memory, workers))

    def report(self, minute):
        if self.service.process.poll() is not None:
            self.broken("the service has ended")
            return
        with self.paused(), self.scraper.allowed:
            expected, counted = self.expected(), self.counted()
            (part, memory, workers), self.most = self.most, (0, 0, 0)
            files = max(len(os.listdir("/proc/%d/fd" % pid))
                        for pid in self.pids())
            ms, series = self.scrape_ms()
            lost = {labels["what"]: int(number) for labels, number in
                    self.service.samples("sdtkit_lost_total") if number}
        print("%6s %11d %8d %12d %7d %12.2f %20d %12d   %s" % (
            minute, memory, workers, files, series, ms,
            sum(expected.values()), sum(counted.values()), lost or 0),
            flush=True)
        for name in expected:
            if counted[name] != expected[name]:
                self.broken("%s: %d spans were made and %d counted" % (
                    name, expected[name], counted[name]))
        if part > 1:
            self.broken("the memory of %d workers is %d KiB" % (workers,
                                                                memory))
        if ms > PROCESSOR_MS * max(series / 2000, 1):
            self.broken("a scrape of %d series takes %.1f ms of the "
                        "processor" % (series, ms))
        if lost.get("reports", 0) != self.lost:
            self.broken("reports of %s workers are lost, and %d were killed" %
                        (lost.get("reports"), self.lost))
        if self.history_size() > HISTORY_MIB << 20:
            self.broken("the history takes %d bytes" % self.history_size())

    def finish(self):
        self.load.stop()
        for thread in self.busy:
            thread.join(LIMIT)
        self.scraper.ended.set()
        self.scraper.thread.join(LIMIT)
        self.wait_counted()
        status = self.service.end()
        self.check_log()
        # a service that was killed before this one may have found the disk full
        if status != (1 if "history: cannot write" in self.log() else 0):
            self.broken("its exit status is %d" % status)
        with sqlite3.connect("file:%s?mode=ro" % (self.disk / "history.db"),
                             uri=True) as database:
            (kept,), = database.execute(
                "select sum(count) from spans where program = ?",
                (self.name,))
        return kept

    def summary(self, elapsed, kept):
        print("%s: %d spans in %d s; the history has %s of them" % (
            self.name, self.load.total(), elapsed, kept))
        print("programs that started and ended: %d" % self.number)

    def failed(self):
        return self.load.failure or self.failure

    def end(self):
        if self.service:
            self.service.end()
        self.programs.end_all()
        self.load.end()
        for one in self.others:
            one.stop()


if __name__ == "__main__":
    main(Soak, __doc__, DISK, user_of_service().pw_name)
