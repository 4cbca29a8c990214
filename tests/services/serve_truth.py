#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What one `sdtkit serve` counts of several servers at once, beside what these
servers count themselves.

Debian's PostgreSQL under pgbench has pg_stat_statements and pg_stat_database;
Redis and Mosquitto of examples/servers have INFO and $SYS; a relay knows what
clients have asked smbd for, and the clients of the demo server what they have
sent. Run as root, after `./dev build`, for Redis and Mosquitto after
`./dev server redis mosquitto`, for smbd with SDTKIT_SAMBA=DIR, where `./dev
samba` has built it:

    SDTKIT_ALL=1 python3 tests/services/serve_truth.py [--requests N]

It prints a table; the exit status is 1 if two numbers differ. The file of each
server is its own, so that nobody else's servers are counted.
"""

import argparse
import collections
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / place) for place in (
    "examples/servers", "tests", "tests/demo", "tests/top", "tests/tsmbd",
    "tests/serve")]

import cluster                                          # noqa: E402
import run                                              # noqa: E402
# of examples/samba: run.py has added its path
import counts                                           # noqa: E402
import relay                                            # noqa: E402
import server as samba                                  # noqa: E402
import source                                           # noqa: E402
import tracer                                           # noqa: E402
import demo_server                                      # noqa: E402
from openmetrics import Metrics                         # noqa: E402
from programs import which                              # noqa: E402
from served import Service, user_of_service             # noqa: E402
from test_counted import requests                       # noqa: E402
from test_counts import run_clients                     # noqa: E402

Row = collections.namedtuple("Row", "server what theirs ours")
SETTLED = 15    # seconds without a change: by then all is counted


class Counted:
    """What the service has of one program."""

    def __init__(self, metrics, program):
        self.metrics, self.program = metrics, program

    def spans(self, what="_count", family="sdtkit_span_duration_seconds",
              **labels):
        return {tuple(dict(key).get(label) for label in (
                    "span", "name", "argument")): value
                for key, value in self.metrics.samples.get(
                    family + what, {}).items()
                if dict(labels, program=self.program).items() <=
                dict(key).items()}

    def sum(self, span, what="_count", **more):
        return sum(self.spans(what, span=span, **more).values())

    def errors(self, **labels):
        return self.spans("_total", "sdtkit_span_errors", **labels)

    def report(self):
        """As `sdtkit top --json` has it, for what run.py compares."""
        counts, errors = self.spans(), self.errors()
        sums = self.spans("_total", "sdtkit_span_sum")
        seconds = self.spans("_sum")
        return {
            "spans": [{"span": key[0], "name": key[1], "count": int(count),
                       "errors": int(errors.get(key, 0)),
                       "sum_us": seconds[key] * 1e6,
                       "sums": {name[2]: int(value) for name, value
                                in sums.items() if name[:2] == key[:2]}}
                      for key, count in counts.items()],
            "probes": [{"probe": dict(key)["probe"], "count": int(value)}
                       for key, value in self.metrics.samples.get(
                           "sdtkit_probe_hits_total", {}).items()
                       if dict(key)["program"] == self.program]}

    def buckets(self):
        """Spans of all buckets but +Inf, which is their number anyway."""
        highest = max((key for key in {
            dict(key)["le"] for key in self.metrics.samples[
                "sdtkit_span_duration_seconds_bucket"]} - {"+Inf"}),
            key=float)
        return sum(value for key, value in self.metrics.samples[
            "sdtkit_span_duration_seconds_bucket"].items()
            if dict(key)["program"] == self.program and
            dict(key)["le"] == highest)

    def lost(self):
        return sum(value for key, value in self.metrics.samples.get(
            "sdtkit_spans_not_counted_total", {}).items()
            if dict(key)["program"] == self.program and
            dict(key)["reason"] in ("lost", "unread"))


class Watched:
    """A server. Those that count from their start start when the service has
    attached to their files."""

    base = {}       # what was counted before, and is subtracted

    def start(self):
        pass

    def begin(self, numbers):
        """All have started, and these are the service's numbers."""


