# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus that scrapes sdtkit serve on three hosts with different programs,
with what is in examples/serve/prometheus: the sums are what the programs did.
Performance Co-Pilot reads the same."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "top"))

import cluster as postgresql        # noqa: E402
from demo_server import LIMIT, Server, wait_until  # noqa: E402
from network import Network  # noqa: E402
from pcp_run import Pcp  # noqa: E402
from prometheus_run import (  # noqa: E402
    DASHBOARDS, SERVE, Prometheus, expressions, install)
from service_run import PORT, without_zeros  # noqa: E402

COUNT = "sdtkit_span_duration_seconds_count"
FILES = 40          # of the client
SPANS = 1234        # of the small program
QUERIES = 57


def name_of(letter):
    """A program of this test, of which no other test has one."""
    return "%s%d" % (letter, os.getpid())


class Traced:
    """sdtkit serve on a host, which counts one program."""

    def __init__(self, program, host, folder, only):
        self.host, self.log = host, folder / (only + ".log")
        self.process = subprocess.Popen(
            host.words(program, "serve", "--no-auth", "--only=" + only,
                       "--listen=%s:%d" % (host.address, PORT)),
            stderr=self.log.open("w"))
        wait_until(lambda: "counting " + only in self.log.read_text() or
                   self.process.poll() is not None, "counting " + only)

    def end(self):
        self.process.terminate()
        assert self.process.wait(LIMIT) == 0, self.log.read_text()


class HostServer(Server):
    """demo-server on a host."""

    def __init__(self, build, folder, host):
        self.host = host
        super().__init__(build, folder / "served", folder / "server.log",
                         name_of("a"))

    def command(self, *args):
        return self.host.words(self.program, *args)

    def requests(self):
        """What a client did, by command."""
        done = self.host.run(self.client_program, "--port", self.port, "--json",
                             "--files", FILES, timeout=LIMIT)
        return {name: request["sent"] for name, request in
                json.loads(done.stdout)["requests"].items() if request["sent"]}


