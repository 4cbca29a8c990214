# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit top as a process, and a program that does what a test says."""

import json
import os
import pathlib
import signal
import subprocess

LIMIT = 300     # seconds; far more than anything here takes
SCHEMA = (pathlib.Path(__file__).resolve().parents[2] / "docs" /
          "top.schema.json")
# how the probes of acts.c are compiled, and where their arguments are then
FORMS = {
    "native": ["-O1"],
    "systemtap": ["-O2", "-DSDTKIT_USE_SYS_SDT"],
    "frame": ["-O0", "-DSDTKIT_USE_SYS_SDT"],
    "omit": ["-O2", "-fomit-frame-pointer"],
}


def validate(report):
    try:
        import jsonschema
    except ImportError:
        return
    jsonschema.validate(report, json.loads(SCHEMA.read_text()))


class Acts:
    """The program; do() returns when it has done what a line says."""

    def __init__(self, program, **more):
        self.program = program
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True, **more)
        self.pid = self.process.pid

    def do(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self.process.stdout.close()


class Top:
    """It has attached when this returns; stop() returns its reports."""

    def __init__(self, sdtkit, *args, env=None, **more):
        self.process = subprocess.Popen(
            [sdtkit, "top", *args], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True,
            env=dict(os.environ, **(env or {})), **more)
        line = self.process.stderr.readline()
        self.errors = line
        if not line.startswith("Collecting"):
            self.errors += self.process.communicate(timeout=LIMIT)[1]
            raise AssertionError(self.errors)

    def next_line(self):
        """What it prints next. It is read byte by byte, since communicate()
        knows nothing of what readline() has read ahead."""
        line = b""
        while not line.endswith(b"\n"):
            byte = os.read(self.process.stdout.fileno(), 1)
            assert byte, "it has ended"
            line += byte
        return line.decode()

    def text(self, status=0):
        """Ends it; returns what it printed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        output, errors = self.process.communicate(timeout=LIMIT)
        self.errors = errors
        assert self.process.returncode == status, errors
        return output

    def lines(self, status=0, before=""):
        lines = [json.loads(line)
                 for line in (before + self.text(status)).splitlines()]
        for line in lines:
            validate(line)
        return lines

    def report(self, status=0):
        """The only report: {(span, name): row} and {span: totals}."""
        report = [line for line in self.lines(status)
                  if line["event"] == "report"][-1]
        rows = {(row["span"], row["name"]): row for row in report["spans"]}
        return rows, {span["span"]: span for span in report["totals"]}
