# SPDX-License-Identifier: BSD-2-Clause
"""The metrics: what they count, and how they are written."""

import array
import fcntl
import json
import pathlib
import re
import signal
import subprocess
import termios
import time
import urllib.request

import pytest

import demo_wire as w
from demo_server import LIMIT, wait_until
from openmetrics import Metrics
from programs import which

OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
# what Prometheus 2.42 sends
ACCEPT = ("application/openmetrics-text;version=1.0.0,"
          "application/openmetrics-text;version=0.0.1;q=0.75,"
          "text/plain;version=0.0.4;q=0.5,*/*;q=0.1")


def scrape(port, accept=ACCEPT):
    request = urllib.request.Request("http://127.0.0.1:%d/metrics" % port,
                                     headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=LIMIT) as answer:
        return answer.headers["Content-Type"], answer.read()


def metrics(port):
    kind, data = scrape(port)
    assert kind == OPENMETRICS
    return Metrics(data, True)


def settled(port, requests):
    """The metrics when so many requests have been counted."""
    wait_until(lambda: metrics(port).sum("smbd_requests_total") >= requests,
               "counted")
    return metrics(port)


@pytest.fixture
def serving(trace, free_port, tmp_path):
    """serving(actor, option...): the port, and the tracer of the actor."""
    def start(actor, *options):
        port = free_port()
        tracer = trace(actor, "-i", "0.1", "--json",
                       "--listen=127.0.0.1:%d" % port, *options,
                       into=tmp_path / "printed")
        return port, tracer
    return start


def reads(count, status=0):
    return ["begin:%d" % w.READ, "end:%d" % status] * count


def test_they_are_those_of_the_reports(act, serving):
    actor = act("user:alice", "share:data", "from:0", "file:a", *reads(300))
    port, tracer = serving(actor)
    actor.play()
    m = settled(port, 300)
    reports, _ = tracer.reports()
    assert m.get("smbd_requests_total", command="read") == 300
    assert m.sum("smbd_requests_total") == 300
    rows = [row for report in reports for row in report["operations"]]
    for name, key in (("smbd_received_bytes_total", "bytes_in"),
                      ("smbd_sent_bytes_total", "bytes_out")):
        assert m.sum(name) == sum(row[key] for row in rows) > 0
    total = m.get("smbd_request_duration_seconds_sum", command="read")
    # the JSON has whole microseconds for each report
    assert total * 1e6 == pytest.approx(sum(row["total_us"] for row in rows),
                                        abs=len(reports) + 1)
    assert m.sum("smbd_request_time_seconds_total", command="read") == \
        pytest.approx(total, abs=1e-6)
    for kind, name in ("user", "alice"), ("share", "data"):
        assert m.by("smbd_%s_requests_total" % kind, kind) == {
            name: 300, "other": 0}
        assert m.get("smbd_%s_seconds_total" % kind, **{kind: name}) == total
    assert m.get("smbd_share_command_requests_total", share="data",
                 command="read") == 300
    assert m.sum("tsmbd_lost_total") == 0
    assert len(m) <= 2000


@pytest.mark.thorough
def test_a_client_of_the_demo_server(server, tsmbd, free_port, tmp_path):
    port = free_port()
    tracer = tsmbd("-i", "0.1", "--json", "--listen=127.0.0.1:%d" % port,
                   into=tmp_path / "printed")
    result = server.client("--files", "200")
    assert result.returncode == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    sent = {row[0]: row for row in rows if len(row) == 6}
    names = {"QUERY_INFO": "getinfo", "CREATE": "create", "READ": "read",
             "WRITE": "write", "CLOSE": "close", "ECHO": "keepalive"}
    m = settled(port, int(sent["Total"][1]))
    reports, _ = tracer.reports()
    assert m.sum("smbd_requests_total") == int(sent["Total"][1])
    for name, command in names.items():
        assert m.get("smbd_requests_total", command=command) == \
            int(sent[name][1])
        assert m.get("smbd_request_duration_seconds_count",
                     command=command) == int(sent[name][1])
    bytes_in = m.sum("smbd_received_bytes_total")
    assert bytes_in == sum(report["bytes_in"] for report in reports)
    for direction in "read", "write":
        assert m.get("smbd_disk_duration_seconds_count",
                     direction=direction) == \
            sum(report[direction]["count"] for report in reports) > 0
    assert m.by("smbd_client_requests_total", "client") == {
        "ipv4:127.0.0.1": int(sent["Total"][1]), "other": 0}