class PostgreSQL(Watched):
    name = "postgresql"
    spans = ["postgresql:query", "postgresql:transaction"]
    FAILED = 25

    def __init__(self, build, folder):
        """A copy of the programs, which others do not run."""
        home = cluster.home()
        copy = folder / str(home).lstrip("/")
        shutil.copytree(home, copy)
        (copy.parent / "lib").symlink_to(home.parent / "lib")
        (folder / "usr" / "share").symlink_to("/usr/share")
        self.cluster = cluster.Cluster(copy)
        self.file = self.cluster.server
        self.cluster.forget()

    def load(self, requests):
        broken = self.cluster.script("select 1/0;\n" * self.FAILED)
        with open(broken) as text:
            self.cluster.sql(text.read(), fails=True)
        clients = ["-c", "4", "-j", "2", "-t", str(requests // 4)]
        self.transactions, _ = self.cluster.pgbench(*clients)
        self.cluster.pgbench("-S", *clients)

    def ended(self):
        """Queries and transactions of the sessions that have ended."""
        (row,) = self.cluster.sql(
            "select (select sum(calls) from pg_stat_statements), "
            "xact_commit, xact_rollback from pg_stat_database "
            "where datname = 'bench'")
        return list(map(int, row))

    def begin(self, numbers):
        self.base, self.before = numbers, self.ended()

    def theirs(self):
        calls, commit, rollback = (after - before for before, after
                                   in zip(self.before, self.ended()))
        return {"queries": calls, "queries that failed": self.FAILED,
                "transactions": commit + rollback,
                "transactions that were rolled back": rollback,
                "transactions of pgbench": self.transactions}

    def ours(self, counted):
        errors = sum(counted.errors(span="query").values())
        ends = counted.spans(span="query", name="END;")
        return {"queries": counted.sum("query") - errors,
                "queries that failed": errors,
                "transactions": counted.sum("transaction"),
                "transactions that were rolled back": sum(
                    counted.errors(span="transaction").values()),
                "transactions of pgbench": sum(ends.values())}

    def stop(self):
        self.cluster.close()


def copy_tree(tree, folder, file):
    """The tree by links, but for one file, which is a copy."""
    copy = folder / "tree" / file
    copy.parent.mkdir(parents=True)
    shutil.copy(tree / file, copy)
    for place in pathlib.Path(file).parents:
        for path in (tree / place).iterdir():
            if not (folder / "tree" / place / path.name).exists():
                (folder / "tree" / place / path.name).symlink_to(path)
    return folder / "tree"


class Example(Watched):
    """A server of examples/servers."""

    def __init__(self, build, folder):
        self.server = run.load(self.name)
        self.spans = self.server.TOP
        self.tree = copy_tree(run.CACHE / self.name / "probes", folder,
                              self.server.BINARY)
        self.file = self.tree / self.server.BINARY
        self.folder = folder

    def start(self):
        self.running = self.server.Server(self.tree, self.folder)

    @classmethod
    def exists(cls):
        return (run.CACHE / cls.name / "probes" /
                run.load(cls.name).BINARY).exists()

    def load(self, requests):
        self.server.drive(self.running, requests)

    def theirs(self):
        numbers, commands = self.server.adjust(
            *self.server.statistics(self.running))
        return dict(numbers, **{
            "%s, %s" % (name, what): number
            for name, row in commands.items()
            for what, number in zip(("calls", "failed"), row)})

    def ours(self, counted):
        numbers, commands = self.server.by_top(counted.report())
        return dict(numbers, **{
            "%s, %s" % (name, what): number
            for name, row in commands.items()
            for what, number in zip(("calls", "failed"), row)})

    def stop(self):
        self.running.stop()


class Redis(Example):
    name = "redis"


class Mosquitto(Example):
    name = "mosquitto"


class Demo(Watched):
    name = "demo"
    spans = ["smb2:request"]

    def __init__(self, build, folder):
        self.running = demo_server.Server(build, folder / "served",
                                          folder / "log")
        self.file = self.running.program
        self.sent = {}

    def load(self, count):
        self.sent = requests(report for _ in range(count // 1000)
                             for report in run_clients(self.running, 4))

    def theirs(self):
        return self.sent

    def ours(self, counted):
        return {key[1]: int(count)
                for key, count in counted.spans(span="request").items()
                if count}

    def stop(self):
        self.running.stop()
        self.running.process.stdout.close()


class Samba(Watched):
    """A relay has what was on the wire; tsmbd runs beside."""

    name = "smbd"
    spans = ["smb2:request"]
    place = os.environ.get("SDTKIT_SAMBA")
    tree = place and source.unpacked(pathlib.Path(place), "samba")

    def __init__(self, build, folder):
        self.folder, self.build = folder, build
        self.running = samba.Smbd(self.tree, folder)
        self.before = self.running.children()
        maps = pathlib.Path("/proc/%d/maps" % self.running.process.pid)
        self.file, = {line.split()[-1] for line in
                      maps.read_text().splitlines() if "/libsmbd-base" in line}

    def start(self):
        self.relay = relay.Relay(self.running.port)
        self.tsmbd = tracer.Tracer(
            [self.build / "lib" / "tsmbd" / "tsmbd", "--json", "-p",
             str(self.running.process.pid)], self.folder / "tsmbd",
            "Collecting")

    def load(self, count):
        samba.drive(self.relay.port, self.folder, count // 10)
        self.running.wait_for_goodbye(self.before)

    def theirs(self):
        self.tsmbd.interrupt()
        beside = counts.by_tsmbd(self.tsmbd.stop())
        wire = collections.Counter(
            request.name for request in self.relay.requests)
        return dict(wire, **{name + " by tsmbd": operation["count"]
                             for name, operation in beside.items()})

    def ours(self, counted):
        found = {key[1]: int(count)
                 for key, count in counted.spans(span="request").items()
                 if count}
        return dict(found, **{name + " by tsmbd": count
                              for name, count in found.items()})

    def stop(self):
        self.relay.close()
        self.relay.listener.close()
        self.running.stop()


def chosen():
    """The kinds of servers that are on this machine."""
    return [PostgreSQL] * (cluster.home() is not None) + [
        kind for kind in (Redis, Mosquitto) if kind.exists()] + [
        Samba] * bool(Samba.tree and which("smbclient")) + [Demo]


def configure(servers, path):
    path.write_text("only = %s\n" % ",".join(
        server.name for server in servers) + "".join(
            "[%s]\nfile = %s\n%s" % (server.name, server.file, "".join(
                "span = %s\n" % span for span in server.spans))
            for server in servers))
    path.chmod(0o644)


class Truth:
    def __init__(self, build, folder, kinds):
        self.servers, self.service, self.failure = [], None, None
        try:
            for kind in kinds:
                place = folder / kind.name
                place.mkdir(mode=0o755)
                self.servers.append(kind(build, place))
            configure(self.servers, folder / "serve.conf")
            history = folder / "history"
            history.mkdir()
            user = user_of_service()
            os.chown(history, user.pw_uid, user.pw_gid)
            self.history = history / "history.db"
            self.service = Service(
                build / "lib" / "tool" / "sdtkit", folder, "--config=%s" %
                (folder / "serve.conf"), "--history=%s" % self.history)
            demo_server.wait_until(lambda: {
                labels["program"] for labels, _ in self.service.samples(
                    "sdtkit_spans_in_progress")} == {
                server.name for server in self.servers}, "all are attached")
            for server in self.servers:
                server.start()
        except BaseException:
            self.end()
            raise

    def counted(self):
        metrics = Metrics(self.service.get("/metrics"), False)
        return [Counted(metrics, server.name) for server in self.servers]

    def settled(self):
        """What is counted when nothing is counted any more."""
        seen, since = None, time.monotonic()
        while time.monotonic() < since + SETTLED:
            now = self.counted()
            numbers = [server.ours(counted) for server, counted in
                       zip(self.servers, now)]
            if numbers != seen:
                seen, since = numbers, time.monotonic()
            time.sleep(0.5)
        return now, numbers

    def load(self, server, requests):
        try:
            server.load(requests)
        except Exception as error:      # whatever it is, the table needs all
            self.failure = error

    def run(self, requests):
        """All servers at once; returns the rows of the table."""
        for server, numbers in zip(self.servers, self.settled()[1]):
            server.begin(numbers)
        threads = [threading.Thread(target=self.load, args=(server, requests))
                   for server in self.servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failure:
            raise self.failure
        counted, after = self.settled()
        # asking the servers is something to count, too
        assert self.service.end() == 0, self.service.log.read_text()
        return [row for server, *numbers in zip(self.servers, counted, after)
                for row in self.compare(server, *numbers)
                ] + list(self.compare_history(counted))

    def compare(self, server, counted, after):
        theirs = server.theirs()
        for what in sorted(after):
            yield Row(server.name, what, theirs.get(what, 0),
                      int(after[what] - server.base.get(what, 0)))
        spans = int(sum(counted.spans().values()))
        yield Row(server.name, "spans in buckets", spans,
                  int(counted.buckets()))
        yield Row(server.name, "spans that were lost", 0, int(counted.lost()))

    def compare_history(self, counted):
        with sqlite3.connect("file:%s?mode=ro" % self.history,
                             uri=True) as database:
            kept = dict(database.execute(
                "select program, sum(count) from spans group by program"))
        for one in counted:
            yield Row(one.program, "spans in the history",
                      int(sum(one.spans().values())), kept.get(one.program))

    def end(self):
        if self.service:
            self.service.end()
        for server in self.servers:
            server.stop()


def measure(build, kinds, requests):
    with tempfile.TemporaryDirectory(prefix="sdtkit-truth-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        truth = Truth(build, folder, kinds)
        try:
            return truth.run(requests)
        finally:
            truth.end()


def show(rows):
    print("| server | what | the server | sdtkit serve | |\n%s|" %
          ("| --- " * 5))
    for row in rows:
        print("| %s | %s | %s | %s | %s |" % (
            *row, "" if row.theirs == row.ours else "WRONG"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--requests", type=int, default=4000,
                        help="of each kind of client, about (4000)")
    args = parser.parse_args()
    kinds = chosen()
    rows = measure(run.BUILD, kinds, args.requests)
    show(rows)
    sys.exit(any(row.theirs != row.ours for row in rows))


if __name__ == "__main__":
    main()
