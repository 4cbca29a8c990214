# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve: what it counts is what programs have done."""

import collections
import contextlib
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd"), str(TESTS / "top")]

import cluster as postgresql                            # noqa: E402
import demo_server                                      # noqa: E402
from demo_server import LIMIT, Server, wait_until     # noqa: E402
from ending import ending                        # noqa: E402
from served import Service, user_of_service       # noqa: E402
from test_counts import run_clients                     # noqa: E402


def name_of_test(letter):
    """A program of this test, of which no other test has one."""
    return "%s%d" % (letter, os.getpid())


@pytest.fixture(scope="module")
def sdtkit(build, unavailable):
    program = build / "lib" / "tool" / "sdtkit"
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    if os.geteuid() != 0:
        unavailable("sdtkit serve needs root")
    return program


@pytest.fixture
def server(build, tmp_path):
    """server(letter): a demo server, whose program has a name of its own."""
    def start(letter):
        folder = tmp_path / letter
        folder.mkdir(exist_ok=True)
        return Server(build, folder / "served", folder / "log",
                      name_of_test(letter))

    yield from ending(start)


@pytest.fixture
def serve(sdtkit):
    running = []
    with tempfile.TemporaryDirectory(prefix="sdtkit-serve-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        user = user_of_service()
        os.chown(folder, user.pw_uid, user.pw_gid)

        def start(*options, **more):
            running.append(Service(sdtkit, folder, *options, **more))
            running[-1].folder = folder
            return running[-1]

        yield start
        for one in running:
            assert one.end() == 0, one.log.read_text()


def requests(reports):
    """By the names that the description has for commands."""
    total = {}
    for report in reports:
        for name, request in report["requests"].items():
            if request["sent"]:
                total[name] = total.get(name, 0) + request["sent"]
    return total


def test_programs_that_run_and_that_start(serve, server):
    """Each is counted in metrics of its own, exactly, with histograms whose
    buckets are all of it. One that has ended keeps its numbers."""
    first, late = name_of_test("a"), name_of_test("b")
    one = server("a")
    service = serve("--only=%s,%s" % (first, late), "--slow=0.001")
    service.says("counting " + first)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=first), "attached")
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(first, "request") == sent,
               "all requests are counted")
    other = server("b")
    service.says("counting " + late)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=late), "attached")
    twice = requests(run_clients(other, 2))
    wait_until(lambda: service.counts(late, "request") == twice,
               "those of the other one")
    assert service.counts(first, "request") == sent
    most = service.samples("sdtkit_span_duration_seconds_bucket",
                           program=late, span="request", le="+Inf")
    assert {labels["name"]: number for labels, number in most if number
            } == twice
    wait_until(lambda: {first, late, "smb2"} <= set(re.findall(
        r"\w+", service.get("/").decode())), "the page has them")
    one.stop()
    service.says(first + " has ended")
    assert service.counts(first, "request") == sent


def ticks(pid):
    """Of a process, and of children that it has waited for."""
    stat = pathlib.Path("/proc/%d/stat" % pid).read_text()
    return sum(map(int, stat.rpartition(")")[2].split()[11:15]))


def test_processor_time_of_children(serve, server):
    """Those that begin and end between two looks, too; nothing twice."""
    name, one = name_of_test("t"), server("t")
    service = serve("--only=" + name)
    service.says("counting " + name)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    before = ticks(one.pid)
    for _ in range(3):
        run_clients(one, 2)
    assert not demo_server.children(one.pid)
    used = ticks(one.pid) - before
    assert used > 5

    def told():
        seconds = service.samples("sdtkit_program_cpu_seconds_total",
                                  program=name)[0][1]
        return round(seconds * os.sysconf("SC_CLK_TCK"))

    wait_until(lambda: told() >= used, "all of it is told")
    assert told() == pytest.approx(used, abs=3), "before it was attached"


def test_upgrade_and_a_worker_that_is_killed(serve, server):
    """Both begin to count anew, and the sum goes on."""
    name = name_of_test("c")
    one = server("c")
    service = serve("--only=" + name)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    sent = requests(run_clients(one))
    wait_until(lambda: service.counts(name, "request") == sent, "counted")
    worker = service.children()[-1]
    os.kill(worker, signal.SIGKILL)
    service.says("ended by signal 9: another one begins anew")
    wait_until(lambda: len(service.children()) == 2, "another worker")
    wait_until(lambda: ({"what": "reports"}, 1) in
               service.samples("sdtkit_lost_total"), "that is a loss")
    one.stop()
    fresh = server("c")     # a copy of its own: another file
    wait_until(lambda: service.log.read_text().count("counting") >= 3,
               "the new program is counted")

    def are_more():
        run_clients(fresh)
        return sum(service.counts(name, "request").values()) > \
            sum(sent.values())

    wait_until(are_more, "the new program's requests are added")


def test_a_filter_and_units_of_sums(serve, server, tmp_path):
    """Requests that the filter leaves out are counted nowhere."""
    name = name_of_test("g")
    config = tmp_path / "serve.conf"
    config.write_text("[%s]\nspan = request/opcode==READ/\n" % name)
    one = server("g")
    service = serve("--only=" + name, "--config=%s" % config)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    # those of the first time have been reported before those of the second
    for reads in range(1, 3):
        sent = requests(run_clients(one))["READ"]
        wait_until(lambda: service.counts(name, "request").get("READ") ==
                   reads * sent, "all are counted")
    assert service.counts(name, "request") == {"READ": 2 * sent}
    assert {(labels["name"], labels["argument"], labels["unit"])
            for labels, _ in service.samples("sdtkit_span_sum_total",
                                             program=name)} == {
        ("READ", "in_bytes", "bytes"), ("READ", "out_bytes", "bytes")}


