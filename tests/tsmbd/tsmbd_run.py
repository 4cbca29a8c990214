# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd as a process that has attached, and its output."""

import datetime
import functools
import json
import os
import pathlib
import re
import signal
import subprocess

from demo_server import LIMIT


SCHEMA = (pathlib.Path(__file__).resolve().parents[2] / "docs" /
          "tsmbd.schema.json")


VALIDATED = 500     # lines of one output: it takes a millisecond for each


@functools.lru_cache(maxsize=None)
def kinds_of_lines():
    """[(the schema of a kind of lines, its validator)]"""
    import jsonschema
    schema = json.loads(SCHEMA.read_text())
    for definition in schema["definitions"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    kinds = schema.pop("anyOf")
    return [(schema["definitions"][kind["$ref"].rpartition("/")[2]],
             jsonschema.Draft7Validator(dict(schema, allOf=[kind])))
            for kind in kinds]


def validate(line):
    """Checks that the schema has the line with all of its members."""
    try:
        kinds = kinds_of_lines()
    except ImportError:
        return
    validator, = [validator for kind, validator in kinds
                  if is_kind(line, kind)]
    validator.validate(line)


def is_kind(line, kind):
    event = kind["properties"].get("event", {})
    return line.get("event") in event.get("enum", [event.get("const")])


def is_asleep(pid):
    with open("/proc/%d/stat" % pid) as stat:
        return stat.read().rpartition(")")[2].split()[0] == "S"


def switches(pid):
    """How often a process has waited for something until now."""
    text = pathlib.Path("/proc/%d/status" % pid).read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)$", text,
                         re.M).group(1))


def lacks(program):
    """Why tsmbd cannot trace here, or None."""
    if os.geteuid() != 0:
        return "tsmbd needs root"
    server = program.parents[2] / "examples" / "demo" / "demo-server"
    result = subprocess.run([program, "-f", server, "-c", "1"],
                            timeout=LIMIT, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, universal_newlines=True)
    if result.returncode != 0:
        return "tsmbd cannot trace here: " + result.stderr.strip()
    return None


# Its output ends before the kernel has let go of the probes, which takes a
# second: the next test does not wait for that.
leaving = []


class Tsmbd:
    """Its output goes to a file (into) if the test does not read it all."""

    def __init__(self, program, *args, into=None, **kwargs):
        self.into = into
        stdout = subprocess.PIPE if into is None else into.open("w")
        self.process = subprocess.Popen(
            [program, *args], stdout=stdout, stderr=subprocess.PIPE,
            universal_newlines=True, **kwargs)
        if into is not None:
            stdout.close()
        try:
            self.attach()
        except AssertionError:
            self.end()
            raise

    def attach(self):
        line = self.process.stderr.readline()
        if os.environ.get("TSMBD_OLD_KERNEL") == "call":
            assert "no tracepoints of system calls" in line
            line = self.process.stderr.readline()
        while line.startswith("tsmbd: the kernel lacks "):
            line = self.process.stderr.readline()
        assert line.startswith("Collecting data"), line

    def stop(self, signum=signal.SIGINT):
        """Ends it by a signal; returns what it printed."""
        self.process.send_signal(signum)
        return self.output()

    def output(self):
        """Waits for its end and returns its output."""
        if self.into is not None:
            self.check()
            return self.into.read_text()
        output = self.process.stdout.read()
        leaving.append(self)
        return output

    def check(self):
        """Waits for its end; it must not fail or print a warning."""
        _, errors = self.process.communicate(timeout=LIMIT)
        errors = re.sub(r"^tsmbd: process \d+ has ended\n", "", errors)
        assert (self.process.returncode, errors) == (0, ""), self.process.args

    def reports(self):
        """Ends it; returns its reports and its events, from JSON."""
        lines = [json.loads(line) for line in self.stop().splitlines()]
        for line in lines[:VALIDATED]:
            validate(line)
        return ([line for line in lines if "event" not in line],
                [line for line in lines if "event" in line])

    def report(self):
        reports, _ = self.reports()
        assert len(reports) == 1
        assert set(reports[0]["lost"].values()) == {0}
        return reports[0]

    def next_report(self):
        """Asks for a report; returns the lines until then, and its own if it
        is one of JSON. Of a report of text, it is the first line."""
        self.process.send_signal(signal.SIGUSR1)
        lines = []
        while not lines or not is_report(lines[-1]):
            lines.append(self.process.stdout.readline())
            assert lines[-1], "it has ended"
        return lines

    def end(self):
        """Ends it after the test that has started it."""
        if self in leaving:
            return
        self.process.kill()
        self.process.wait()
        if self.into is None:
            self.process.stdout.close()
        self.process.stderr.close()


def is_same(one, other):
    """Whether two reports are equal, but for a millisecond of their time: the
    clocks are read for each."""
    times = [datetime.datetime.fromisoformat(report["time"])
             for report in (one, other)]
    return (abs(times[0] - times[1]) <= datetime.timedelta(milliseconds=1) and
            dict(one, time=None) == dict(other, time=None))


def is_report(line):
    """Whether a line is a report of JSON, or begins one of text."""
    if line.startswith("{"):
        return "event" not in json.loads(line)
    return line.startswith("Ran for")


# What they make is of all tests, or they cannot be asked for a report.
OWN = re.compile(r"-[ic]$|--(interval|count|history|html|textfile|listen|save|"
                 r"when|heatmap|flame|node|privacy)")


def may_last(options, settings):
    """Whether one tsmbd with these options can trace for many tests."""
    return not settings and not any(map(OWN.match, map(str, options)))


class Part:
    """What a tsmbd that traces for many tests has for this one: all that comes
    after this was made."""

    def __init__(self, tracer, as_json):
        self.tracer = tracer
        self.process = tracer.process
        self.as_json = as_json
        self.take()

    def take(self):
        lines = self.tracer.next_report()
        if not self.as_json:    # the next one begins where this one ends
            lines += self.tracer.next_report()[:-1]
        return lines

    def stop(self):
        return "".join(self.take())

    def reports(self):
        """Lines come before their report, but behind it if that would take
        tsmbd longer than 250 ms: then before the next one."""
        *lines, report = map(json.loads, self.take())
        *late, _ = map(json.loads, self.take())
        lines += late
        for line in [report, *lines[:VALIDATED]]:
            validate(line)
        return [report], lines

    def report(self):
        (report,), _ = self.reports()
        assert set(report["lost"].values()) == {0}
        return report

    def end(self):
        """It goes on."""
