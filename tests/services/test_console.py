# SPDX-License-Identifier: BSD-2-Clause
"""The pages of examples/tsmbd/prometheus, served by Prometheus, with names
that clients may choose to do harm; and the expressions of the dashboards."""

import html.parser
import subprocess
import sys
import urllib.parse

import pytest

from exporter import HOSTILE
from prometheus_run import (DASHBOARDS, EXAMPLE, LIMIT, Prometheus, expressions,
                            install)

ADDRESSES = ["127.0.0.1", "127.0.0.2", "127.0.0.3"]
RECORDED = ["smbd_requests:rate1m", "smbd_errors_per_request:ratio_rate1m",
            "smbd_request_duration_seconds:p50_1m",
            "smbd_request_duration_seconds:p99_1m"]


def has_all(prometheus, name):
    """Are there numbers of each server and of all together?"""
    return (len(prometheus.query("instance:%s > 0" % name)),
            len(prometheus.query("job:%s > 0" % name))) == (3, 1)


@pytest.fixture(scope="module")
def prometheus(need, tmp_path_factory, free_port):
    """One that has scraped three servers often enough for rates."""
    folder = tmp_path_factory.mktemp("prometheus") / "example"
    program = need("prometheus")
    port = free_port()
    exporters = [subprocess.Popen(
        [sys.executable, "-B", str(EXAMPLE.parents[2] / "tests" / "services" /
                                   "exporter.py"), address, str(port)],
        stdout=subprocess.PIPE) for address in ADDRESSES]
    for exporter in exporters:
        assert exporter.stdout.readline() == b"listens\n"
    install(folder, ["%s:%d" % (address, port) for address in ADDRESSES])
    made = Prometheus(program, folder, free_port())
    try:
        made.wait_until(lambda: all(has_all(made, name) for name in RECORDED),
                        "rates of three servers")
        yield made
    finally:
        made.end()
        for exporter in exporters:
            exporter.kill()
            exporter.wait()
            exporter.stdout.close()


class Table(html.parser.HTMLParser):
    """The texts of all cells of a page, row by row, and its elements."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.elements, self.open = [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.open = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.open = False

    def handle_data(self, data):
        if self.open:
            self.rows[-1][-1] += data


def test_all_servers(prometheus):
    rows = Table(prometheus.page("smbd.html")).rows
    assert [row[0] for row in rows[1:]] == [*ADDRESSES, "all"]
    for row in rows[1:]:
        # half of those below 128 us, in the bucket that begins at 64
        assert row[2] == "96us"
        assert row[7] == ("9" if row[0] == "all" else "3")
        assert row[4].endswith("%")
        assert row[8] == "-"     # nobody has told


def test_one_server(prometheus):
    page = prometheus.page("smbd-server.html?instance=127.0.0.2")
    table = Table(page)
    assert [row[0] for row in table.rows[1:3]] == ["create", "read"]
    names = [row[0] for row in table.rows]
    for name in HOSTILE:
        assert names.count(name or "(none)") == 3, name
    assert table.elements.count("script") == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_server_that_nobody_has(prometheus, name):
    page = prometheus.page("smbd-server.html?instance=" +
                           urllib.parse.quote(name))
    table = Table(page)
    assert ["no requests in the last minute"] in table.rows
    assert table.elements.count("script") == 1


def test_expressions_of_dashboards(prometheus):
    """All can be evaluated."""
    for dashboard in DASHBOARDS.values():
        for expression in expressions(dashboard):
            prometheus.query(expression)


def test_all_rules_are_evaluated(prometheus):
    def evaluated():
        rules = [rule for group in prometheus.api("rules")["groups"]
                 for rule in group["rules"]]
        return all(rule["health"] != "unknown" for rule in rules) and rules
    rules = prometheus.wait_until(evaluated, "all rules evaluated")
    assert [rule["lastError"] for rule in rules
            if rule["health"] != "ok"] == []


@pytest.mark.parametrize("page", ["smbd.html",
                                  "smbd-server.html?instance=127.0.0.2"])
def test_pictures(prometheus, need, tmp_path, page):
    """Drawn by the browser from what Prometheus answers."""
    done = subprocess.run(
        [need("chromium"), "--headless", "--no-sandbox", "--disable-gpu",
         "--user-data-dir=%s" % tmp_path, "--virtual-time-budget=20000",
         "--dump-dom", "http://127.0.0.1:%d/consoles/%s" % (
             prometheus.port, page)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        universal_newlines=True, timeout=LIMIT)
    table = Table(done.stdout)
    assert 'data-drawn="yes"' in done.stdout
    assert ">cannot draw" not in done.stdout
    assert table.elements.count("rect") > 0
    # below 128 us, all 50 requests of a second or of three servers
    assert "/s below 128 us" in done.stdout
    assert ("polyline" in table.elements) == (page == "smbd.html")
