# SPDX-License-Identifier: BSD-2-Clause
"""What a span costs that is counted, in the process and by the kernel:
nanoseconds of the processor for each span, by its kind (counting/count.d):

    told      its end tells all: one hit
    timed     a start and an end, in one thread: two hits
    moved     the end is in another thread
    nested    a call: a start and an end, by the depth of the thread's stack

All ways take turns, so that they see the same machine. A figure is the least of
the rounds, for whatever disturbs them only adds; the median is in parentheses.
"clock" is what one reading of the processor's counter takes, which is the part
of a start or an end that no tracer can leave out. Spans that were not counted
are told of. "left out" is a span of `told` that a filter of its name leaves out;
below the tables is its ratio to one that is counted, the median of those of the
rounds. Memory is that of 200 names whose times are spread over eight octaves. Run
by hand, on a machine that has nothing else to do, as root for
sdtkit top and bpftrace, after `./dev build`:

    python3 tests/bench/count.py [--short] [--rounds N] [--build DIRECTORY]

--short takes seconds and says little: it is for the tests.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time

import on
from bench import HERE, SOURCE, probegen, run, short

KINDS = ["told", "timed", "moved", "nested"]
THREADS = [1, 2, 4, 16]
HITS = {"told": 1, "timed": 2, "moved": 2, "nested": 2}
GOALS = {"told": 15, "timed": 35}
NAMES, MEMORY = 200, 128
OF_NAMES = 31           # spans of a name: count.c
LIMIT = 60
FILTER = "count:told/op==99/"       # no span has this name


class Target:
    """The program of count.c."""

    def __init__(self, program, threads, **environment):
        self.process = subprocess.Popen(
            [program, str(threads)], env={**os.environ, **environment},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True)
        self.threads = threads
        self.fired = 0

    def fire(self, kind, spans):
        """Nanoseconds of the processor for a span."""
        self.process.stdin.write("%s %d\n" % (kind, spans))
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("count.c ended: %s" % self.process.wait())
        self.fired += spans * self.threads
        return float(line.split()[0])

    def end(self):
        self.process.communicate()


class Way:
    """spans: of a thread in a round."""

    title = "no tracer"
    spans = 4000000
    kinds = KINDS

    def __init__(self, bench):
        self.bench = bench

    def lacks(self):
        return None

    def target(self, threads):
        return Target(self.bench.program, threads)

    def begin(self, target):
        pass

    def counted(self, target):
        """What was counted of what it has fired; None: not known."""

    def measure(self, kind, threads, spans):
        target = self.target(threads)
        self.begin(target)
        target.fire(kind, max(spans // 640, 1) * 64)
        took = target.fire(kind, spans)
        counted = self.counted(target)
        target.end()
        if counted not in (None, target.fired):
            raise SystemExit("%s counted %d of %d" % (
                self.title, counted, target.fired))
        return took


class Process(Way):
    title = "in the process"
    spans = 400000
    patterns = "count:*"

    def target(self, threads):
        return Target(self.bench.program, threads,
                      SDTKIT_RECORDER_COUNT=self.patterns,
                      SDTKIT_RECORDER_OPTIONS="dir=%s" % self.bench.memory,
                      LD_PRELOAD=str(self.bench.library))

    def rows(self, target):
        """(spans, threads, bytes)"""
        shown = subprocess.run(
            [self.bench.reader, "show", "-p", str(target.process.pid), "-"],
            input="\n", stdout=subprocess.PIPE, check=True,
            universal_newlines=True).stdout
        return (sum(map(int, re.findall(r" count=(\d+)", shown))),
                int(re.search(r"sets=(\d+)", shown)[1]),
                int(re.search(r"bytes=(\d+)", shown)[1]))

    def counted(self, target):
        return self.rows(target)[0]


class ProcessFiltered(Process):
    title = "in the process, left out"
    kinds = ["told"]
    patterns = FILTER
    of = Process

    def counted(self, target):
        if self.rows(target)[0] != 0:
            raise SystemExit("the filter has left nothing out")


class Events(Way):
    title = "recorder, events"
    spans = 400000

    def target(self, threads):
        return Target(self.bench.program, threads, SDTKIT_RECORDER="count:*",
                      SDTKIT_RECORDER_OPTIONS="dir=%s" % self.bench.memory,
                      LD_PRELOAD=str(self.bench.library))


class Kernel(Way):
    title = "sdtkit top"
    spans = 20000
    ready = "Collecting"

    def lacks(self):
        return None if os.geteuid() == 0 else "needs root"

    def command(self, target):
        return [self.bench.command, "top", "-p", target.process.pid]

    def begin(self, target):
        log = self.bench.folder / "tracer"
        with log.open("w") as output:
            self.tracer = subprocess.Popen(
                ["timeout", str(LIMIT), *map(str, self.command(target))],
                stdout=output, stderr=output)
        end = time.monotonic() + LIMIT
        while self.ready not in log.read_text():
            if self.tracer.poll() is not None or time.monotonic() > end:
                raise SystemExit("%s did not attach: %s" % (
                    self.title, log.read_text()))
            time.sleep(0.05)
        time.sleep(0.5)

    def counted(self, target):
        self.tracer.terminate()
        self.tracer.wait()


class KernelFiltered(Kernel):
    title = "sdtkit top, left out"
    kinds = ["told"]
    of = Kernel

    def command(self, target):
        return [*super().command(target), FILTER]


class Bpftrace(Kernel):
    title = "bpftrace"
    ready = "attached"
    script = """BEGIN { printf("attached\\n"); }