@pytest.mark.thorough
@pytest.mark.parametrize("ms", [0, 3, 40])
def test_the_bucket(act, serving, ms):
    actor = act("begin:%d" % w.READ, "spin:%d" % ms, "end:0")
    port, tracer = serving(actor)
    actor.play()
    m = settled(port, 1)
    took = m.get("smbd_request_duration_seconds_sum", command="read")
    buckets = {float(dict(key)["le"]): value for key, value in
               m.samples["smbd_request_duration_seconds_bucket"].items()
               if ("command", "read") in key}
    assert sorted(buckets) == [2 ** power / 1e6 for power in range(3, 28)] + \
        [float("inf")]
    for bound, count in buckets.items():
        assert count == (took < bound), (took, bound)
    assert took >= ms / 1000


def test_failures(act, serving):
    actor = act(*reads(3, w.ACCESS_DENIED), *reads(2, 0xc0000011),
                *reads(4, 0xc0990099))
    port, tracer = serving(actor)
    actor.play()
    m = settled(port, 9)
    found = {dict(key)["status"]: value
             for key, value in m.samples["smbd_errors_total"].items()
             if ("command", "read") in key}
    # the end of a file is not a failure
    assert found == {"STATUS_ACCESS_DENIED": 3, "0xc0990099": 4, "other": 0}
    assert m.sum("smbd_errors_total") == 7


@pytest.mark.thorough
def test_both_formats(act, serving):
    actor = act(*reads(5))
    port, tracer = serving(actor)
    actor.play()
    new = settled(port, 5)
    kind, data = scrape(port, "*/*")
    assert kind == PROMETHEUS
    old = Metrics(data, False)
    own = {name for name in new.samples if name.startswith("tsmbd_")}
    assert {name: new.samples[name] for name in set(new.samples) - own} == \
        {name: old.samples[name] for name in set(old.samples) - own}
    assert new.units["smbd_sent_bytes"] == "bytes"
    assert new.types["tsmbd_build"] == "info"
    assert old.types["tsmbd_build_info"] == "gauge"
    for accept in "text/plain;version=0.0.4", "text/html", "":
        assert scrape(port, accept)[0] == PROMETHEUS


def test_parsers_of_others_read_them(act, serving):
    openmetrics = pytest.importorskip(
        "prometheus_client.openmetrics.parser",
        reason="needs the package python3-prometheus-client")
    import prometheus_client.parser
    actor = act("share:a\"\\b", "user:\xe9\n{}", "from:0", *reads(5))
    port, tracer = serving(actor)
    actor.play()
    m = settled(port, 5)
    text = scrape(port)[1].decode()
    families = list(openmetrics.text_string_to_metric_families(text))
    samples = [sample for family in families for sample in family.samples]
    assert len(samples) == len(m)
    for sample in samples:
        if not sample.name.startswith("tsmbd_"):
            assert m.get(sample.name, **sample.labels) == sample.value
    old = scrape(port, "*/*")[1].decode()
    families = prometheus_client.parser.text_string_to_metric_families(old)
    assert sum(len(family.samples) for family in families) == len(m)


@pytest.mark.skipif(which("promtool") is None,
                    reason="needs promtool, of the package prometheus")
def test_promtool_has_no_complaint(act, serving):
    actor = act("share:a", "user:b", "from:0", *reads(5))
    port, tracer = serving(actor)
    actor.play()
    settled(port, 5)
    done = subprocess.run(["promtool", "check", "metrics"],
                          input=scrape(port, "*/*")[1], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LIMIT)
    assert (done.returncode, done.stdout) == (0, b"")


HOSTILE = ["a\"b", "a\\", "a\\n", "a\nb", "a\"} 1\nsmbd_evil 1", "a\udcff",
           "a\udcfe", "\x1b[2J", "other", "-", "a\r", "\u2028",
           "\xe9" * 60, "# EOF"]


