# SPDX-License-Identifier: BSD-2-Clause
"""Reads OpenMetrics and the text format of Prometheus, strictly.

It fails for whatever a scraper may refuse: names, types, units, families that
are not together, duplicate series, buckets that fall.
"""

import re

NAME = r"[a-z_][a-z0-9_]*"
NUMBER = r"[0-9]+(?:\.[0-9]+)?"
SAMPLE = re.compile(r"(%s)(?:\{(.*)\})? (%s)" % (NAME, NUMBER))
LABEL = re.compile(r'(%s)="((?:[^"\\\n]|\\["\\n])*)"(,|$)' % NAME)
SUFFIXES = {"counter": ["_total"], "gauge": [""], "info": ["_info"],
            "histogram": ["_bucket", "_count", "_sum"]}


def labels_of(text):
    labels = {}
    while text:
        match = LABEL.match(text)
        assert match, text
        name, value, comma = match.groups()
        assert name not in labels
        labels[name] = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(
            m.group(1), m.group(1)), value)
        text = text[match.end():]
        assert bool(text) == bool(comma)
    return labels


class Metrics:
    """samples[name][((label, value), ...)] = number"""

    def __init__(self, data, openmetrics):
        text = data.decode("utf-8")     # strict
        assert text.endswith("\n") and "\r" not in text
        lines = text[:-1].split("\n")
        if openmetrics:
            assert lines.pop() == "# EOF"
        assert not any(line == "# EOF" for line in lines)
        self.openmetrics = openmetrics
        self.types, self.units, self.helps = {}, {}, {}
        self.samples = {}
        self.family = None
        for line in lines:
            if line.startswith("# "):
                self.comment(*line.split(" ", 3)[1:])
            else:
                self.sample(line)
        for name, kind in self.types.items():
            assert name in self.helps
            if kind == "histogram":
                self.check_histogram(name)

    def comment(self, kind, name, rest):
        if kind == "TYPE":
            assert name not in self.types, "twice: " + name
            self.family = name
            self.types[name] = rest
            return
        assert name == self.family
        if kind == "UNIT":
            assert self.openmetrics and name.endswith("_" + rest)
            self.units[name] = rest
        else:
            assert kind == "HELP" and rest.endswith(".")
            self.helps[name] = rest

    def sample(self, line):
        match = SAMPLE.fullmatch(line)
        assert match, line
        name, labels, value = match.groups()
        kind = self.types[self.family]
        suffixes = SUFFIXES[kind]
        if not self.openmetrics and kind != "histogram":
            suffixes = [""]
            assert (kind == "counter") == name.endswith("_total")
        assert name in [self.family + suffix for suffix in suffixes], line
        key = tuple(sorted(labels_of(labels or "").items()))
        series = self.samples.setdefault(name, {})
        assert key not in series, "twice: " + line
        series[key] = float(value)

    def check_histogram(self, name):
        last = {}
        for key, value in self.samples[name + "_bucket"].items():
            labels = dict(key)
            bound = float(labels.pop("le"))
            rest = tuple(sorted(labels.items()))
            before = last.get(rest, (0.0, 0.0))
            assert before[0] < bound and before[1] <= value
            last[rest] = bound, value
        for rest, (bound, value) in last.items():
            assert bound == float("inf")
            assert self.samples[name + "_count"][rest] == value
            assert rest in self.samples[name + "_sum"]

    def __len__(self):
        return sum(len(series) for series in self.samples.values())

    def get(self, name, **labels):
        return self.samples[name][tuple(sorted(labels.items()))]

    def by(self, name, label):
        """The values by one label, which has to be the only one."""
        return {dict(key)[label]: value
                for key, value in self.samples[name].items()}

    def sum(self, name, **labels):
        return sum(value for key, value in self.samples[name].items()
                   if labels.items() <= dict(key).items())
