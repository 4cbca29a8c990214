# SPDX-License-Identifier: BSD-2-Clause
"""tracer and the programs that it traces, as processes."""

import os
import signal
import subprocess
import threading
import time
from collections import namedtuple

import life_sites

SLOWER = int(os.environ.get("SDTKIT_SLOWER", "1"))     # an emulated machine
LIMIT = 300 * SLOWER    # seconds; far more than anything here takes

Hits = namedtuple("Hits", "target thread count least greatest")


class Process:
    """A program that answers, line by line, what it is told."""

    def __init__(self, *command):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True, bufsize=1)
        self.pid = self.process.pid
        self.status = 0         # that it shall end with
        self.limit = threading.Timer(LIMIT, self.process.kill)
        self.limit.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            self.process.kill()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.limit.cancel()
        self.process.stdout.close()
        assert kind is not None or self.process.returncode == self.status

    def kill(self):
        """Without a chance to tidy up."""
        self.process.kill()
        self.process.wait()
        self.status = -signal.SIGKILL

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def hear(self):
        line = self.process.stdout.readline()
        assert line, "%s ended: %s" % (self.process.args, self.process.wait())
        return line.rstrip("\n")


class Program(Process):
    """target.c."""

    def ask(self, line):
        """(rounds that found the probe enabled, value of the semaphore)"""
        self.tell(line)
        return self.answer()

    def answer(self):
        seen, semaphore = self.hear().split()
        return int(seen), int(semaphore)

    def spin(self):
        self.tell("spin")
        assert self.hear() == "spinning"

    def stop(self):
        """Ends the loop; the answer is that of ask()."""
        self.process.send_signal(signal.SIGUSR1)
        return self.answer()


def tracer_command(directory, files, pid=0, probe="round"):
    """The words that make tracer.c attach to a probe in each of ``files``."""
    command = [directory / "tracer", directory / "tracer.bpf.o", str(pid)]
    for target, path in enumerate(files):
        command.append(path)
        command += ["%d,%d,%d" % (site.offset, site.semaphore,
                                  life_sites.cookie(target, site.operand))
                    for site in life_sites.sites(path, probe)]
    return command


class Tracer(Process):
    """tracer.c, attached."""

    def __init__(self, directory, *files, pid=0, probe="round"):
        super().__init__(*tracer_command(directory, files, pid, probe))
        assert self.hear() == "attached"

    def detach(self):
        """What was hit since it attached: a list of Hits."""
        self.tell("")
        rows = []
        while True:
            line = self.hear()
            if line == "detached":
                return rows
            rows.append(Hits(*map(int, line.split())))

    def attach(self):
        self.tell("")
        assert self.hear() == "attached"

    def detach_later(self):
        """When it has seen something: a busy machine may let it wait."""
        while True:
            time.sleep(0.02)
            rows = self.detach()
            if rows:
                return rows
            self.attach()


def total(rows, target=0):
    return sum(row.count for row in rows if row.target == target)


def complete(rows):
    """Was each hit seen between the first and the last of each thread?"""
    return all(row.count == row.greatest - row.least + 1 for row in rows)


def wait_until(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "still not true: " + what
        time.sleep(0.005)
