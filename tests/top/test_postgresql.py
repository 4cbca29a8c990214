# SPDX-License-Identifier: BSD-2-Clause
"""Debian's PostgreSQL, which knows nothing of sdtkit: spans of
examples/spans/postgresql.d against what pg_stat_statements and pgbench count
and measure themselves."""

import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

import cluster as private
from test_flame import UNKNOWN, Graph
from top_run import LIMIT, Top


@pytest.fixture(scope="module")
def cluster(unavailable):
    """Of a copy of the programs: those that are installed run in other rooms,
    too."""
    home = private.home()
    if home is None:
        unavailable("PostgreSQL and its pgbench are not installed")
    with tempfile.TemporaryDirectory(prefix="sdtkit-pg-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        copy = folder / str(home).lstrip("/")
        shutil.copytree(home, copy)
        (copy.parent / "lib").symlink_to(home.parent / "lib")
        (folder / "usr" / "share").symlink_to("/usr/share")
        started = private.Cluster(copy)
        yield started
        started.close()


@pytest.fixture
def top(sdtkit, source, cluster, privileged):
    """top(words): started for all processes of the server's file."""
    return lambda *words: Top(
        sdtkit, "--description", source / "examples/spans/postgresql.d",
        cluster.server, "--json", *words)


def by_name(report, span):
    """By name: rows of a span; PostgreSQL's names end where 63 bytes do."""
    return {row["name"]: row for row in report["spans"]
            if row["span"] == span}


def total(report, span, key="count"):
    return sum(row[key] for row in by_name(report, span).values())


def losses(report):
    """What was lost of all spans; errors jump over the end of these."""
    return {(row["span"], key): row[key] for row in report["totals"]
            for key in ("unmatched", "restarted", "abandoned", "lost",
                        "unread") if row[key]}


def test_all_spans_at_once(top, cluster):
    tracer = top()
    cluster.forget()
    report = tracer.lines()[-1]
    assert {row["span"] for row in report["totals"]} >= {
        "query", "transaction", "plan", "lock", "file_write", "checkpoint"}
    assert losses(report) == {}


def test_callers_are_known(top, cluster, tmp_path):
    path = tmp_path / "x.svg"
    tracer = top("query", "--flame", str(path), "-F", "499")
    cluster.call("pgbench", *cluster.where(), "-n", "-t", "1000")
    tracer.report()
    boxes = Graph(path).boxes
    (everything,) = [box.samples for box in boxes if box.name == "all"]
    unknown = sum(box.samples for box in boxes if box.name == UNKNOWN)
    assert everything > 50 and unknown <= 0.05 * everything


@pytest.mark.parametrize("options", [
    ["-c", "2", "-j", "2", "-t", "200"],        # like TPC-B
    ["-c", "2", "-t", "300", "-S"],             # reads only
    ["-c", "3", "-t", "20", "-C"],              # each has its connection
])
def test_counts_of_pgbench(top, cluster, options):
    """Each statement of each transaction is a query, and no other is."""
    cluster.forget()
    tracer = top("query", "transaction")
    count, _ = cluster.pgbench(*options)
    report = tracer.lines()[-1]
    calls = sum(calls for calls, _ in cluster.statements().values())
    assert calls >= count
    assert total(report, "query") == calls
    assert total(report, "query", "errors") == 0
    assert total(report, "transaction") >= count
    assert losses(report) == {}


STATEMENTS = {
    "SELECT count(*) FROM pgbench_branches": 30,
    "SELECT max(abalance) FROM pgbench_accounts": 10,
    "TRUNCATE pgbench_history": 5,
}


def test_counts_by_text(top, cluster):
    cluster.forget()
    tracer = top("query")
    for text, count in STATEMENTS.items():
        script = cluster.script(text + ";")
        assert cluster.pgbench("-f", script, "-t", str(count))[0] == count
    report = tracer.lines()[-1]
    rows, statements = by_name(report, "query"), cluster.statements()
    for text, count in STATEMENTS.items():
        assert statements[text][0] == count
        assert rows[text + ";"]["count"] == count


@pytest.mark.parametrize("text, count", [
    ("SELECT sum(aid), sum(bid) FROM pgbench_accounts", 40),
    ("SELECT pg_sleep(1)", 3),
], ids=["busy", "asleep"])
def test_times(top, cluster, text, count):
    """What PostgreSQL measures within the execution is less than the span,
    which is less than what the client waits. All three are about the same if
    they are long: waits for a processor do not take a fifth of a second."""
    script = cluster.script(text + ";")
    cluster.pgbench("-f", script, "-t", "1")    # the pages are in memory
    cluster.forget()
    tracer = top("query", "execute")
    done, latency = cluster.pgbench("-f", script, "-t", str(count))
    report = tracer.lines()[-1]
    (executed,) = (us / done for query, (_, us) in
                   cluster.statements().items() if query[:12] == text[:12])
    row = by_name(report, "query")[text + ";"]
    assert row["count"] == done == count
    assert executed <= row["avg_us"] <= latency * 1.001 + 1
    assert row["p50_us"] <= row["p99_us"] <= row["max_us"] * 17 / 16
    # with pgbench's own queries; PostgreSQL measures what it does behind the
    # end of the span too, and may have to wait for a CPU there
    spent = total(report, "execute", "sum_us")
    assert 0 < spent <= total(report, "query", "sum_us")
    if "sleep" in text:
        assert executed >= 0.8 * latency
        assert spent >= 0.8 * executed * count


def test_errors(top, cluster):
    """After an error, the end of a query is not reached, but its transaction
    is aborted."""
    tracer = top("query", "transaction")
    for _ in range(3):
        cluster.sql("select 1/0", fails=True)
    cluster.sql("select 'well'")
    report = tracer.lines()[-1]
    rows = by_name(report, "query")
    (failed,) = (row for name, row in rows.items() if "1/0" in name)
    (well,) = (row for name, row in rows.items() if "well" in name)
    assert (failed["count"], failed["errors"]) == (3, 3)
    assert (well["count"], well["errors"]) == (1, 0)
    assert total(report, "transaction", "errors") == 3
    assert losses(report) == {}


def until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_waiting_for_a_lock(top, cluster):
    """A session that waits for a table has a span with the mode and type of
    the lock, for about as long as the other one keeps it."""
    tracer = top("lock")
    waits = ("select count(*) from pg_stat_activity "
             "where wait_event_type = 'Lock'")
    holds = "select count(*) from pg_locks where mode = 'AccessExclusiveLock'"
    psql = [str(cluster.bin / "psql"), "-q", "-X", "-h", cluster.place, "-U",
            "test", "bench"]
    holder = subprocess.Popen(psql, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL,
                              universal_newlines=True)
    holder.stdin.write("begin; lock table pgbench_tellers;\n")
    holder.stdin.flush()
    until(lambda: cluster.sql(holds) == [["1"]])
    waiter = subprocess.Popen(
        [*psql, "-c", "select count(*) from pgbench_tellers"],
        stdout=subprocess.DEVNULL)
    until(lambda: cluster.sql(waits) == [["1"]])
    time.sleep(0.2)
    holder.communicate("commit;\n", timeout=LIMIT)
    assert waiter.wait(LIMIT) == 0
    rows = by_name(tracer.lines()[-1], "lock")
    assert set(rows) == {"RELATION | ACCESS_SHARE"}
    assert rows["RELATION | ACCESS_SHARE"]["count"] == 1
    assert rows["RELATION | ACCESS_SHARE"]["sum_us"] >= 200000


def test_bytes_of_files(top, cluster):
    """A table that does not fit into memory any more is read from its file:
    8 KiB for each page that pg_stat_statements has counted."""
    cluster.sql("create table once as select * from pgbench_accounts")
    cluster.sql("checkpoint")
    cluster.restart()
    cluster.forget()
    tracer = top("file_read", "buffer_read")
    cluster.sql("select count(*) from once")
    report = tracer.lines()[-1]
    ((_, pages),) = cluster.sql(
        "select calls, shared_blks_read from pg_stat_statements "
        "where query like '%from once'")
    (row,) = by_name(report, "file_read").values()
    assert row["sums"]["bytes"] == 8192 * row["count"]
    # and some of the catalog, for this session
    assert int(pages) <= row["count"] <= int(pages) + 200
    assert by_name(report, "buffer_read")["MISS"]["count"] == row["count"]
    cluster.sql("drop table once")
