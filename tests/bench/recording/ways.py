# SPDX-License-Identifier: BSD-2-Clause
"""The ways of recording that record.py compares. Each is a class: what its row
says, what it needs, and measure(), which runs the program of record.c under it
and returns an Outcome."""

import collections
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import lttng
import on
import target as target_of
from bench import run
from target import Target

MEMORY = "/dev/shm"

# Nanoseconds per hit of the processor and elapsed; hits fired and hits that
# the tracer did not have in the end; KiB of shared memory, mapped and used.
Outcome = collections.namedtuple(
    "Outcome", "processor elapsed fired lost mapped used")


class Way:
    """title: the row. hits: how many are measured. steady: whether it is one
    to compare with many threads."""

    title = ""
    hits = 2000000
    steady = True
    variant = "probe"

    def __init__(self, bench):
        self.bench = bench

    def lacks(self):
        """Why it cannot be measured here, or None."""
        return None

    def program(self):
        return self.bench.program(self.variant)

    def fire(self, target, hits):
        """The first hits find cold caches and rings that were not touched."""
        target.fire(hits)
        times = target.fire(hits)
        return [*times, target.fired]

    def measure(self, threads, hits):
        with Target([self.program()], threads) as target:
            processor, elapsed, fired = self.fire(target, hits)
            mapped, used = target.shared()
        return Outcome(processor, elapsed, fired, 0, mapped, used)


class Nothing(Way):
    title = "no probe"
    hits = 20000000
    variant = "nothing"


class Off(Way):
    title = "off"
    hits = 20000000


class Lttng(Way):
    """The hits fit into its buffers: what is measured is not the disk."""

    title = "LTTng-UST"
    hits = 300000
    variant = "lttng"

    def lacks(self):
        return lttng.lacks()

    def measure(self, threads, hits):
        with lttng.Session(self.program()) as session:
            with Target(session.command, threads, cwd=str(session.home),
                        env=session.environment) as target:
                target.fire(hits)
                time.sleep(0.3)		# till they are in the file
                processor, elapsed = target.fire(hits)
                mapped, used = target.shared()
                target.end()
            session.close()
        lost = target.fired - session.counted
        if lost != session.discarded:
            raise SystemExit("LTTng counted %d of %d hits, and says that it "
                             "discarded %d" % (session.counted, target.fired,
                                               session.discarded))
        return Outcome(processor, elapsed, target.fired, lost, mapped, used)


class Bpftrace(Way):
    title = "bpftrace, count()"
    hits = 100000
    action = "@ = count();"

    def lacks(self):
        return None if on.able("bpftrace") else "needs root and bpftrace"

    def lost(self, fired, text):
        return fired - int(re.search(r"@: (\d+)", text)[1])

    def measure(self, threads, hits):
        program = self.program()
        script = 'BEGIN { printf("attached\\n"); } usdt:%s:on:hit { %s }' % (
            program, self.action)
        output = self.bench.folder / "bpftrace"
        with Target([program], threads) as target, output.open("w") as file:
            tracer = subprocess.Popen(
                ["timeout", on.LIMIT, "bpftrace", "-B", "line", "-e", script,
                 "-p", str(target.pid)], stdout=file,
                stderr=subprocess.DEVNULL)
            while "attached" not in output.read_text():
                if tracer.poll() is not None:
                    raise SystemExit("bpftrace did not attach")
                time.sleep(0.05)
            processor, elapsed, fired = self.fire(target, hits)
            target.end()
            tracer.wait()
        lost = self.lost(fired, output.read_text())
        return Outcome(processor, elapsed, fired, lost, 0, 0)


class Printf(Bpftrace):
    title = "bpftrace, printf()"
    action = 'printf("%d %s\\n", arg0, str(arg1));'
    steady = False

    def lost(self, fired, text):
        return fired - text.count("jerry mouse!\n")


def count_events(trace):
    counts = run("babeltrace2", trace, "--component=sink.utils.counter")
    return int(re.findall(r"(\d+) Event messages", counts)[-1])


