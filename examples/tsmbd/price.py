#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""price.py - what it costs a real smbd to be looked at.

    price.py --probes TREE [--plain TREE] [--files N] [--present N]
             [--rounds N] [--beside [--error PERCENT] | --instructions]
             [ARM]...

smbclient uploads N small files over the loopback, and how long that takes is
compared: smbd without probes, with probes that nobody looks at, and traced by
each of the tracers of ARMS. TREE is a tree in which smbd has been built, as
./dev samba leaves one; --plain is one that was configured without probes. If it
is missing, all is compared with the probes that nobody looks at.

All arms take turns, in another order in each round, and each is compared with
the first one of the same round: what is printed are the median of these ratios
and their quartiles, so that a machine that has other things to do disturbs
less. "client" is how long the upload takes, without logging in, "smbd" the
processor time of smbd and of the kernel on its behalf.

Loops of the lowest priority keep the processors awake meanwhile: client and
smbd wait for each other all the time, and to wake up a virtual processor takes
longer, and varies by more, than what is to be measured.

What a file costs depends on how many there are in the directory. --files 1000
--present 4500 is a tenth of an upload of 10,000, the one in the middle: turns
that are short see less of what changes meanwhile.

--beside compares each tracer with the probes that nobody looks at, by two smbd
whose uploads take turns (beside.py). Each arm takes pairs of uploads, in
batches of 40, until the standard error of what the tracer costs is below
--error percent (0.3) of what an untraced file takes, for the client and for
smbd, or until there were --rounds pairs (800). The table says which it was.
With --files 200 the machine changes little between the two of a pair; 80 pairs
take two minutes, 800 take about 20, which is the longest that one arm takes.

--instructions counts those that smbd executes in user space for 200 files more,
under valgrind, for the two arms without a tracer. That is exact, and slow.