usdt:%(p)s:count:done { @[arg1] = hist(arg0); }
usdt:%(p)s:count:begun, usdt:%(p)s:count:sent
{ @b[arg0] = nsecs; @op[arg0] = arg1; }
usdt:%(p)s:count:ended, usdt:%(p)s:count:received
{ @[@op[arg0]] = hist(nsecs - @b[arg0]); delete(@b[arg0]); delete(@op[arg0]); }
usdt:%(p)s:count:entered { @e[tid] = nsecs; @n[tid] = arg0; }
usdt:%(p)s:count:left
{ @[@n[tid]] = hist(nsecs - @e[tid]); delete(@e[tid]); delete(@n[tid]); }
"""

    def lacks(self):
        return None if on.able("bpftrace") else "needs root and bpftrace"

    def command(self, target):
        return ["bpftrace", "-B", "line", "-p", target.process.pid, "-e",
                self.script % {"p": self.bench.program}]


class Bench:
    def __init__(self, folder, build):
        self.folder = folder
        self.library = build / "lib" / "record" / "libsdtkit-recorder.so"
        self.command = build / "lib" / "tool" / "sdtkit"
        self.reader = build / "tests" / "count" / "test-count"
        self.memory = folder / "memory"
        if os.access("/dev/shm", os.W_OK):
            self.memory = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        else:
            self.memory.mkdir()
        self.program = folder / "count"
        probegen(HERE / "counting" / "count.d", folder / "count.h")
        run("gcc", "-O2", "-pthread", "-I", folder, "-I", SOURCE / "include",
            HERE / "counting" / "count.c", "-o", self.program)

    def clock(self):
        """Nanoseconds of one reading; None: the machine has no such clock."""
        source = self.folder / "clock.c"
        source.write_text(
            "#include <stdio.h>\n#include <time.h>\n#include <x86intrin.h>\n"
            "static double now(void) { struct timespec t; clock_gettime("
            "CLOCK_THREAD_CPUTIME_ID, &t); return (double)t.tv_sec * 1e9 + "
            "(double)t.tv_nsec; }\n"
            "int main(void) { double least = 1e9; for (int i = 0; i < 200; "
            "i++) { double began = now(); for (int j = 0; j < 20000; j++) "
            "__rdtsc(); double took = (now() - began) / 20000; if (took < "
            "least) least = took; } printf(\"%f\\n\", least); }\n")
        try:
            run("gcc", "-O2", source, "-o", self.folder / "clock")
        except subprocess.CalledProcessError:
            return None
        return float(run(self.folder / "clock"))


def table(ways, counts, measured):
    for kind in KINDS:
        print("\n| %s, ns of the processor by threads | %s |\n| --- |%s" % (
            kind, " | ".join(map(str, counts)), " --- |" * len(counts)))
        for way in ways:
            if kind not in way.kinds:
                continue
            if way.lacks():
                print("| %s | missing: %s |" % (way.title, way.lacks()))
                continue
            print("| %s | %s |" % (way.title, " | ".join(
                "%.1f (%.1f)" % (min(took), statistics.median(took))
                if took else "-" for took in (
                    measured.get((way.title, kind, count))
                    for count in counts))))


def ratios(ways, count, measured):
    """What is left out, compared with what is counted."""
    for way in ways:
        took = measured.get((way.title, "told", count))
        if not hasattr(way, "of") or took is None:
            continue
        print("%s: %.2f of a span that is counted" % (
            way.title, statistics.median(
                one / other for one, other in zip(
                    took, measured[way.of.title, "told", count]))))


def memory(bench):
    """KiB of a thread with many names."""
    way = Process(bench)
    target = way.target(1)
    target.fire("names", NAMES)
    spans, sets, size = way.rows(target)
    target.end()
    assert spans == NAMES * OF_NAMES and sets == 1, (spans, sets)
    return size / 1024


def goal(what, found, limit):
    print("goal, %s: %s, %.1f" % (what, "met" if found <= limit else "missed",
                                  found))


def main():
    options = short(__doc__, 11)
    rounds = options.rounds
    counts = THREADS[:2] if options.short else THREADS
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(pathlib.Path(name), options.build)
        ways = [way(bench) for way in (
            Way, Process, ProcessFiltered, Events, Kernel, KernelFiltered,
            Bpftrace)]
        measured = {}
        for _ in range(rounds):
            for count in counts:
                for kind in KINDS:
                    for way in ways:
                        if (way.lacks() or kind not in way.kinds or
                                (kind == "moved" and count == 1)):
                            continue
                        spans = way.spans // count // (
                            100 if options.short else 1)
                        spans = max(spans // 64, 1) * 64
                        measured.setdefault((way.title, kind, count),
                                            []).append(
                            way.measure(kind, count, spans))
        print("the least of %d rounds (the median)" % rounds)
        clock = bench.clock()
        if clock is not None:
            print("clock: %.1f ns" % clock)
        table(ways, counts, measured)
        print()
        ratios(ways, counts[0], measured)
        kib = memory(bench)
        shutil.rmtree(bench.memory)
    print()
    for kind, limit in GOALS.items():
        goal("%s, at most %d ns" % (kind, limit),
             min(measured[Process.title, kind, 1]), limit)
    goal("memory of a thread with %d names, at most %d KiB" % (NAMES, MEMORY),
         kib, MEMORY)


if __name__ == "__main__":
    main()
