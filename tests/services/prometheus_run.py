# SPDX-License-Identifier: BSD-2-Clause
"""Prometheus as a process, with what examples/tsmbd/prometheus has, or
examples/serve/prometheus."""

import json
import pathlib
import re
import runpy
import shutil
import subprocess
import time
import urllib.parse

from self_server import get

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
EXAMPLE = EXAMPLES / "tsmbd" / "prometheus"
SERVE = EXAMPLES / "serve" / "prometheus"
# {name of a file: dashboard}
DASHBOARDS = runpy.run_path(
    str(EXAMPLE / "grafana" / "make.py"))["dashboards"]()
LIMIT = 300     # seconds; far more than anything here takes
RULES = ["smbd.rules.yml", "smbd.alerts.yml"]


def configuration(targets, example):
    """The example's for these targets, every second."""
    text = (example / "prometheus.yml").read_text()
    text = text.replace("_interval: 15s", "_interval: 1s")
    found = re.search(r"(?: +- fs\d\.example\.org:10445\n)+", text)
    lines = "".join("          - %s\n" % target for target in targets)
    return text[:found.start()] + lines + text[found.end():]


def install(folder, targets, impatient=False, example=EXAMPLE):
    """The example in a folder; impatient: alerts fire after a second, not
    after minutes."""
    shutil.copytree(str(example), str(folder))
    if example != EXAMPLE:
        shutil.copytree(str(EXAMPLE / "console_libraries"),
                        str(folder / "console_libraries"))
    (folder / "prometheus.yml").write_text(configuration(targets, example))
    if impatient:
        (alerts,) = (folder / "rules").glob("*.alerts.yml")
        alerts.write_text(re.sub(r"\bfor: \d+m\b", "for: 1s",
                                 alerts.read_text()))


class Prometheus:
    """Answers on port of 127.0.0.1; of a host's own, if there is a host."""

    def __init__(self, program, folder, port, host=None):
        self.port = port
        self.host = host
        words = [program, "--config.file=%s/prometheus.yml" % folder,
                 "--storage.tsdb.path=%s/data" % folder,
                 "--web.listen-address=127.0.0.1:%d" % port,
                 "--web.console.templates=%s/consoles" % folder,
                 "--web.console.libraries=%s/console_libraries" % folder]
        self.log = folder / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [str(word) for word in (host.words(*words) if host
                                        else words)],
                stdout=log, stderr=subprocess.STDOUT)
        self.wait_until(self.is_ready, "ready")

    def wait_until(self, condition, what):
        """Returns what condition() returned."""
        end = time.monotonic() + LIMIT
        while True:
            result = condition()
            if result:
                return result
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, "still not true: " + what
            time.sleep(0.1)

    def is_ready(self):
        try:
            return self.get("/-/ready")[0] == 200
        except OSError:
            return False

    def get(self, path):
        """(status, text)"""
        return get(self.port, path, self.host and
                   self.host.connect("127.0.0.1", self.port))

    def api(self, name, **words):
        status, text = self.get("/api/v1/%s?%s" % (
            name, urllib.parse.urlencode(words)))
        answer = json.loads(text)
        assert (status, answer["status"]) == (200, "success"), answer
        return answer["data"]

    def query(self, expression):
        """[(labels, value)]"""
        return [(one["metric"], float(one["value"][1]))
                for one in self.api("query", query=expression)["result"]]

    def values(self, expression, *labels):
        """{label, or tuple of them: value}"""
        return {tuple(found.get(label) for label in labels)
                if len(labels) > 1 else found.get(labels[0]): value
                for found, value in self.query(expression)}

    def firing(self):
        """{(alert, instance)}"""
        return {(alert["labels"]["alertname"], alert["labels"]["instance"])
                for alert in self.api("alerts")["alerts"]
                if alert["state"] == "firing"}

    def page(self, path):
        """A console's; a template that fails is an error of the server."""
        status, text = self.get("/consoles/" + path)
        assert status == 200, text
        return text

    def end(self):
        self.process.terminate()
        self.process.wait(LIMIT)


def expressions(dashboard):
    """Those of all panels, with variables as a user may have chosen them."""
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield re.sub(r"\$(instance|program|span)\b", ".+",
                         target["expr"].replace("$__rate_interval", "1m")
                         .replace("$command", "create"))