class Trace(Way):
    """sdtkit trace, which runs the program. The program fires in bursts that
    fit into its rings of 256 KiB, and the reader has time to read each of them:
    what is measured is not the waiting for it."""

    title = "sdtkit trace --totals, by jump"
    options = ["--totals", "-o", "/dev/null"]
    environment = {}
    burst = 4000	# of a thread
    hits = 30 * burst

    def fire(self, target, hits):
        times = []
        for i in range(2 + max(1, hits // self.burst)):
            times.append(target.fire(self.burst * target.threads))
            time.sleep(0.02 + 0.002 * target.threads)
        return [*map(statistics.mean, zip(*times[2:])), target.fired]

    def command(self):
        return ["timeout", on.LIMIT, self.bench.command, "trace",
                *self.options, "--"]

    def measure(self, threads, hits):
        said = self.bench.folder / "said"
        with said.open("w") as stderr, Target(
                [*self.command(), self.program()], threads,
                stderr=stderr, cwd=str(self.bench.folder),
                env=dict(os.environ, **self.environment)) as target:
            processor, elapsed, fired = self.fire(target, hits)
            if target.end() != 0:
                raise SystemExit("sdtkit trace: " + said.read_text())
        lost = re.search(r"(\d+) hits? w(?:ere|as) lost", said.read_text())
        return Outcome(processor, elapsed, fired, int(lost[1]) if lost else 0,
                       0, 0)


class TraceLines(Trace):
    title = "sdtkit trace -o FILE, by jump"
    options = ["-o", "lines"]


class TraceJson(Trace):
    title = "sdtkit trace -j, by jump"
    options = ["-j", "-o", "lines"]


class TraceCtf(Trace):
    title = "sdtkit trace --ctf, by jump"
    all_title = "sdtkit trace --ctf COMMAND"
    options = ["--ctf", "traced"]

    def record_all(self, hits, threads):
        """As that of a program that is followed."""
        with Target([*self.command(), self.program()], threads,
                    stderr=subprocess.DEVNULL,
                    cwd=str(self.bench.folder)) as target:
            begun = time.monotonic()
            target.fire(hits)
            seconds = time.monotonic() - begun
            target.end()
        return (target.fired, count_events(self.bench.folder / "traced"),
                seconds)


class TraceByTrap(Trace):
    title = "sdtkit trace --totals, by trap"
    steady = False
    hits = 5 * Trace.burst
    environment = {"SDTKIT_TAP_WAY": "trap"}


class TraceLinesByTrap(TraceByTrap):
    title = "sdtkit trace -o FILE, by trap"
    options = TraceLines.options


class Recorder(Way):
    """Overwrites the oldest. What is in its file in the end and what was
    overwritten has to be what was fired."""

    title = "sdtkit's recorder"

    def library(self):
        return self.bench.build / "lib" / "record" / "libsdtkit-recorder.so"

    def lacks(self):
        return None if self.library().exists() else \
            "libsdtkit-recorder is not built"

    def target(self, threads, directory):
        return Target([self.program()], threads, env=dict(
            os.environ, LD_PRELOAD=self.library().name,
            LD_LIBRARY_PATH=str(self.library().parent),
            SDTKIT_RECORDER="on:hit",
            SDTKIT_RECORDER_OPTIONS="dir=" + directory))

    def counted(self, directory):
        """Hits that are in the file, or were."""
        (file,) = pathlib.Path(directory).iterdir()
        said = run(self.bench.command, "trace", "--snapshot", file,
                   "--totals")
        return sum(map(int, re.findall(r"(\d+) (?:older )?hits", said)))

    def measure(self, threads, hits):
        with tempfile.TemporaryDirectory(dir=MEMORY) as directory, \
                self.target(threads, directory) as target:
            processor, elapsed, fired = self.fire(target, hits)
            mapped, used = target.shared()
            counted = self.counted(directory)
            target.end()
        return Outcome(processor, elapsed, fired, fired - counted, mapped,
                       used)


class Followed(Recorder):
    """Another process reads what is recorded while the program goes on, which
    waits for it where it has to."""

    title = "sdtkit trace -p PID"
    all_title = "sdtkit trace --ctf -p PID"
    steady = False

    def follow(self, target, *options):
        """The reader, when it has attached."""
        target.fire(1)		# the program has begun
        said = self.bench.folder / "followed"
        with said.open("w") as output:
            reader = subprocess.Popen(
                ["timeout", on.LIMIT, str(self.bench.command), "trace",
                 "--patience", "30", *map(str, options), "-p", str(target.pid), "on:hit"],
                stdout=output, stderr=subprocess.STDOUT)
        while "records 1 probe" not in said.read_text():
            if reader.poll() is not None:
                raise SystemExit("sdtkit trace -p: " + said.read_text())
            time.sleep(0.01)
        time.sleep(0.3)
        return reader

    def measure(self, threads, hits):
        output = self.bench.folder / "counted"
        with tempfile.TemporaryDirectory(dir=MEMORY) as directory, \
                self.target(threads, directory) as target:
            reader = self.follow(target, "--totals", "-o", output)
            before = target.fired
            processor, elapsed, fired = self.fire(target, hits)
            fired -= before
            mapped, used = target.shared()
            target.end()
            reader.wait()
        counted = int(re.search(r"(\d+)  on:hit", output.read_text())[1])
        return Outcome(processor, elapsed, fired, fired - counted, mapped,
                       used)

    def record_all(self, hits, threads):
        """Returns (hits that were fired, hits that babeltrace2 counts in the
        trace, seconds)."""
        trace = self.bench.folder / "ctf"
        with tempfile.TemporaryDirectory(dir=MEMORY) as directory, \
                self.target(threads, directory) as target:
            reader = self.follow(target, "--ctf", trace)
            before = target.fired
            begun = time.monotonic()
            target.fire(hits)
            seconds = time.monotonic() - begun
            target.end()
            reader.wait()
        return target.fired - before, count_events(trace), seconds


def first_hits(bench, threads):
    """Nanoseconds of the processor that the first hit of each thread took,
    while sdtkit trace writes lines."""
    program = target_of.build(bench.folder, "first")
    said = subprocess.run(
        [*map(str, [*TraceLines(bench).command(), program, threads])],
        input="\n", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        check=True, universal_newlines=True, cwd=str(bench.folder)).stdout
    return [float(line) for line in said.split()]


def starting(bench):
    """Seconds of a program that fires nothing, and of the same one under sdtkit
    trace."""
    program = bench.program("probe")
    for words in [program, 0], [bench.command, "trace", "--", program, 0]:
        begin = time.monotonic()
        subprocess.run([str(word) for word in words], check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        yield time.monotonic() - begin


WAYS = [Nothing, Off, Recorder, Followed, Lttng, Bpftrace, Printf, Trace,
        TraceLines, TraceJson, TraceCtf, TraceByTrap, TraceLinesByTrap]
# way -> (nanoseconds, part of LTTng-UST's) at most
GOALS = {
    Recorder: (80, 0.6),
    Trace: (25, None),
    TraceLines: (60, 0.8),
    TraceJson: (60, 0.8),
    TraceCtf: (60, 0.8),
}
