# SPDX-License-Identifier: BSD-2-Clause
"""The files of examples/tsmbd/prometheus: what Prometheus and Grafana say of
them, and that they name no metric that tsmbd does not have."""

import json
import re
import subprocess

import pytest

from prometheus_run import (
    DASHBOARDS, EXAMPLE, EXAMPLES, RULES, SERVE, expressions)

TESTED = sorted(EXAMPLES.glob("*/prometheus/rules/*.test.yml"))


def texts(paths, *dashboards):
    """{name: text}"""
    return {**{path.name: path.read_text() for path in paths},
            **{name: json.dumps(DASHBOARDS[name]) for name in dashboards}}


TEXTS = texts([*(EXAMPLE / "rules" / name for name in RULES),
               *EXAMPLE.glob("console*/*")],
              "smb-server.json", "smb-servers.json")
SERVE_TEXTS = texts([*SERVE.glob("rules/*s.yml"), *SERVE.glob("consoles/*")],
                    "sdtkit.json")


def promtool(need, *words, example=EXAMPLE):
    done = subprocess.run(
        [need("promtool"), *words], cwd=str(example), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("example", [EXAMPLE, SERVE])
def test_configuration(need, example):
    assert "2 rule files found" in promtool(
        need, "check", "config", "prometheus.yml", example=example)


def test_rules(need):
    """Each rule does what its name says, and each alert fires when it should
    and not before."""
    assert promtool(need, "test", "rules", *map(str, TESTED)).count(
        "SUCCESS") == len(TESTED) == 3


def test_each_alert_is_tested():
    alerts = [name for path in EXAMPLES.glob("*/prometheus/rules/*.alerts.yml")
              for name in re.findall(r"alert: (\w+)", path.read_text())]
    assert len(alerts) == 16
    tested = "".join(path.read_text() for path in TESTED)
    assert [alert for alert in alerts if
            not re.search("alertname: %s\n.*\n +exp_alerts:\n" % alert,
                          tested)] == []


def recorded():
    """The names that the rules make."""
    return set(re.findall(r"record: (\S+)",
                          (EXAMPLE / "rules" / "smbd.rules.yml").read_text()))


def documented(source):
    """The names of docs/tsmbd-metrics.md. A row may shorten all but the first:
    `smbd_client_requests_total`, `..._errors_total`."""
    names = set()
    for line in (source / "docs" / "tsmbd-metrics.md").read_text().split("\n"):
        cell = re.match(r"\| (`.*?) \| (counter|gauge|histogram|info) \|",
                        line)
        if not cell:
            continue
        first, *more = re.findall(r"`([\w.]+)`", cell.group(1))
        names.add(first)
        kind = re.match(r"smbd_[a-z]+", first).group() if more else ""
        names.update(name.replace("...", kind) for name in more)
    return names


@pytest.mark.parametrize("name", TEXTS)
def test_names(source, name):
    """All that it asks for is a metric of tsmbd, or what a rule makes."""
    text = TEXTS[name]
    used = set(re.findall(r"(?:\w+:)?t?smbd_(?:%s_)?\w+(?::\w+)?", text))
    used -= set(re.findall(r'template "(\w+)"', text))
    used -= set(re.findall(r'define "(\w+)"', text))
    used -= set(re.findall(r"name: (\w+)\n", text))
    assert used
    known = documented(source) | recorded()
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in known}
    for name in sorted(used):
        for kind in "share", "client", "user":
            one = re.sub("_(bucket|sum|count)$", "", name.replace("%s", kind))
            assert one in known | families, name


@pytest.mark.parametrize("name", SERVE_TEXTS)
def test_names_of_serve(source, name):
    """All that it asks for is a metric of docs/serve.md or what a rule makes."""
    known = set(re.findall(r"`(sdtkit_\w+)`",
                           (source / "docs" / "serve.md").read_text()))
    known |= set(re.findall(r"record: (\S+)", (
        SERVE / "rules" / "sdtkit.rules.yml").read_text()))
    histogram = "sdtkit_span_duration_seconds"
    known |= {histogram + end for end in ("_bucket", "_sum", "_count")}
    used = set(re.findall(r"(?:\w+:)?sdtkit_(?!alerts|spans\n|latency|programs)"
                          r"\w+(?::\w+)?", SERVE_TEXTS[name]))
    assert used and used - known == set()


@pytest.mark.parametrize("name", DASHBOARDS)
def test_a_dashboard(need, build, tmp_path, name):
    """It is installed. Nothing overlaps, no data source is named, each
    expression is one."""
    dashboard = json.loads((build / "docs" / name).read_text())
    assert dashboard == DASHBOARDS[name]
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24
        taken |= cells
        assert panel["datasource"]["uid"] == "${source}"
        assert all(target["datasource"]["uid"] == "${source}"
                   for target in panel["targets"])
    assert dashboard["templating"]["list"][0]["name"] == "source"
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(set(numbers)) == len(numbers)
    rules = tmp_path / "rules.yml"
    rules.write_text(json.dumps({"groups": [{"name": "all", "rules": [
        {"record": "expression_%d" % number, "expr": expression}
        for number, expression in enumerate(expressions(dashboard))]}]}))
    promtool(need, "check", "rules", str(rules))
