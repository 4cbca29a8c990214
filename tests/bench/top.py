# SPDX-License-Identifier: BSD-2-Clause
"""What a request costs a server (smbd: a file) under sdtkit top, under tsmbd
where that can trace it, and under a bpftrace script that counts the same:
processor time of the server, and time of the programs in the kernel.

All variants take turns, so that they see the same machine. The figure is the
least of the rounds, for whatever disturbs them only adds; the median is beside
it. The ratio of processor time is the median of those to the same round
without a tracer. The time of programs is what the kernel measures
(bpf_stats_enabled), with the reading of its clock; a loaded machine disturbs it
little. sdtkit top has the span smb2:request of the description, whose end tells
how long it took: tsmbd reads the same argument. Programs that are not at probes
are those of tsmbd at sockets, functions of the kernel and tracepoints, for
numbers that the others do not have; other processes of the machine run them
too.

Run as root, after `./dev build`; the tree for smbd is one that ./dev samba has
built:

    python3 tests/bench/top.py [--rounds N] [--samba TREE] [LOAD]...
"""

import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import bench

sys.path.insert(0, str(bench.HERE / "top"))

import loads        # noqa: E402
import programs     # noqa: E402, of samba: loads.py has added its path

LIMIT = 60


def commands(options, load, folder):
    """{variant: what to run}"""
    tools = {"sdtkit top": options.build / "lib" / "tool" / "sdtkit",
             "tsmbd": options.build / "lib" / "tsmbd" / "tsmbd"}
    found = {}
    for name, words in load.tracers().items():
        if name == "bpftrace":
            if shutil.which(name) is None:
                continue
            script = folder / "requests.bt"
            script.write_text(words + 'BEGIN { printf("Collecting\\n"); }\n')
            found[name] = [name, script]
        elif name == "sdtkit top":
            found[name] = [tools[name], "top", *words]
        else:
            found[name] = [tools[name], *words]
    return found


def start(command, log):
    """Returns it when it has attached."""
    with log.open("w") as output:
        process = subprocess.Popen([str(word) for word in command],
                                   stdout=output, stderr=output)
    end = time.monotonic() + LIMIT
    while "Collecting" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)
    # bpftrace attaches the other probes behind BEGIN
    time.sleep(1)
    return process


def stop(process):
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:    # bpftrace 0.17 misses a signal now and then
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            pass


def time_of(before, after, is_probe):
    """(runs, nanoseconds) of programs at probes, or of all others."""
    runs = time_ns = 0
    for number, (ns, count) in after.items():
        of_probe = programs.describe(number)[1]
        if of_probe == is_probe:
            then = before.get(number, (0, 0))
            time_ns += ns - then[0]
            runs += count - then[1]
    return runs, time_ns


def measure(load, command, log):
    """One round: numbers of a request."""
    if command is None:
        requests, spent = load.run()
        return {"us": spent / requests / 1000}
    tracer = start(command, log)
    try:
        before = programs.runs_of(tracer.pid)
        with programs.Statistics():
            requests, spent = load.run()
        after = programs.runs_of(tracer.pid)
        hits, ns = time_of(before, after, True)
        others = time_of(before, after, False)[1]
    finally:
        stop(tracer)
    return {"us": spent / requests / 1000, "hits": hits / requests,
            "hit": ns / max(hits, 1), "probes": ns / requests,
            "others": others / requests}


def cell(rounds, what):
    values = [one[what] for one in rounds if what in one]
    if not values:
        return ""
    return bench.least(values, "%.2f")


def ratio(rounds, base):
    return "%.3f" % statistics.median(
        one["us"] / other["us"] for one, other in zip(rounds, base))


def table(load, measured):
    base = next(iter(measured.values()))
    for name, rounds in measured.items():
        print("| %s, %s | %s | %s | %s |" % (
            load.name, load.unit, name, " | ".join(
                cell(rounds, what) for what in (
                    "us", "hits", "hit", "probes", "others")),
            ratio(rounds, base)), flush=True)


def arguments():
    options = bench.options(__doc__, root=True, rounds=5, more=[
        ("--files", {"type": int, "default": 2000,
                     "help": "for demo-server and smbd, in a round (2000)"}),
        ("--requests", {"type": int, "default": 50000,
                        "help": "for kv, in a round (50000)"}),
        ("--samba", {"type": pathlib.Path, "metavar": "TREE",
                     "help": "where an smbd with probes has been built"}),
        ("loads", {"nargs": "*", "metavar": "LOAD",
                   "help": "of: demo-server, kv, smbd"})])
    options.samba = options.samba.resolve() if options.samba else None
    return options


def main():
    options = arguments()
    bench.head("server, for each", "by", "us of the processor", "hits",
               "ns for a hit", "ns of programs at probes", "of others", "ratio")
    for kind in loads.chosen(options):
        if options.loads and kind.name not in options.loads:
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            load = kind(options, folder)
            try:
                variants = {"no tracer": None}
                variants.update(commands(options, load, folder))
                load.run()
                measured = bench.turns(
                    options.rounds, variants, lambda name: measure(
                        load, variants[name], folder / "tracer"))
            finally:
                load.stop()
            table(kind, measured)


if __name__ == "__main__":
    main()
