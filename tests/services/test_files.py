# SPDX-License-Identifier: BSD-2-Clause
"""The files of examples/tsmbd/prometheus: what Prometheus and Grafana say of
them, and that they name no metric that tsmbd does not have."""

import importlib.util
import json
import os
import re
import subprocess

import pytest

from prometheus_run import EXAMPLE, RULES, expressions

DASHBOARDS = sorted((EXAMPLE / "grafana").glob("*.json"))
TESTED = sorted((EXAMPLE / "rules").glob("*.test.yml"))
TEXTS = [*(EXAMPLE / "rules" / name for name in RULES),
         *(EXAMPLE / "consoles").iterdir(),
         *(EXAMPLE / "console_libraries").iterdir(), *DASHBOARDS]


def promtool(need, *words):
    done = subprocess.run(
        [need("promtool"), *words], cwd=str(EXAMPLE), stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, universal_newlines=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_configuration(need):
    assert "2 rule files found" in promtool(need, "check", "config",
                                            "prometheus.yml")


def test_rules(need):
    """Each rule does what its name says, and each alert fires when it should
    and not before."""
    assert promtool(need, "test", "rules", *map(str, TESTED)).count(
        "SUCCESS") == len(TESTED) == 2


def test_each_alert_is_tested():
    alerts = re.findall(r"alert: (\w+)",
                        (EXAMPLE / "rules" / "smbd.alerts.yml").read_text())
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


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_names(source, path):
    """All that it asks for is a metric of tsmbd, or what a rule makes."""
    text = path.read_text()
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


def test_dashboards_are_made_by_the_script(tmp_path):
    path = EXAMPLE / "grafana" / "make.py"
    spec = importlib.util.spec_from_file_location("make", str(path))
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    for name, dashboard in make.dashboards().items():
        if os.environ.get("SDTKIT_REGENERATE") == "1":
            (path.parent / name).write_text(make.text(dashboard))
        assert (path.parent / name).read_text() == make.text(dashboard)
    assert {path.name for path in DASHBOARDS} == set(make.dashboards())


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_a_dashboard(need, tmp_path, path):
    """Nothing overlaps, no data source is named, each expression is one."""
    dashboard = json.loads(path.read_text())
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
