# SPDX-License-Identifier: BSD-2-Clause
"""What recording a hit costs, without the kernel and with it: nanoseconds per
hit of a probe with a number of 64 bits and a string of 12 bytes.

All ways take turns, so that they see the same machine. A figure is the median
of the rounds, in parentheses the least and the greatest. "processor" is the
time that the threads of the program had a processor, "elapsed" what went by,
which has the waiting and the other programs of the machine in it. The ratio is
that of the processor to LTTng-UST's. Lost are hits that the program fired and
that are not in what was recorded. Run by hand, on a machine that has nothing
else to do, after `./dev build`:

    python3 tests/bench/record.py [--short] [--rounds N] [--build DIRECTORY]

--short takes seconds and says little: it is for the tests. What is not
installed has a row that says why it is missing.
"""

import pathlib
import shutil
import statistics
import sys
import tempfile

import bench

sys.path.insert(0, str(bench.HERE / "recording"))

import guard	# noqa: E402
import target	# noqa: E402
import ways	# noqa: E402

THREADS = [1, 2, 8, 16]
BASE = "LTTng-UST"
FIRST_THREADS, FIRST_NS = 100, 50000
ALL = 10000000


class Bench:
    """What the ways share."""

    def __init__(self, folder, build):
        self.folder = folder
        self.build = build
        self.command = build / "lib" / "tool" / "sdtkit"
        self.programs = {}

    def program(self, variant):
        if variant not in self.programs:
            self.programs[variant] = target.build(self.folder, variant)
        return self.programs[variant]


