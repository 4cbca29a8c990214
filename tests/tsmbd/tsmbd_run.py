# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd as a process that has attached, and its output."""

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


def validate(line):
    """Checks that the schema has the line with all of its members."""
    try:
        import jsonschema
    except ImportError:
        return
    schema = json.loads(SCHEMA.read_text())
    for definition in schema["definitions"].values():
        if "properties" in definition:
            definition["additionalProperties"] = False
    kinds = [kind["$ref"].rpartition("/")[2] for kind in schema.pop("anyOf")]
    kind, = [name for name in kinds if is_kind(line, schema, name)]
    schema["allOf"] = [{"$ref": "#/definitions/" + kind}]
    jsonschema.validate(line, schema)


def is_kind(line, schema, name):
    event = schema["definitions"][name]["properties"].get("event", {})
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
    server = program.parent.parent / "demo" / "demo-server"
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

    def end(self):
        """Ends it after the test that has started it."""
        if self in leaving:
            return
        self.process.kill()
        self.process.wait()
        if self.into is None:
            self.process.stdout.close()
        self.process.stderr.close()