Needs root and smbclient; a tracer that is not there is left out if no ARM was
asked for. SDTKIT_BUILD is where tsmbd was built (build). Run on a machine that
has nothing else to do, after emptying its page cache (drop_caches in proc(5)):
where the libraries of two builds lie in there has made 5 % of difference. The
files are put where TMPDIR says.
"""

import argparse
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SDTKIT = HERE.parent.parent
BUILD = pathlib.Path(os.environ.get("SDTKIT_BUILD", SDTKIT / "build")).resolve()
TSMBD = BUILD / "examples" / "tsmbd" / "tsmbd"

sys.path.insert(0, str(SDTKIT / "examples" / "samba"))

import beside  # noqa: E402
from server import Smbd  # noqa: E402
from source import Failed  # noqa: E402

# name -> command; {pid} is smbd's, {library} has most of its probes
ARMS = {
    "no probes": None,
    "probes": None,
    "tsmbd": [TSMBD, "-p", "{pid}"],
    "tsmbd -s": [TSMBD, "-p", "{pid}", "-s"],
    "tsmbd full": [
        TSMBD, "-p", "{pid}", "-s", "-d", "--slow=1000", "--top=files",
        "--exit", "--oplocks", "--heatmap={top}/heatmap.svg"],
    "tsmbd.bt": ["bpftrace", "-B", "none",
                 SDTKIT / "examples/reports/tsmbd.bt", "{library}",
                 "{library}"],
    "strace -c": ["strace", "-c", "-f", "-qq", "-p", "{pid}"],
}
# what a tracer says first, and what it has to say in the end
READY = "Collecting data"
SEEN = r"SMB2_OP_WRITE\D+{files}\b"
SEEN_BY_STRACE = "pwrite64"
COUNTED = (1, 201)	# files, for --instructions: without the start of smbd
RUNS = 3		# of each
ROUNDS = 7
ATTACHED = 1.0		# seconds without another open file of the tracer's
LIMIT = 300


# Run by smbclient before and after the upload: the clock, and what the
# children of smbd have computed, both in nanoseconds.
SNAPSHOT = """#!/bin/sh
date +%s%N
for child in $(cat /proc/{pid}/task/{pid}/children); do
	cat /proc/$child/task/*/schedstat
done | awk '{{ sum += $1 }} END {{ printf "%.0f\\n", sum }}'
"""


def children(pid):
    with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
        return set(file.read().split())


# Gives way to whatever else wants to run.
LOOP = """
import os
os.sched_setaffinity(0, {%d})
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
while True:
	pass
"""


class Awake:
    """A loop on each processor, until the end of a with statement."""

    def __enter__(self):
        self.loops = [subprocess.Popen([sys.executable, "-c", LOOP % cpu])
                      for cpu in os.sched_getaffinity(0)]

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()


class Server:
    """One smbd, for all the rounds of its arms."""

    def __init__(self, tree, top, files, present=0, environment=None):
        top.mkdir()
        self.smbd = Smbd(tree, top, environment)
        self.pid = self.smbd.process.pid
        self.top = top
        self.source = files
        self.snapshot = top / "snapshot"
        self.snapshot.write_text(SNAPSHOT.format(pid=self.pid))
        self.snapshot.chmod(0o755)
        fill(top / "share", present, 0, present, "present%d")

    def upload(self):
        """Seconds that it took, seconds that smbd computed for it."""
        idle = children(self.pid)
        said = subprocess.run(
            ["smbclient", "//127.0.0.1/share", "-p", str(self.smbd.port),
             "-N", "-mSMB3", "-t", "120"],
            input="prompt\nrecurse\n!{0}\nmput d\n!{0}\n".format(
                self.snapshot),
            cwd=str(self.source), timeout=LIMIT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True).stdout
        numbers = re.findall(r"^\d+$", said, re.MULTILINE)
        if len(numbers) != 4:
            raise Failed("smbclient: " + said[-1000:])
        clock, computed, clock_then, computed_then = map(int, numbers)
        wait_until(lambda: children(self.pid) <= idle, "smbd's child stays")
        for path in self.source.glob("d/*/*"):
            stored = self.top / "share" / path.relative_to(self.source)
            if stored.stat().st_size != path.stat().st_size:
                raise Failed("%s has not arrived whole" % stored)
            stored.unlink()
        return ((clock_then - clock) / 1e9, (computed_then - computed) / 1e9)


def wait_until(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failed(what)
        time.sleep(0.02)


def mapped(pid, name):
    """The file of that name which a process has mapped."""
    with open("/proc/%d/maps" % pid) as file:
        for line in file:
            path = line.split()[-1]
            if os.path.basename(path).startswith(name):
                return path
    raise Failed("smbd has not loaded %s" % name)


class Tracer:
    """A tracer that has attached, and what it says in the end."""

    def __init__(self, arm, server):
        where = {"pid": server.pid, "top": server.top,
                 "library": mapped(server.pid, "libsmbd-base")}
        self.arm = arm
        self.output = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [str(word).format(**where) for word in ARMS[arm]],
            stdout=self.output, stderr=subprocess.STDOUT)
        self.wait()

    def wait(self):
        """Until it is ready, and does not open anything more."""
        ready = "" if self.arm.startswith("strace") else READY
        files = 0
        since = time.monotonic()
        while time.monotonic() < since + ATTACHED:
            if self.process.poll() is not None:
                raise Failed("%s: %s" % (self.arm, self.said()))
            now = len(os.listdir("/proc/%d/fd" % self.process.pid))
            if now != files or ready not in self.said():
                files, since = now, time.monotonic()
            time.sleep(0.05)

    def said(self):
        self.output.seek(0)
        return self.output.read()

    def stop(self, files):
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:	# bpftrace 0.17 misses a signal now and then
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                pass
        pattern = SEEN.format(files=files)
        if self.arm.startswith("strace"):
            pattern = SEEN_BY_STRACE
        text = self.said()
        self.output.close()
        if not re.search(pattern, text) or "\nLost" in text:
            raise Failed("%s has not seen all: %s" % (self.arm, text))


