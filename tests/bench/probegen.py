# SPDX-License-Identifier: BSD-2-Clause
"""probegen beside systemtap's `dtrace` on the same files: whole processes, run
in turns so that both see the same machine, the median of each, and the peak of
memory. Run by hand, on a machine that has nothing else to do:

    python3 tests/bench/probegen.py [--rounds N] [FILE.d...]

`goal` is what docs/porting.md promises: a ratio, or seconds and megabytes. The
exit status tells whether it holds. Without systemtap (package
systemtap-sdt-dev, with python3-pyparsing) only probegen's own times come out.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PYTHON = "/usr/bin/python3"     # that of the systemtap script too
PROBEGEN = [PYTHON, str(SOURCE / "probegen")]
SYSTEMTAP = "/usr/bin/dtrace"

# of generated files, the arguments of the n-th probe in turn: what the
# providers of real programs have
ARGUMENTS = ["", "int id", "char *name, int line", "unsigned int a, "
             "unsigned int b, unsigned int c", "void *p, size_t n, int flags, "
             "uint64_t when", "struct file *f, const char *path, long off, "
             "long len, int rc, int err"]

# what is timed: (generated probes or a file, form, goal: at least so many
# times as fast, or at most so many seconds and megabytes)
SMB2 = SOURCE / "providers/smb2/smb2.d"
CASES = [
    (SMB2, "-h", ("ratio", 1.5)),
    (SMB2, "-G", None),
    (SMB2, "native", None),
    (1000, "-h", ("ratio", 5)),
    (10000, "-h", ("cost", 1, 100)),
    (10000, "native", None),
]


def generated(count, folder):
    """A description of ``count`` probes, with a comment for each."""
    path = folder / ("%d.d" % count)
    path.write_text("provider many {\n%s};\n" % "".join(
        "\t/* Event %d happens. */\n\tprobe group%d__event%d(%s);\n" % (
            i, i % 10, i, ARGUMENTS[i % len(ARGUMENTS)])
        for i in range(count)))
    return path


def once(command, folder):
    """(seconds, megabytes at the peak) of a run, which must succeed."""
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit("%s failed" % " ".join(command))
    return seconds, usage.ru_maxrss / 1024


def median(runs):
    return [statistics.median(column) for column in zip(*runs)]


def measure(path, form, rounds, folder):
    """The medians of probegen and, where it can do that, of systemtap."""
    flags = ["-Wno-all", "--always"] if form == "native" else (
        [form, "--always"])
    commands = [PROBEGEN + flags + ["-s", str(path), "-o", "out"]]
    if form != "native" and os.path.exists(SYSTEMTAP):
        commands.append([SYSTEMTAP, form, "-s", str(path), "-o", "out"])
    for command in commands:
        once(command, folder)   # files into the cache
    runs = [[once(command, folder) for command in commands]
            for _ in range(rounds)]
    return [median(column) for column in zip(*runs)]


def verdict(goal, ours, theirs):
    """(text, whether the goal is met)"""
    if goal is None or goal[0] == "ratio" and not theirs:
        return "", True
    if goal[0] == "ratio":
        good = theirs[0] / ours[0] >= goal[1]
        return "goal %.1fx: %s" % (goal[1], "met" if good else "MISSED"), good
    good = ours[0] < goal[1] and ours[1] < goal[2]
    return "goal %g s, %g MB: %s" % (goal[1:] + (
        "met" if good else "MISSED",)), good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("files", nargs="*", metavar="FILE.d")
    options = parser.parse_args()
    cases = [(pathlib.Path(name).resolve(), form, None)
             for name in options.files for form in ("-h", "-G")] or CASES
    print("%-16s %-7s %18s %18s %7s" % (
        "description", "form", "probegen", "systemtap", "ratio"))
    all_good = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path, form, goal in cases:
            if isinstance(path, int):
                path = generated(path, folder)
            rounds = options.rounds if path.stat().st_size < 20000 else (
                max(3, options.rounds // 3))
            ours, *theirs = measure(path, form, rounds, folder)
            theirs = theirs[0] if theirs else None
            text, good = verdict(goal, ours, theirs)
            all_good = all_good and good
            cells = ["%8.0f ms %4.0f MB" % (cell[0] * 1000, cell[1])
                     if cell else "-" for cell in (ours, theirs)]
            print("%-16s %-7s %18s %18s %7s  %s" % (
                path.name, form, *cells,
                "%.1fx" % (theirs[0] / ours[0]) if theirs else "", text))
            sys.stdout.flush()
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
