#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""price.py - measures what tracing costs a real smbd.

    price.py --probes TREE [--plain TREE] [--files N] [--present N]
             [--rounds N] [--beside [--error PERCENT] | --instructions |
             --programs] [ARM]...

smbclient uploads N small files over the loopback interface. The time that this
takes is compared between smbd without probes, smbd with probes that nobody
traces, and smbd traced by each of the tracers in ARMS. TREE is a directory in
which smbd has been built, such as ./dev samba leaves; the one for --plain was
configured without probes. Without --plain, everything is compared with the
probes that nobody traces.

All arms take turns, in another order in each round, and each is compared with
the first arm of the same round. The table has the median of these ratios and
their quartiles, which other work on the machine disturbs less than it disturbs
a mean. "client" is how long the upload takes, without the logon; "smbd" is the
processor time of smbd and of the kernel on its behalf.

Meanwhile loops of the lowest priority keep the processors awake: client and
smbd wait for each other all the time, and to wake up a virtual processor takes
longer, and varies by more, than the difference that is to be measured. smbd has
a processor of its own, which smbclient does not use, if there are two. On tmpfs
(TMPDIR) the difference varies less than on a disk, and so does what smbd takes.

The time for a file depends on how many there are in its directory. --files 1000
--present 4500 is the middle tenth of an upload of 10,000 files; shorter turns
suffer less from what changes meanwhile.

--beside compares each tracer with the probes that nobody traces, by two smbd
whose uploads take turns (beside.py). Each arm takes pairs of uploads, in
batches of 40, until the standard error of the tracer's cost is below --error
percent (0.3) of the time for an untraced file, for the client and for smbd, or
until there were --rounds pairs (800). The table says which it was. With --files
200 the machine changes little between the two uploads of a pair; 80 pairs take
two minutes, and 800 pairs, which is the most that one arm takes, about 20.

--instructions counts the instructions that smbd executes in user space for 200
more files, under valgrind, for the two arms without a tracer. This is exact,
and slow.

--programs counts how often the programs of "tsmbd" and "tsmbd full" run for a
file, and has the kernel measure how long (bpf_stats_enabled in the kernel's
documentation), in turns with the same programs that do nothing ("tsmbd empty",
which need not be named): see programs.py. This needs few
files and no quiet machine. The hits of probes, and the floor that "tsmbd empty"
has in --beside, say the rest.

"tsmbd hits" and "tsmbd full hits" are tsmbd as it is where it cannot read what
smbd notes of its requests: each of them takes a hit.

"recorder" is smbd with the flight recorder of sdtkit, which is preloaded into
it, and with all probes of smb2, smbnet and vfs recorded. "counted" is smbd that
counts all spans of smb2 by itself, likewise.

It needs root and smbclient. If no ARM is given, tracers that are not installed
are left out. SDTKIT_BUILD is where tsmbd was built (build). Run it on a machine
that does nothing else, after emptying the page cache (drop_caches in proc(5)):
where the libraries of two builds lie in the cache has made a difference of 5 %.
The files are written below TMPDIR.
"""

import argparse
import pathlib
import shutil
import statistics
import sys
import tempfile

import beside
import instructions
import programs
import recorded
from smbd_server import Awake, Failed, Server, fill
from tracers import ARMS, EMPTY, attach

ROUNDS = 7


def measure(arm, server, files):
    if ARMS[arm] is None:
        return server.upload()
    tracer = attach(arm, server)
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


def lacks(arm, options):
    """Returns what the arm needs and is missing, or None."""
    if arm == "no probes":
        return "--plain" if options.plain is None else None
    if ARMS[arm] is None or shutil.which(str(ARMS[arm][0])) is not None:
        return None
    if arm in recorded.ARMS and recorded.LIBRARY.exists():
        return None
    return str(ARMS[arm][0])


def settle_rounds(parser, options):
    """Sets the defaults of --rounds and --error, and checks their values."""
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
    if not options.arms:
        parser.error("--beside compares a tracer: name an arm that has one")


def arms_of_programs(parser, options):
    """Those that --programs measures; each has an empty one beside it."""
    known = [arm for arm in ARMS if arm + EMPTY in ARMS]
    if not options.arms:
        return known
    wanted = [arm for arm in options.arms if arm in known]
    for arm in options.arms:
        if arm not in wanted + [one + EMPTY for one in wanted]:
            parser.error("--programs does not measure '%s': use %s" % (
                arm, " or ".join("'%s'" % one for one in known)))
    return wanted


def arguments():
    parser = argparse.ArgumentParser(
        description="Measures what tracing costs a real smbd.")
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
    group.add_argument("--programs", action="store_true",
                       help="how long the kernel runs those of tsmbd")
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
    if options.programs:
        options.arms = arms_of_programs(parser, options)
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
            beside.table(pair, options, attach)
    finally:
        for server in pair:
            server.smbd.stop()


def price_programs(options, tree, top):
    source = fill(top / "files", options.files, options.size,
                  options.directory)
    server = Server(tree, top / "probes", source, options.present)
    try:
        server.upload()	# caches are warm after that
        with Awake():
            programs.table(server, options)
    finally:
        server.smbd.stop()


MEASURED = pathlib.Path("/proc/sys/kernel/bpf_stats_enabled")


def warn_of_statistics():
    """The kernel's own measurement of BPF programs makes each run longer."""
    if MEASURED.exists() and MEASURED.read_text().strip() != "0":
        print("price.py: the tracers seem more expensive than they are, "
              "because the kernel measures each run of a BPF program: set "
              "kernel.bpf_stats_enabled to 0", file=sys.stderr)


def main():
    options = arguments()
    if not (options.programs or options.instructions):
        warn_of_statistics()
    trees = {"plain": options.plain, "probes": options.probes}
    trees = {name: tree.resolve() for name, tree in trees.items() if tree}
    with tempfile.TemporaryDirectory() as directory:
        if options.instructions:
            instructions.count(trees, pathlib.Path(directory), options)
        elif options.beside:
            price_beside(options, trees["probes"], pathlib.Path(directory))
        elif options.programs:
            price_programs(options, trees["probes"], pathlib.Path(directory))
        else:
            price(options, trees, pathlib.Path(directory))


if __name__ == "__main__":
    try:
        main()
    except (Failed, OSError) as error:
        sys.exit("price.py: %s" % error)
