# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus that scrapes tsmbd on three hosts, each with a real smbd and
other clients: the sums over hosts are those of the clients, as a relay reads
them on the wire, and those of smbd's own profiling.

It needs a tree of Samba that ./dev samba has built, which SDTKIT_SAMBA names,
and smbclient.
"""

import collections
import os
import pathlib
import sys
import threading

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] /
                    "examples" / "samba"))

import counts                           # noqa: E402
import relay                            # noqa: E402
import server                           # noqa: E402
import source as samba_source           # noqa: E402
from demo_server import LIMIT, wait_until   # noqa: E402
from network import Network             # noqa: E402
from prometheus_run import Prometheus, install  # noqa: E402
from service_run import (               # noqa: E402
    COMMANDS, PORT, Service, scraped, without_zeros)
from programs import which

FILES = [[5], [30, 10], [60]]   # of the clients of each host, by turns
FIELDS = {"requests": "count", "received_bytes": "bytes_in",
          "sent_bytes": "bytes_out"}    # metric: what counts.py calls it


class HostSmbd(server.Smbd):
    """smbd on a host, with a relay here through which clients reach it."""

    def __init__(self, tree, top, host):
        self.host = host
        top.mkdir()
        super().__init__(tree, top)
        self.relay = relay.Relay(None, self.connect)

    def words(self, *command):
        return self.host.words(*command)

    def connect(self):
        return self.host.connect("127.0.0.1", self.port)

    def listens(self):
        try:
            self.connect().close()
        except OSError:
            return False
        return True


class Hosts:
    def __init__(self, tree, program, prometheus, network, folder):
        self.network = network
        self.servers, self.tracers = [], []
        self.prometheus = None
        try:
            self.start(tree, program, prometheus, folder)
        except BaseException:
            self.end()
            raise

    def start(self, tree, program, prometheus, folder):
        for number, host in enumerate(self.network.hosts):
            smbd = HostSmbd(tree, folder / str(number), host)
            self.servers.append(smbd)
            # all have the same files, so it is the process that tells them
            self.tracers.append(Service(program, host, folder, "-p",
                                        str(smbd.process.pid)))
        install(folder / "prometheus", ["%s:%d" % (host.address, PORT)
                                        for host in self.network.hosts])
        self.prometheus = Prometheus(prometheus, folder / "prometheus", 9090,
                                     self.network.watcher)

    def end(self):
        if self.prometheus:
            self.prometheus.end()
        for tracer in self.tracers:
            tracer.end()
        for smbd in self.servers:
            smbd.relay.listener.close()
            smbd.stop()
        self.network.end()


@pytest.fixture(scope="module")
def tree():
    place = os.environ.get("SDTKIT_SAMBA")
    if not place:
        pytest.skip("SDTKIT_SAMBA is not set: it names a directory in which "
                    "./dev samba has built Samba")
    if not which("smbclient"):
        pytest.skip("smbclient is not installed")
    found = samba_source.unpacked(pathlib.Path(place), "samba")
    assert found and (found / "bin" / "smbstatus").exists(), \
        "%s has no Samba that was built: ./dev samba" % place
    return found


@pytest.fixture(scope="module")
def hosts(tree, need, program, tmp_path_factory):
    prometheus = need("prometheus")
    made = Hosts(tree, program, prometheus, Network(need("ip"), len(FILES)),
                 tmp_path_factory.mktemp("smbd"))
    yield made
    made.end()


def drive(smbd, top, files, failures):
    try:
        for count in files:
            server.drive(smbd.relay.port, top, count)
    except samba_source.Failed as error:
        failures.append(error)


@pytest.fixture(scope="module")
def sent(hosts, tmp_path_factory):
    """All hosts at once; {address: requests on the wire}"""
    others = [smbd.children() for smbd in hosts.servers]
    failures = []
    threads = [threading.Thread(target=drive, args=(
        smbd, tmp_path_factory.mktemp("client"), files, failures))
        for smbd, files in zip(hosts.servers, FILES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert failures == [] and not any(map(threading.Thread.is_alive, threads))
    for smbd, before in zip(hosts.servers, others):
        wait_until(lambda: smbd.children() <= before, "clients are gone")
        smbd.relay.close()
    return {smbd.host.address: smbd.relay.requests for smbd in hosts.servers}


def on_the_wire(requests):
    """As counts.by_tsmbd(), from what a relay has read."""
    found = {}
    for request in requests:
        one = found.setdefault(request.name, collections.Counter())
        one["count"] += 1
        one["bytes_in"] += request.in_bytes
        one["bytes_out"] += request.out_bytes
    return found


def total(operations, field):
    """By command as in metrics, of all hosts."""
    sums = collections.Counter()
    for host in operations:
        for name, one in host.items():
            sums[COMMANDS[relay.NAMES.index(name)]] += one[field]
    return without_zeros(sums)


def test_they_had_different_loads(sent):
    numbers = list(map(len, sent.values()))
    assert numbers[0] * 3 < numbers[1] < numbers[2]
    assert all(request.status is not None
               for requests in sent.values() for request in requests)


@pytest.mark.parametrize("metric", FIELDS)
def test_sums_are_those_of_the_clients(hosts, sent, metric):
    scraped(hosts.prometheus, "sum by (command) (smbd_%s_total)" % metric,
            ["command"], total(map(on_the_wire, sent.values()),
                               FIELDS[metric]))


@pytest.mark.parametrize("metric", FIELDS)
def test_sums_are_those_of_smbd(hosts, sent, metric):
    """Of `smbstatus -P` of each, which counts what no smbd rejects."""
    operations = [counts.by_smbd(smbd.profile()) for smbd in hosts.servers]
    if None in operations:
        pytest.skip("this Samba was built without profiling")
    scraped(hosts.prometheus, "sum by (command) (smbd_%s_total)" % metric,
            ["command"], total(operations, FIELDS[metric]))


def test_each_host_has_its_own(hosts, sent):
    scraped(hosts.prometheus, "sum by (instance) (smbd_requests_total)",
            ["instance"], {address: len(requests)
                           for address, requests in sent.items()})


def test_errors_are_those_on_the_wire(hosts, sent):
    """Without answers that are benign, and with the status as a name."""
    benign = {0, 0x80000005, 0x80000006, 0xc0000016}
    for address, requests in sent.items():
        failed = sum(request.status not in benign for request in requests)
        scraped(hosts.prometheus,
                'sum(smbd_errors_total{instance="%s"}) or vector(0)' % address,
                ["instance"], without_zeros({None: failed}))


def test_nothing_was_lost(hosts, sent):
    scraped(hosts.prometheus, "sum by (what) (tsmbd_lost_total)", ["what"], {})