def test_hostile_names(act, serving):
    acts = []
    for name in HOSTILE:
        acts += ["share:" + name, "user:" + name, "from:0", *reads(1)]
    actor = act(*acts)
    port, tracer = serving(actor)
    actor.play()
    m = settled(port, len(HOSTILE))
    assert "smbd_evil" not in m.samples
    for kind in "share", "user":
        found = m.by("smbd_%s_requests_total" % kind, kind)
        assert sum(found.values()) == len(HOSTILE)
        # two names that cannot be told apart have one series
        assert found["a?"] == 3 and found["a\\"] == 1
        assert found["other"] == 1
        assert found["a?b"] == 1 and found["a\"b"] == 1


# a CANCEL is not a request
COMMANDS = [opcode for opcode in range(19) if opcode != w.CANCEL]


@pytest.mark.thorough
def test_many_names(act, serving):
    acts = []
    for i in range(300):
        acts += ["share:s%d" % i, "user:u%d" % i, "from:0"]
        for opcode in COMMANDS:
            acts += ["begin:%d" % opcode, "end:%d" % (0xc0010000 + i)]
    actor = act(*acts)
    port, tracer = serving(actor, "--top-series=48")
    actor.play()
    m = settled(port, 300 * len(COMMANDS))
    # there is one client only
    assert 1700 < len(m) <= 2000
    for kind in "share", "user":
        found = m.by("smbd_%s_requests_total" % kind, kind)
        assert len(found) == 49
        assert sum(found.values()) == 300 * len(COMMANDS) - m.get(
            "tsmbd_lost_total", what="top")
    pairs = m.samples["smbd_share_command_requests_total"]
    assert len(pairs) == 200 + 20
    assert m.sum("smbd_share_command_requests_total") == \
        m.sum("smbd_share_requests_total")
    assert m.sum("smbd_errors_total") == 300 * len(COMMANDS)
    assert len(m.samples["smbd_errors_total"]) == 150 + 20


def test_counters_never_fall(act, serving):
    actor = act("share:a", "user:b", "from:0", *reads(1), "again:199999")
    port, tracer = serving(actor, "--top-series=2")
    actor.go()
    before = {}
    seen = set()
    while before.get(("smbd_requests_total", (("command", "read"),)),
                     0) < 200000:
        m = metrics(port)
        now = {(name, key): value for name, series in m.samples.items()
               for key, value in series.items() if not m.types.get(name) ==
               "gauge"}
        for key, value in before.items():
            assert now[key] >= value, key
        before = now
        seen.add(m.get("tsmbd_reports_total"))
    assert len(seen) > 1
    actor.read()


def unread(pipe):
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


@pytest.mark.thorough
def test_a_reader_that_does_not_read(act, trace, free_port):
    """The reports become longer; the metrics go on."""
    actor = act(*reads(1), "hold", *reads(5))
    port = free_port()
    tracer = trace(actor, "-i", "0.05", "--json", "-d",
                   "--listen=127.0.0.1:%d" % port)
    actor.play()
    settled(port, 1)
    before, now = -1, 0
    while now == 0 or before < now:
        time.sleep(1)
        before, now = now, unread(tracer.process.stdout)
    actor.play()
    settled(port, 6)
    found, _ = tracer.reports()
    assert sum(report["requests"] for report in found) == 6


@pytest.mark.thorough
def test_lines_that_nobody_reads(act, trace, free_port, tmp_path):
    """They are lost, and counted; metrics and history go on. More than 4 MiB
    of them are kept while nobody reads."""
    count = 40000
    actor = act("share:data", "from:0", "file:" + "a" * 100,
                *reads(1), "again:%d" % (count - 1), "hold", *reads(3))
    port = free_port()
    tracer = trace(actor, "--slow=0", "--json", "--history=%s" % (tmp_path / "h"),
                   "--listen=127.0.0.1:%d" % port)
    actor.play()
    settled(port, count)
    actor.play()
    settled(port, count + 3)
    reports, events = tracer.reports()
    lost = reports[0]["lost"]["lines"]
    assert lost > 0
    assert [report["requests"] for report in reports] == [count + 3]
    assert len(events) + lost == count + 3
    done = subprocess.run([tracer.process.args[0], "replay", "--json",
                           "--history=%s" % (tmp_path / "h")], timeout=LIMIT,
                          stdout=subprocess.PIPE, check=True)
    assert json.loads(done.stdout)["requests"] == count + 3


