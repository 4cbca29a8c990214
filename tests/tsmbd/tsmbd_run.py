# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd as a process that is known to be attached, and its output."""

import json
import signal
import subprocess

from demo_server import LIMIT


class Tsmbd:
    def __init__(self, program, *args):
        self.process = subprocess.Popen(
            [program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True)
        line = self.process.stderr.readline()
        assert line.startswith("Collecting data"), line

    def stop(self, signum=signal.SIGINT):
        """Ends it by a signal; returns what it printed."""
        self.process.send_signal(signum)
        return self.output()

    def output(self):
        """What it printed, after its end."""
        output, errors = self.process.communicate(timeout=LIMIT)
        assert self.process.returncode == 0, errors
        assert errors == ""
        return output

    def reports(self):
        """Ends it; returns its reports and its events, from JSON."""
        lines = [json.loads(line) for line in self.stop().splitlines()]
        return ([line for line in lines if "event" not in line],
                [line for line in lines if "event" in line])

    def report(self):
        reports, _ = self.reports()
        assert len(reports) == 1
        assert set(reports[0]["lost"].values()) == {0}
        return reports[0]

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
