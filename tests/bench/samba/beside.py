# SPDX-License-Identifier: BSD-2-Clause
"""price.py --beside: two smbd of one build at a time, one of them traced.

Their uploads take turns, one of a few files each, so that whatever else the
machine does is the same for both. The second smbd has a copy of the libraries,
as probes are traced by file, and the tracer changes sides.

A batch is some pairs of uploads on each side. After each, the standard error of
what the tracer costs is looked at: an arm ends when it is small enough, for the
client and for smbd, or when there were as many pairs as there may be.

What a tracer of system calls costs all programs both pay, so it is not in the
difference. It is measured apart: perf bench, without the tracer and with it.
"""

import math
import os
import re
import shutil
import statistics
import subprocess
import sys

SIDES = 4	# times that a tracer is attached in a batch
PAIRS = 40	# of a batch
LEAST = 80	# an error is not believed before
MOST = 800
GOAL = 0.3	# percent
LOOPS = 1000000
# tenths of the differences that are left out at either end
TRIMMED = 1


def others_ns():
    """Nanoseconds of a system call of a program that is not traced; None if
    perf cannot tell."""
    try:
        said = subprocess.run(
            ["perf", "bench", "-f", "simple", "syscall", "basic",
             "--loop", str(LOOPS)], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    except FileNotFoundError:
        return None
    seconds = re.search(r"^[\d.]+$", said, re.MULTILINE)
    return float(seconds.group()) / LOOPS * 1e9 if seconds else None


def trimmed(values):
    """(mean, its standard error) without the extreme tenths. The error is
    that of Tukey and McLaughlin: what was left out counts as the outermost
    that were kept. The spread of the kept alone would make it too small."""
    ordered = sorted(values)
    out = len(ordered) * TRIMMED // 10
    kept = ordered[out:len(ordered) - out]
    spread = statistics.stdev([kept[0]] * out + kept + [kept[-1]] * out)
    part = len(kept) / len(ordered)
    return (statistics.mean(kept),
            spread / (part * math.sqrt(len(ordered))))


class Upload:
    """The differences between traced and not, and what was not, in
    microseconds for each file: of the client or of smbd."""

    def __init__(self):
        # by the server that is traced: the two differ anyway, as by where
        # their libraries lie in memory, which must not add to the spread
        self.more = [], []
        self.base = []

    def add(self, which, traced, untraced, files):
        """which: 0 or 1, the server of the pair that was traced."""
        self.more[which].append((traced - untraced) / files * 1e6)
        self.base.append(untraced / files * 1e6)

    def result(self):
        """Returns the time of an untraced file, how much more a traced file
        takes, and the standard error of that."""
        means, errors = zip(*(trimmed(values) for values in self.more))
        return (statistics.median(self.base), statistics.mean(means),
                math.hypot(*errors) / 2)

    def percent(self):
        """The standard error in percent of the untraced time."""
        base, _, error = self.result()
        return 100 * error / base

    def cells(self):
        base, more, error = self.result()
        return ["%.0f" % base, "%+.1f (%.1f)" % (more, error),
                "%.3f" % (1 + more / base)]


def batches(most):
    """(how many there may be, pairs on each side in one)."""
    pairs = min(most, PAIRS) // SIDES
    return most // (SIDES * pairs), pairs


def is_reached(pairs, percents, goal):
    """Whether no more is needed after so many pairs; percents: errors."""
    return pairs >= LEAST and max(percents) < goal


def verdict(pairs, percents, goal):
    """Returns the cell for the errors: the greater one."""
    if pairs < LEAST:
        return "%.2f %% after %d pairs, too few to tell" % (
            max(percents), pairs)
    if is_reached(pairs, percents, goal):
        return "%.2f %% after %d pairs" % (max(percents), pairs)
    return "not below %g %% after %d pairs: %.2f %%" % (
        goal, pairs, max(percents))


def take_turns(pair, side, pairs, files, sums):
    """Half of the time the one begins, half the other."""
    traced, untraced = pair[side % 2], pair[1 - side % 2]
    for number in range(pairs):
        order = [traced, untraced] if number % 2 else [untraced, traced]
        took = {server: server.upload() for server in order}
        for which, upload in enumerate(sums):
            upload.add(side % 2, took[traced][which], took[untraced][which],
                       files)


def batch(arm, pair, pairs, files, attach, sums):
    """Takes so many pairs on each side. Returns for each side by how many
    nanoseconds a system call of another process is longer; [] without perf."""
    calls = []
    for side in range(SIDES):
        before = others_ns()
        tracer = attach(arm, pair[side % 2])
        try:
            take_turns(pair, side, pairs, files, sums)
            after = others_ns()
        finally:
            tracer.stop(files * pairs)
        if before and after:
            calls.append(after - before)
    return calls


def row(arm, pair, options, attach):
    """One line of the table; attach(arm, server) gives a tracer to stop()."""
    sums = Upload(), Upload()
    calls = []
    most, pairs = batches(options.rounds)
    for number in range(1, most + 1):
        calls += batch(arm, pair, pairs, options.files, attach, sums)
        taken = number * SIDES * pairs
        percents = [upload.percent() for upload in sums]
        if options.verbose:
            print(arm, verdict(taken, percents, options.error), sep=": ",
                  file=sys.stderr, flush=True)
        if is_reached(taken, percents, options.error):
            break
    cells = sums[0].cells() + sums[1].cells()
    cells.append("%+.0f" % statistics.median(calls) if calls else "-")
    cells.append(verdict(taken, percents, options.error))
    print("| %s | %s |" % (arm, " | ".join(cells)), flush=True)


def libraries(tree, top):
    """An environment in which smbd loads copies of its libraries."""
    shared = tree / "bin" / "shared"
    shutil.copytree(str(shared), str(top))
    return dict(os.environ, LD_LIBRARY_PATH="%s:%s" % (top, top / "private"))


def table(pair, options, attach):
    """pair: two servers, the same but for their libraries."""
    for server in pair:
        server.upload()	# caches are warm after that
    titles = ["", "client, us a file", "more", "ratio", "smbd, us a file",
              "more", "ratio", "ns a call of others", "standard error"]
    print("| %s |" % " | ".join(titles).lstrip())
    print("| --- " * len(titles) + "|")
    for arm in options.arms:
        row(arm, pair, options, attach)