def small_program(source, folder):
    """tests/serve/work.c, which has a span for each byte that it reads."""
    tests = source / "tests" / "serve"
    subprocess.run([sys.executable, source / "probegen", tests / "work.d",
                    "-o", folder / "work_probes.h"], check=True)
    path = folder / name_of("b")
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-I", folder, "-I",
                    source / "include", tests / "work.c", "-o", path],
                   check=True)
    program = subprocess.Popen([path], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    assert program.stdout.readline() == b"ready\n"
    return program


class Hosts:
    def __init__(self, network, build, source, folder, cluster, need):
        self.network, self.cluster = network, cluster
        first, second, third = network.hosts
        self.server = HostServer(build, folder, first)
        self.program = small_program(source, folder)
        sdtkit = build / "lib" / "tool" / "sdtkit"
        self.traced = [Traced(sdtkit, first, folder, name_of("a")),
                       Traced(sdtkit, second, folder, name_of("b")),
                       Traced(sdtkit, third, folder, "postgres")]
        install(folder / "prometheus",
                ["%s:%d" % (host.address, PORT) for host in network.hosts],
                impatient=True, example=SERVE)
        self.prometheus = Prometheus(need("prometheus"), folder / "prometheus",
                                     9090, network.watcher)
        self.prometheus.wait_until(
            lambda: len(self.prometheus.values(
                "sdtkit_spans_in_progress", "instance")) == 3, "all attached")

    def end(self):
        self.prometheus.end()
        for one in self.traced:
            if one.process.poll() is None:
                one.end()
        self.program.communicate()
        self.server.stop()
        self.server.process.stdout.close()
        self.network.end()


@pytest.fixture(scope="module")
def hosts(need, build, source, tmp_path_factory, unavailable):
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    if os.geteuid() != 0:
        unavailable("sdtkit serve needs root")
    if postgresql.home() is None:
        unavailable("PostgreSQL is not installed")
    need("prometheus")
    cluster = postgresql.Cluster()
    made = Hosts(Network(need("ip"), 3), build, source,
                 tmp_path_factory.mktemp("serve"), cluster, need)
    yield made
    made.end()
    cluster.close()


@pytest.fixture(scope="module")
def done(hosts):
    """{(address, span): how many the programs did}"""
    first, second, third = (host.address for host in hosts.network.hosts)
    hosts.program.stdin.write(b"\n" * SPANS)
    hosts.program.stdin.flush()
    for number in range(QUERIES):
        hosts.cluster.sql("select %d as %s" % (number, name_of("q")))
    return {(first, "request"): sum(hosts.server.requests().values()),
            (second, "work"): SPANS, (third, "query"): QUERIES}


def test_counts_are_those_of_the_programs(hosts, done):
    """Also in histograms; other tests may have other queries."""
    parts = ['span="request"', 'span="work"',
             'span="query",name=~".*%s"' % name_of("q")]
    for metric, extra in (COUNT, ""), (COUNT.replace("count", "bucket"),
                                       ',le="+Inf"'):
        query = "sum by (instance, span) (%s)" % " or ".join(
            "%s{%s%s}" % (metric, part, extra) for part in parts)
        hosts.prometheus.wait_until(
            lambda query=query: without_zeros(hosts.prometheus.values(
                query, "instance", "span")) == done, query)


def work(hosts):
    """More of it: rates are of the last minute."""
    hosts.program.stdin.write(b"\n" * 10)
    hosts.program.stdin.flush()


def test_rules_and_dashboard(hosts, done):
    prometheus = hosts.prometheus

    def moves():
        work(hosts)
        return prometheus.query('span:sdtkit_span_duration_seconds:p99_1m'
                                '{span="work"} > 0')
    prometheus.wait_until(moves, "rates")
    rules = [rule for group in prometheus.api("rules")["groups"]
             for rule in group["rules"]]
    assert [rule["lastError"] for rule in rules
            if rule["health"] == "err"] == []
    silent = [expression for expression in expressions(
        DASHBOARDS["sdtkit.json"]) if not prometheus.query(expression)]
    assert [one for one in silent if "not_counted" not in one] == []


def test_page_and_a_host_that_is_silent(hosts, done):
    prometheus = hosts.prometheus
    page = prometheus.page("sdtkit.html")
    for host in hosts.network.hosts:
        assert ">%s</a>" % host.address in page
    second = hosts.network.hosts[1].address
    one = "sdtkit.html?instance=" + second

    def has_row():
        work(hosts)
        return "<td class=\"text\">work:work</td>" in prometheus.page(one)
    # Rules are evaluated group by group: the rates may come a second later.
    prometheus.wait_until(has_row, "a row of the page")
    assert "request" not in prometheus.page(one)
    hosts.traced[1].end()
    prometheus.wait_until(
        lambda: ("SdtkitDown", second) in prometheus.firing(), "alert fires")
    assert "does not answer" in prometheus.page("sdtkit.html")


def test_performance_co_pilot(hosts, done, need, free_port, tmp_path,
                              started):
    """Reads what the first host serves, by way of a port of this one."""
    programs = need("pmcd"), need("pminfo")
    need("python3-requests")
    first = hosts.network.hosts[0]
    text = first.run("python3", "-c", "import urllib.request; print(urllib."
                     "request.urlopen('http://%s:%d/metrics').read().decode())"
                     % (first.address, PORT)).stdout
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "metrics").write_text(text.replace("\n\n", "\n"))
    port = free_port()
    started(sys.executable, "-m", "http.server", str(port), "--bind",
            "127.0.0.1", "--directory", folder, stderr=subprocess.DEVNULL)
    pcp = Pcp(*programs, tmp_path / "pcp", free_port(), {
        "fs1": "http://127.0.0.1:%d/metrics" % port})
    try:
        pcp.wait_for("openmetrics.fs1." + COUNT)
        values = pcp.values("openmetrics.fs1." + COUNT)
        assert sum(value for labels, value in values.items()
                   if "span:request" in labels) == done[
                       first.address, "request"]
    finally:
        pcp.end()