def measure(arm, server, files):
    if ARMS[arm] is None:
        return server.upload()
    tracer = Tracer(arm, server)
    try:
        return server.upload()
    finally:
        tracer.stop(files)


def rounds(options, servers, arms):
    """arm -> list of (client's seconds, smbd's), one for each round."""
    measured = {arm: [] for arm in arms}
    for number in range(options.rounds):
        at = number % len(arms)
        for arm in arms[at:] + arms[:at]:
            server = servers["plain" if arm == "no probes" else "probes"]
            measured[arm].append(measure(arm, server, options.files))
        if options.verbose:
            print(number + 1, *("%s %.3f/%.3f" % ((arm,) + rows[-1])
                                for arm, rows in measured.items()),
                  sep="  ", file=sys.stderr, flush=True)
    return measured


def cell(values, base):
    """Median of the ratios, and their quartiles."""
    ratios = sorted(a / b for a, b in zip(values, base))
    if len(ratios) < 2:
        return "%.3f" % ratios[0]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return "%.3f (%.3f to %.3f)" % (middle, low, high)


def table(measured):
    first = next(iter(measured))
    print("| | client, seconds | ratio | smbd, seconds | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for arm, rows in measured.items():
        print("| %s | %s |" % (arm, " | ".join(
            "%.2f | %s" % (statistics.median(row[which] for row in rows),
                           cell([row[which] for row in rows],
                                [row[which] for row in measured[first]]))
            for which in (0, 1))))


def fill(top, files, size, per_directory, name="f%d"):
    """Files of random bytes, in directories of at most that many."""
    for number in range(files):
        directory = top / "d" / str(number // per_directory)
        directory.mkdir(parents=True, exist_ok=True)
        (directory / (name % number)).write_bytes(os.urandom(size))
    return top


# Stands for the smbd of a tree; each process leaves a file with its total.
COUNTER = """#!/bin/sh
exec valgrind -q --trace-children=yes --tool=callgrind \\
	--callgrind-out-file={top}/count.%p {smbd} "$@"
"""


def instructions(tree, top, source):
    """Of the process that serves a client."""
    (top / "bin").mkdir(parents=True)
    counter = top / "bin" / "smbd"
    counter.write_text(COUNTER.format(top=top, smbd=tree / "bin" / "smbd"))
    counter.chmod(0o755)
    server = Server(top, top / "served", source)
    try:
        server.upload()
    finally:
        server.smbd.stop()
    totals = []
    for path in top.glob("count.*"):
        total = re.search(r"^totals: (\d+)", path.read_text(), re.MULTILINE)
        if total and path.suffix != ".%d" % server.pid:
            totals.append(int(total.group(1)))
    if not totals:
        raise Failed("valgrind has counted nothing")
    return max(totals)


def count(trees, top, options):
    few, many = (fill(top / str(files), files, options.size,
                      options.directory) for files in COUNTED)
    means = {}
    for name, tree in trees.items():
        means[name] = statistics.mean(
            instructions(tree, top / ("%s.many.%d" % (name, number)), many) -
            instructions(tree, top / ("%s.few.%d" % (name, number)), few)
            for number in range(RUNS))
    print("| | instructions for %d files | |\n| --- | --- | --- |" % (
        COUNTED[1] - COUNTED[0]))
    for name, mean in means.items():
        print("| %s | %d | %+.2f %% |" % (
            name, mean, 100 * mean / next(iter(means.values())) - 100))


def lacks(arm, options):
    """What the arm would need and is not there, or None."""
    if arm == "no probes":
        return "--plain" if options.plain is None else None
    if ARMS[arm] is None or shutil.which(str(ARMS[arm][0])) is not None:
        return None
    return str(ARMS[arm][0])


def settle_rounds(parser, options):
    """What --rounds and --error are if they are missing; whether they can
    be."""
    if options.rounds is None:
        options.rounds = beside.MOST if options.beside else ROUNDS
    if options.error is None:
        options.error = beside.GOAL
    elif not options.beside:
        parser.error("--error is for --beside")
    if not options.error > 0:
        parser.error("invalid value %g for --error: use percent, more than 0" %
                     options.error)
    if not options.beside:
        return
    if options.rounds < 2 * beside.SIDES:
        parser.error("--beside takes %d rounds at least" % (2 * beside.SIDES))
    options.arms = [arm for arm in options.arms if ARMS[arm] is not None]


def arguments():
    parser = argparse.ArgumentParser(
        description="What it costs a real smbd to be looked at.")
    parser.add_argument("--probes", type=pathlib.Path, required=True,
                        help="a tree with an smbd that has probes")
    parser.add_argument("--plain", type=pathlib.Path,
                        help="one with an smbd that has none")
    parser.add_argument("--files", type=int, default=10000)
    parser.add_argument("--size", type=int, default=10240, help="of each")
    parser.add_argument("--directory", type=int, metavar="N",
                        help="files in a directory (all of them)")
    parser.add_argument("--present", type=int, metavar="N", default=0,
                        help="files that are in the first directory before")
    parser.add_argument("--rounds", type=int,
                        help="of all arms (%d); with --beside the most pairs "
                        "of an arm, in batches of %d (%d)" % (
                            ROUNDS, beside.PAIRS, beside.MOST))
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--beside", action="store_true",
                       help="two smbd at a time, one of them traced, until "
                       "the standard error is small enough")
    group.add_argument("--instructions", action="store_true",
                       help="those that smbd executes when nobody looks")
    parser.add_argument("--error", type=float, metavar="PERCENT",
                        help="for --beside: the standard error to get below, "
                        "of the untraced time (%g)" % beside.GOAL)
    parser.add_argument("--verbose", "-v", action="store_true",
                        help="tell of each round")
    parser.add_argument("arms", nargs="*", metavar="ARM",
                        help="of: " + ", ".join(ARMS))
    options = parser.parse_args()
    options.directory = options.directory or options.files
    for arm in options.arms:
        if arm not in ARMS:
            parser.error("no arm is called '%s'" % arm)
        if lacks(arm, options):
            parser.error("'%s' needs %s" % (arm, lacks(arm, options)))
    options.arms = [arm for arm in ARMS
                    if arm in options.arms or not options.arms]
    settle_rounds(parser, options)
    for arm in list(options.arms):
        if lacks(arm, options):
            print("price.py: '%s' is left out, it needs %s" % (
                arm, lacks(arm, options)), file=sys.stderr)
            options.arms.remove(arm)
    return options


def price(options, trees, top):
    source = fill(top / "files", options.files, options.size,
                  options.directory)
    servers = {}
    try:
        for name, tree in trees.items():
            servers[name] = Server(tree, top / name, source,
                                   options.present)
            servers[name].upload()	# caches are warm after that
        with Awake():
            table(rounds(options, servers, options.arms))
    finally:
        for server in servers.values():
            server.smbd.stop()


def price_beside(options, tree, top):
    source = fill(top / "files", options.files, options.size,
                  options.directory)
    pair = []
    try:
        for name, environment in (("first", None), ("second", beside.libraries(
                tree, top / "libraries"))):
            pair.append(Server(tree, top / name, source, options.present,
                               environment))
        with Awake():
            beside.table(pair, options, Tracer)
    finally:
        for server in pair:
            server.smbd.stop()


def main():
    options = arguments()
    trees = {"plain": options.plain, "probes": options.probes}
    trees = {name: tree.resolve() for name, tree in trees.items() if tree}
    with tempfile.TemporaryDirectory() as directory:
        if options.instructions:
            count(trees, pathlib.Path(directory), options)
        elif options.beside:
            price_beside(options, trees["probes"], pathlib.Path(directory))
        else:
            price(options, trees, pathlib.Path(directory))


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as error:
        sys.exit("price.py: %s" % error)