class Results:
    """Outcomes by row and number of threads."""

    def __init__(self, bench):
        self.bench = bench
        self.ways = [way(bench) for way in ways.WAYS]
        self.missing = {way.title: way.lacks() for way in self.ways
                        if way.lacks()}
        self.outcomes = {}

    def measure(self, threads, rounds, divisor, only=None):
        for _ in range(rounds):
            for way in self.ways:
                if way.title in self.missing or \
                        (threads > 1 and not way.steady):
                    continue
                self.outcomes.setdefault((way.title, threads), []).append(
                    way.measure(threads, way.hits // divisor))

    def numbers(self, title, threads, name):
        return [getattr(outcome, name)
                for outcome in self.outcomes.get((title, threads), [])]

    def median(self, title, threads, name="processor"):
        numbers = self.numbers(title, threads, name)
        return statistics.median(numbers) if numbers else None

    def ratio(self, title, threads):
        base = self.median(BASE, threads)
        return "%.2f" % (self.median(title, threads) / base) if base else "-"

    def lost(self, title, threads):
        lost = sum(self.numbers(title, threads, "lost"))
        fired = sum(self.numbers(title, threads, "fired"))
        return "%d of %d" % (lost, fired) if lost else "none"


def spread(numbers):
    return "%.1f (%.1f to %.1f)" % (statistics.median(numbers), min(numbers),
                                    max(numbers))


def one_thread(results):
    """The first table."""
    print("\n| one thread | processor, ns | elapsed, ns | ratio | lost |")
    print("| --- | --- | --- | --- | --- |")
    for way in results.ways:
        if way.title in results.missing:
            print("| %s | missing: %s | | | |" % (
                way.title, results.missing[way.title]))
            continue
        print("| %s | %s | %s | %s | %s |" % (
            way.title, spread(results.numbers(way.title, 1, "processor")),
            spread(results.numbers(way.title, 1, "elapsed")),
            results.ratio(way.title, 1), results.lost(way.title, 1)))


def more_threads(results, counts):
    """The second table: the median, and the ratio to LTTng's."""
    print("\n| threads, processor ns | %s | lost |" % " | ".join(
        map(str, counts)))
    print("| --- |%s --- |" % (" --- |" * len(counts)))
    for way in results.ways:
        if way.title in results.missing or not way.steady:
            continue
        cells = ["%.1f (%s)" % (results.median(way.title, count),
                                results.ratio(way.title, count))
                 for count in counts]
        lost = {results.lost(way.title, count) for count in counts} - {"none"}
        print("| %s | %s | %s |" % (way.title, " | ".join(cells),
                                    ", ".join(sorted(lost)) or "none"))


def memory(results, counts):
    """The third table: shared memory of the program, which is what rings are;
    of a thread: what the last count has more than the first."""
    few, many = counts[0], counts[-1]
    print("\n| KiB of shared memory | %d, mapped | used | %d, mapped | used | "
          "a thread, mapped | used |" % (few, many))
    print("| --- |" + " --- |" * 6)
    for way in results.ways:
        cells = [results.median(way.title, count, name)
                 for count in (few, many) for name in ("mapped", "used")]
        if None in cells or not any(cells):
            continue
        cells += [(cells[2 + i] - cells[i]) / (many - few) for i in range(2)]
        print("| %s | %s |" % (way.title, " | ".join(
            "%.0f" % cell for cell in cells)))


def all_hits(results, hits):
    """Many hits, and a reader that keeps up because the program waits for it.
    Returns whether all are in the trace; None if that is not known."""
    complete = True
    print()
    for way in results.ways:
        if not isinstance(way, (ways.Followed, ways.TraceCtf)):
            continue
        lacks = way.lacks() or (None if shutil.which("babeltrace2")
                                else "babeltrace2 is not installed")
        if lacks:
            print("all hits into a trace: missing: %s" % lacks)
            return None
        fired, counted, seconds = way.record_all(hits, 1)
        print("%d hits of a thread, by %s: babeltrace2 counts %d; %.1f s" % (
            fired, way.all_title, counted, seconds))
        complete = complete and fired == counted
    return complete


def first_hits(bench, rounds):
    """The fifth table: the first hit of each of many threads takes a ring."""
    took = [each for _ in range(rounds)
            for each in ways.first_hits(bench, FIRST_THREADS)]
    print("\n| the first hit of a thread, processor ns | the least | median "
          "| the last hundredth | the greatest |")
    print("| --- |" + " --- |" * 4)
    took.sort()
    print("| %s | %.0f | %.0f | %.0f | %.0f |" % (
        ways.TraceLines.title, took[0], statistics.median(took),
        took[len(took) * 99 // 100], took[-1]))
    return statistics.median(took)


def starting(bench, rounds):
    took = [min(each) for each in zip(*[ways.starting(bench)
                                        for _ in range(rounds * 4)])]
    print("\nstarting a program: %.1f ms, under sdtkit trace %.1f ms" %
          tuple(1000 * seconds for seconds in took))


def verdict(what, numbers, limit):
    """The numbers, which are compared, or None if that was not done."""
    numbers = [number for number in numbers if number is not None]
    if not numbers:
        print("goal, %s: not measured" % what)
        return
    print("goal, %s: %s, %s" % (
        what, "met" if max(numbers) <= limit else "missed",
        " ".join("%.2f" % number for number in numbers)))


def goals(results, counts, same, complete, first):
    """What is asked of sdtkit, and what it does with each count of threads."""
    print()
    for way, (most, part) in ways.GOALS.items():
        took = [results.median(way.title, count) for count in counts]
        base = [results.median(BASE, count) for count in counts]
        verdict("%s, at most %d ns" % (way.title, most), took, most)
        if part is not None:
            verdict("%s, at most %.1f times %s" % (way.title, part, BASE),
                    [one / other if one and other else None
                     for one, other in zip(took, base)], part)
    verdict("the first hit of a thread, at most %d ns" % FIRST_NS, [first],
            FIRST_NS)
    lost = [results.lost(way.title, count) for count in counts
            for way in ways.GOALS]
    kept = complete and set(lost) == {"none"}
    for what, met in (("nothing lost", kept), ("off unchanged", same)):
        print("goal, %s: %s" % (what, "not measured" if met is None else
                                "met" if met else "missed"))


def main():
    options = bench.short(__doc__, 11)
    rounds = options.rounds
    divisor = 100 if options.short else 1
    counts = THREADS[:2] if options.short else THREADS
    with tempfile.TemporaryDirectory() as name:
        results = Results(Bench(pathlib.Path(name), options.build))
        print("the median of %d rounds (the least to the greatest)" % rounds)
        for count in counts:
            results.measure(count, rounds, divisor)
        one_thread(results)
        more_threads(results, counts)
        memory(results, counts)
        same = None
        if guard.lacks():
            print("\n| off, instructions of a call | missing: %s |" %
                  guard.lacks())
        else:
            same = guard.show(pathlib.Path(name))
        complete = all_hits(results, ALL // divisor)
        first = first_hits(results.bench, rounds)
        starting(results.bench, rounds)
        goals(results, counts, same, complete, first)


if __name__ == "__main__":
    main()
