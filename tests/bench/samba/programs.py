# SPDX-License-Identifier: BSD-2-Clause
"""price.py --programs: how often the BPF programs of tsmbd run for a file, and
how long, by the kernel's own measurement.

The kernel reads the clock before and after each run of a program. The same
programs are emptied in each second turn (empty.c): what is measured then is the
reading of the clock, and it is subtracted. A time is the least of the rounds,
since whatever else runs can only add to it.

The programs of tracepoints run for all processes of the machine, so their
number is right only if no other process makes system calls.
"""

import ctypes
import json
import os
import pathlib
import re
import subprocess

from tracers import EMPTY, Tracer

RUNS = re.compile(r"^prog_id:\s+(\d+)$.*^run_time_ns:\s+(\d+)$.*"
                  r"^run_cnt:\s+(\d+)$", re.MULTILINE | re.DOTALL)


class Statistics:
    """The kernel measures programs until the end of a with statement. This is
    a descriptor: bpf_stats_enabled of the kernel would be one for all, and
    whoever else measures might switch it off."""

    def __enter__(self):
        library = ctypes.CDLL("libbpf.so.1", use_errno=True)
        self.fd = library.bpf_enable_stats(0)   # BPF_STATS_RUN_TIME
        if self.fd < 0:
            raise OSError("the kernel does not measure BPF programs: %s" %
                          os.strerror(-self.fd))

    def __exit__(self, *_):
        os.close(self.fd)


def runs_of(pid):
    """{program's id: (nanoseconds, runs)} of the descriptors of a process."""
    found = {}
    for path in pathlib.Path("/proc/%d/fdinfo" % pid).iterdir():
        try:
            match = RUNS.search(path.read_text())
        except FileNotFoundError:	# tsmbd opens other files now and then
            continue
        if match:
            number, ns, runs = map(int, match.groups())
            found[number] = ns, runs
    return found


def describe(number):
    """(name of a program, whether it is attached to probes)."""
    said = subprocess.run(
        ["bpftool", "-j", "prog", "show", "id", str(number)], check=True,
        stdout=subprocess.PIPE, universal_newlines=True).stdout
    program = json.loads(said)
    return program["name"], program["type"] == "kprobe"


def measure(arm, server, files):
    """{(name, whether it is of probes): (runs a file, nanoseconds a run)}."""
    tracer = Tracer(arm, server)
    try:
        before = runs_of(tracer.process.pid)
        with Statistics():
            server.upload()
        after = runs_of(tracer.process.pid)
        named = {number: describe(number) for number in after}
    finally:
        tracer.stop(files)
    result = {}
    for number, (ns, runs) in after.items():
        ns -= before[number][0]
        runs -= before[number][1]
        if runs * 100 >= files:		# not what a connection does once
            result[named[number]] = runs / files, ns / runs
    return result


def least(rounds, program, which):
    return min(one[program][which] for one in rounds if program in one)


def row(name, hits, empty, full):
    """Cells: hits a file, ns of an empty program, ns of ours, us a file."""
    us = hits * max(full - empty, 0) / 1000
    print("| %s | %.2f | %.0f | %.0f | %.2f |" % (name, hits, empty, full, us),
          flush=True)
    return us


def arm_table(arm, server, options):
    empties, ours = [], []
    for _ in range(options.rounds):
        empties.append(measure(arm + EMPTY, server, options.files))
        ours.append(measure(arm, server, options.files))
    print("\n| %s | runs a file | ns, empty | ns | us a file more |\n%s|" % (
        arm, "| --- " * 5))
    programs = sorted(set().union(*ours), key=lambda one: (not one[1], one))
    hits, us = {True: 0, False: 0}, {True: 0, False: 0}
    for program in programs:
        name, of_probe = program
        if not any(program in one for one in empties):
            continue
        runs = least(ours, program, 0)
        hits[of_probe] += runs
        us[of_probe] += row(name, runs, least(empties, program, 1),
                            least(ours, program, 1))
    for of_probe, what in ((True, "probes"), (False, "tracepoints")):
        print("| all of %s | %.2f | | | %.2f |" % (
            what, hits[of_probe], us[of_probe]), flush=True)


def table(server, options):
    for arm in options.arms:
        arm_table(arm, server, options)