def test_history(serve, server):
    """What has happened in the last second is recorded at the end."""
    name = name_of_test("d")
    one = server("d")
    service = serve("--only=" + name)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    service.end()
    path = service.folder / "history.db"
    service = serve("--only=" + name, "--history=%s" % path)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    run_clients(one)
    assert service.end() == 0
    with sqlite3.connect("file:%s?mode=ro" % path, uri=True) as database:
        (seconds,), = database.execute("select count(*) from second")
        tables = {name for name, in database.execute(
            "select name from sqlite_master")}
    assert seconds > 0
    assert {"programs", "spans", "names", "sums", "slow"} <= tables


def test_privileges(serve, server):
    """No process but the tracer and its workers can do what root can."""
    name = name_of_test("e")
    server("e")
    service = serve("--only=" + name)
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")

    def status(pid, key):
        text = pathlib.Path("/proc/%d/status" % pid).read_text()
        return re.search(r"^%s:\s*(.*)$" % key, text, re.MULTILINE).group(1)

    pids = [service.process.pid, *service.children()]
    assert len(pids) == 3
    capabilities = [int(status(pid, "CapPrm"), 16) for pid in pids]
    assert all("0" not in status(pid, "Uid").split() for pid in pids)
    assert {status(pid, "NoNewPrivs") for pid in pids} == {"1"}
    assert {status(pid, "Seccomp") for pid in pids} == {"2"}
    # CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_PERFMON, CAP_BPF and
    # CAP_CHECKPOINT_RESTORE, of which a machine may lack some
    tracing = sum(1 << bit for bit in (2, 19, 38, 39, 40))
    assert sorted(c & ~tracing for c in capabilities) == [0, 0, 0]
    assert capabilities.count(0) == 1


@pytest.fixture
def cluster(unavailable):
    if postgresql.home() is None:
        unavailable("PostgreSQL is not installed")
    one = postgresql.Cluster()
    yield one
    one.close()


def test_queries(serve, cluster):
    """An unchanged PostgreSQL, by the description that is installed. Queries
    that differ in their values are one; other tests have other queries."""
    service = serve("--only=postgres")
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program="postgres", span="query"),
               "attached")
    mark = "of%d" % os.getpid()
    for values in "1 + -22", "333.5 + 4", "'a''b' || '-'", "'' || 'c'":
        cluster.sql("select %s as %s" % (values, mark))
    wait_until(lambda: sum(
        count for name, count in service.counts("postgres", "query").items()
        if mark in name) == 4, "four queries")
    assert {name: count for name, count
            in service.counts("postgres", "query").items() if mark in name
            } == {"select ? + ? as " + mark: 2, "select ? || ? as " + mark: 2}


def test_programs_that_end_leave_nothing(serve, server):
    name = name_of_test("f")
    service = serve("--only=" + name)
    service.says("tracing")
    wait_until(lambda: service.get("/metrics"), "it serves")

    def opened():
        """What the service has opened; programs of other tests, whose files
        it looks at, are left out."""
        found = collections.Counter()
        folder = "/proc/%d/fd" % service.process.pid
        for number in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):
                path = os.readlink(os.path.join(folder, number))
                found[path] += bool(re.match(r"\w+:|/memfd:|.*/%s$" % name,
                                             path))
        return found

    before = opened()
    one = server("f")
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=name), "attached")
    one.stop()
    service.says(name + " has ended")
    wait_until(lambda: len(service.children()) == 1, "the worker has ended")
    wait_until(lambda: not opened() - before, "its files are closed")


def test_options(sdtkit, tmp_path):
    """A file with a section; what is wrong is told with its place."""
    config = tmp_path / "serve.conf"

    def check(text):
        config.write_text(text)
        return subprocess.run(
            [sdtkit, "serve", "--config=%s" % config, "--check-config"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True, timeout=LIMIT)

    good = check("listen = 127.0.0.1\n[postgres]\nslow = 5\nspan = query\n"
                 "[python3.11]\nenable = no\n")
    assert good.returncode == 0, good.stdout
    assert "serves metrics and the page at 127.0.0.1\n" in good.stdout
    assert ("\n  for postgres, takes what its section says\n"
            "  does not count python3.11\n") in good.stdout
    assert ("  for x, takes what its section says; its file /absent/x does not "
            "exist so far; its description /dev/null\n") in check(
                "listen = 1\n[x]\nfile = /absent/x\n"
                "description = /dev/null\n").stdout
    assert " at 127.0.0.1:10497\n" in check("listen = 10497\n").stdout
    wrong = check("listen = 127.0.0.1\n[postgres]\nslwo = 5\n")
    assert wrong.returncode == 1
    assert "serve.conf:3" in wrong.stdout
    wrong = check("listen = 1\n[x]\nspan = q: a..b ke=id\n")
    assert wrong.returncode == 1
    assert "sdtkit serve: [x]: --span 'q': invalid word 'ke=id': " in \
        wrong.stdout
    for name in "history", "textfile", "html":
        wrong = check("# files\n%s = /absent/file\n" % name)
        assert wrong.returncode == 1
        assert ("serve.conf:2: %s=/absent/file: /absent: No such file or "
                "directory: use a directory" % name) in wrong.stdout
    wrong = check("history = /usr\n")
    assert "is a directory: use the name of a file" in wrong.stdout
