# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus that scrapes tsmbd on several hosts, with what is in
examples/tsmbd/prometheus: the sums are those of the clients, alerts fire when
they should.

The last host has no server but an actor, whose requests are slow and fail. The
tests follow each other: later ones see what earlier ones did.
"""

import collections
import json
import os
import subprocess

import pytest

from actor import Actor, compile_actor
from demo_server import LIMIT, Server, wait_until
from network import Network
from prometheus_run import DASHBOARDS, Prometheus, expressions, install
from service_run import COMMANDS, PORT, Service, scraped, without_zeros

CREATE = 5
ACCESS_DENIED = 0xc0000022
SLOW = 80           # requests of more than 100 ms
FILES = [[20], [70, 30], [110]]     # of the clients of each host


def name_of(host):
    """What the service of that host looks for: nobody else has it."""
    return "host%s-%d" % (host.address.split(".")[2], os.getpid())


class HostServer(Server):
    """demo-server on a host."""

    def __init__(self, build, folder, host):
        self.host = host
        super().__init__(build, folder, folder.with_suffix(".log"),
                         name_of(host))

    def command(self, *args):
        return self.host.words(self.program, *args)

    def clients(self, files):
        """Runs clients side by side; returns their counts by command:
        requests, bytes to the server, bytes to the client."""
        clients = [subprocess.Popen(self.host.words(
            self.client_program, "--port", self.port, "--json", "--files",
            count, "--size", "3000"), stdout=subprocess.PIPE)
            for count in files]
        sums = [collections.Counter() for _ in range(3)]
        for client in clients:
            report = json.loads(client.communicate(timeout=LIMIT)[0])
            assert report["ok"]
            for request in report["requests"].values():
                name = COMMANDS[request["opcode"]]
                for total, field in zip(sums, ("sent", "bytes_out",
                                               "bytes_in")):
                    total[name] += request[field]
        wait_until(self.idle, "children reaped")
        return sums


class Hosts:
    """Three servers and an actor, each with tsmbd, and Prometheus."""

    def __init__(self, network, build, source, folder, program, prometheus):
        self.network = network
        self.tracers, self.servers = [], []
        self.prometheus = self.actor = None
        try:
            self.start(build, source, folder, program, prometheus)
        except BaseException:
            self.end()
            raise

    def start(self, build, source, folder, program, prometheus):
        *hosts, last = self.network.hosts
        for number, host in enumerate(hosts):
            server = HostServer(build, folder / str(number), host)
            self.servers.append(server)
            self.tracers.append(Service(program, host, folder,
                                        "-n", name_of(host)))
        self.actor = Actor(
            compile_actor(build, source, folder / name_of(last)), folder,
            "from:0", "begin:%d" % CREATE, "ctdb:110",
            "end:%d" % ACCESS_DENIED, "again:%d" % (SLOW - 1))
        self.tracers.append(Service(program, last, folder,
                                    "-n", name_of(last)))
        install(folder / "prometheus",
                ["%s:%d" % (host.address, PORT)
                 for host in self.network.hosts], impatient=True)
        self.prometheus = Prometheus(prometheus, folder / "prometheus", 9090,
                                     self.network.watcher)
        # rates are of what comes after the first scrape
        self.prometheus.wait_until(
            lambda: len(self.prometheus.query('up{job="smbd"} == 1')) ==
            len(self.network.hosts), "all hosts scraped")

    def end(self):
        if self.prometheus:
            self.prometheus.end()
        for tracer in self.tracers:
            tracer.end()
        if self.actor:
            self.actor.end()
        for server in self.servers:
            server.stop()
            server.process.stdout.close()
        self.network.end()


@pytest.fixture(scope="module")
def hosts(need, program, build, source, tmp_path_factory):
    prometheus = need("prometheus")
    network = Network(need("ip"), len(FILES) + 1)
    made = Hosts(network, build, source, tmp_path_factory.mktemp("hosts"),
                 program, prometheus)
    yield made
    made.end()


@pytest.fixture(scope="module")
def sent(hosts):
    """What the clients did: {address: [requests, bytes to, bytes from]}"""
    return {server.host.address: server.clients(files)
            for server, files in zip(hosts.servers, FILES)}


def more(hosts, sent):
    """Clients once more: rates and percentiles are of the last minute."""
    for server, files in zip(hosts.servers, FILES):
        for counts, again in zip(sent[server.host.address],
                                 server.clients(files)):
            counts.update(again)


def alerts(hosts):
    return {alert for alert, _ in hosts.prometheus.firing()}


def total(sent, field):
    """By command, of all hosts."""
    return without_zeros(sum((counts[field] for counts in sent.values()),
                             collections.Counter()))


def test_sums_of_all_hosts_are_those_of_the_clients(hosts, sent):
    for field, metric in enumerate(["requests", "received_bytes",
                                    "sent_bytes"]):
        scraped(hosts.prometheus,
                "sum by (command) (smbd_%s_total)" % metric, ["command"],
                total(sent, field))


def test_each_host_has_its_own(hosts, sent):
    scraped(hosts.prometheus, "sum by (instance) (smbd_requests_total)",
            ["instance"], {address: sum(counts[0].values())
                           for address, counts in sent.items()})


def test_histograms_have_each_request(hosts, sent):
    scraped(hosts.prometheus,
            'sum by (command) (smbd_request_duration_seconds_bucket'
            '{le="+Inf"})', ["command"], total(sent, 0))


def test_names_have_each_request(hosts, sent):
    """Also those whose names do not have series of their own."""
    for kind in "share", "client", "user":
        scraped(hosts.prometheus,
                "sum by (instance) (smbd_%s_requests_total)" % kind,
                ["instance"], {address: sum(counts[0].values())
                               for address, counts in sent.items()})


def test_recording_rules(hosts, sent):
    def has_rates():
        more(hosts, sent)
        return len(hosts.prometheus.query(
            "instance:smbd_requests:rate1m > 0")) == len(FILES)
    hosts.prometheus.wait_until(has_rates, "rates")
    rules = [rule for group in hosts.prometheus.api("rules")["groups"]
             for rule in group["rules"]]
    assert [rule for rule in rules if rule["health"] == "err"] == []
    # the same moment, of all hosts and of all commands; a query may come
    # between the samples of two rules
    for label in "instance", "command":
        differs = ("abs(job:smbd_requests:rate1m - sum without (%s) "
                   "(%s:smbd_requests:rate1m)) > 1e-9" % (label, label))
        hosts.prometheus.wait_until(
            lambda: hosts.prometheus.query(differs) == [], "equal sums")
    # rules are evaluated group by group
    hosts.prometheus.wait_until(lambda: set(hosts.prometheus.values(
        "command:smbd_request_duration_seconds:p99_1m", "command")) ==
        set(total(sent, 0)), "percentiles")


def test_processes_and_phases(hosts, sent):
    """Phases are those of the documentation, and none is negative."""
    phases = hosts.prometheus.values("smbd_process_seconds_total", "phase")
    assert set(phases) == {"wait", "receive", "parse", "run", "send", "ctdb",
                           "other"}
    assert hosts.prometheus.query("smbd_process_seconds_total < 0") == []


def test_no_alert_without_reason(hosts, sent):
    """The clients of the demo do not fail. They may be slow on a busy
    machine, where a scrape may take longer than a second, too."""
    assert alerts(hosts) <= {"SmbdSlow", "SmbdSlowLogon", "TsmbdDown"}
    hosts.prometheus.wait_until(lambda: "TsmbdDown" not in alerts(hosts),
                                "all answer")


def test_page(hosts, sent):
    page = hosts.prometheus.page("smbd.html")
    for host in hosts.network.hosts:
        assert ">%s</a>" % host.address in page
    one = "smbd-server.html?instance=" + hosts.network.hosts[0].address
    more(hosts, sent)

    def has_rows():
        page = hosts.prometheus.page(one)
        return all("<td>%s</td>" % name in page for name in total(sent, 0))
    hosts.prometheus.wait_until(has_rows, "a row of each command")


def test_expressions_of_dashboards(hosts, sent):
    """All have an answer, but those of what did not happen."""
    more(hosts, sent)

    def silent():
        return [expression for name in ("smb-server.json", "smb-servers.json")
                for expression in expressions(DASHBOARDS[name])
                if "errors" not in expression and
                "tsmbd_lost" not in expression and
                not hosts.prometheus.query(expression)]
    hosts.prometheus.wait_until(lambda: not silent(), "answers")


def test_slow_requests(hosts, sent):
    """Those of the actor wait for ctdb, and then fail."""
    troubled = hosts.network.hosts[-1].address
    hosts.actor.play()
    expected = {(alert, troubled) for alert in (
        "SmbdSlow", "SmbdErrors", "SmbdWaitsForCtdb")}
    hosts.prometheus.wait_until(
        lambda: expected <= hosts.prometheus.firing(), "alerts fire")
    # that is over a minute later
    assert "SmbdSlow: %s, create" % troubled in \
        hosts.prometheus.page("smbd.html")
    assert {alert for alert, _ in hosts.prometheus.firing() - expected} <= {
        "SmbdSlow", "SmbdSlowLogon", "TsmbdDown"}
    scraped(hosts.prometheus, "smbd_errors_total",
            ["instance", "command", "status"],
            {(troubled, "create", "STATUS_ACCESS_DENIED"): SLOW})


def test_a_host_whose_tsmbd_ends(hosts, sent):
    gone = hosts.network.hosts[1].address
    hosts.tracers[1].stop()
    hosts.prometheus.wait_until(
        lambda: ("TsmbdDown", gone) in hosts.prometheus.firing(),
        "alert fires")
    assert "does not answer" in hosts.prometheus.page("smbd.html")
