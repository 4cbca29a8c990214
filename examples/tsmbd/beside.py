# SPDX-License-Identifier: BSD-2-Clause
"""price.py --beside: two smbd of one build at a time, one of them traced.

Their uploads take turns, one of a few files each, so that whatever else the
machine does is the same for both. Four times the tracer changes sides. The
second smbd has a copy of the libraries, as probes are traced by file.

What a tracer of system calls costs all programs both pay, so it is not in the
difference. It is measured apart: perf bench, without the tracer and with it.
"""

import os
import re
import shutil
import statistics
import subprocess

SIDES = 4
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


class Upload:
    """The differences between traced and not, and what was not, in
    microseconds for each file: of the client or of smbd."""

    def __init__(self):
        self.more = []
        self.base = []

    def add(self, traced, untraced, files):
        self.more.append((traced - untraced) / files * 1e6)
        self.base.append(untraced / files * 1e6)

    def cells(self):
        out = len(self.more) * TRIMMED // 10
        kept = sorted(self.more)[out:len(self.more) - out]
        error = statistics.stdev(kept) / len(kept) ** 0.5
        base = statistics.median(self.base)
        return ["%.0f" % base,
                "%+.1f (%.1f)" % (statistics.mean(kept), error),
                "%.3f" % (1 + statistics.mean(kept) / base)]


def take_turns(traced, untraced, options, sums):
    """Half of the time the one begins, half the other."""
    for number in range(options.rounds // SIDES):
        order = [traced, untraced] if number % 2 else [untraced, traced]
        took = {server: server.upload() for server in order}
        for which, upload in enumerate(sums):
            upload.add(took[traced][which], took[untraced][which],
                       options.files)


def row(arm, pair, options, attach):
    """One line of the table; attach(arm, server) gives a tracer to stop()."""
    sums = Upload(), Upload()
    calls = []
    for side in range(SIDES):
        traced, untraced = pair[side % 2], pair[1 - side % 2]
        before = others_ns()
        tracer = attach(arm, traced)
        try:
            take_turns(traced, untraced, options, sums)
            after = others_ns()
        finally:
            tracer.stop(options.files * (options.rounds // SIDES))
        if before and after:
            calls.append(after - before)
    cells = sums[0].cells() + sums[1].cells()
    cells.append("%+.0f" % statistics.median(calls) if calls else "-")
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
    print("| | client, us a file | more | ratio | smbd, us a file | more | "
          "ratio | ns a call of others |")
    print("| --- " * 8 + "|")
    for arm in options.arms:
        row(arm, pair, options, attach)