@pytest.mark.thorough
def test_its_end_waits_for_the_reader_last(act, trace, tmp_path):
    """When only the reader is waited for, a signal ends that."""
    actor = act("share:data", "file:" + "a" * 100, *reads(1), "again:3000")
    textfile = tmp_path / "smbd.prom"
    tracer = trace(actor, "--slow=0", "--json", "--textfile=%s" % textfile)
    actor.play()
    wait_until(lambda: b'{command="read"} 3001' in textfile.read_bytes()
               if textfile.exists() else False, "counted")
    tracer.process.terminate()
    wait_until(lambda: handles(tracer.process.pid, signal.SIGTERM) is False,
               "has written all but its output")
    tracer.process.terminate()
    assert tracer.process.wait(LIMIT) == -signal.SIGTERM


def handles(pid, signum):
    """Whether a process has a handler for a signal."""
    status = pathlib.Path("/proc/%d/status" % pid).read_text()
    caught, = re.findall(r"^SigCgt:\s*(\w+)", status, re.M)
    return bool(int(caught, 16) & 1 << signum - 1)


@pytest.mark.thorough
def test_without_an_interval(act, trace, free_port):
    """They are updated all the same; the only report comes at the end."""
    actor = act(*reads(7), "hold")
    port = free_port()
    tracer = trace(actor, "--json", "--listen=127.0.0.1:%d" % port)
    actor.play()
    settled(port, 7)
    assert tracer.report()["requests"] == 7


@pytest.mark.parametrize("how", [
    "hash", pytest.param("omit", marks=pytest.mark.thorough)])
def test_privacy(act, serving, how):
    actor = act("share:secret-share", "user:secret-user", "from:0",
                "file:secret-file", *reads(6, w.ACCESS_DENIED))
    port, tracer = serving(actor, "--privacy=" + how, "--errors",
                           "--top=clients,users,shares,files", "--oplocks")
    actor.play()
    m = settled(port, 6)
    data = scrape(port)[1]
    reports, events = tracer.reports()
    text = json.dumps([reports, events])
    assert len(events) == 6
    assert b"secret" not in data and "secret" not in text
    assert "127.0.0.1" not in text
    names = {event[key] for event in events for key in ("share", "user")}
    if how == "omit":
        assert not any("share" in name or "_user_" in name
                       for name in m.samples)
        assert names == {"hidden"}
        return
    shares = m.by("smbd_share_requests_total", "share")
    share, = set(shares) - {"other"}
    assert len(share) == 16 and int(share, 16) and shares[share] == 6
    user, = set(m.by("smbd_user_requests_total", "user")) - {"other"}
    assert user != share and names == {user, share}
    rows = [row for report in reports for row in report["top"]["shares"]]
    assert {row["name"] for row in rows} == {share}


def test_textfile(act, trace, tmp_path):
    path = tmp_path / "tsmbd.prom"
    actor = act(*reads(5))
    tracer = trace(actor, "-i", "0.1", "--textfile=%s" % path,
                   into=tmp_path / "printed")
    wait_until(path.exists, "written")
    assert path.stat().st_mode & 0o777 == 0o644
    Metrics(path.read_bytes(), False)
    actor.play()
    tracer.stop()
    m = Metrics(path.read_bytes(), False)
    assert m.get("smbd_requests_total", command="read") == 5
    assert [entry.name for entry in tmp_path.iterdir()
            if "prom" in entry.name] == ["tsmbd.prom"]


def test_a_textfile_that_cannot_be_written(program, build, tmp_path):
    server = build / "examples" / "demo" / "demo-server"
    done = subprocess.run([program, "-f", server, "--textfile",
                           tmp_path / "none" / "x"], stderr=subprocess.PIPE,
                          universal_newlines=True, timeout=LIMIT)
    assert done.returncode == 1
    assert "/none/x: cannot write beside it: No such file" in done.stderr
