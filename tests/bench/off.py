# SPDX-License-Identifier: BSD-2-Clause
"""What a probe costs while nobody traces: the functions of off.c, compiled in
the ways of off_probes.h. Three tables for each compiler:

  instructions  executed per call, as callgrind counts them: exact
  bytes         of code that is executed, by the size of each instruction that
                callgrind saw: what the probe takes of the instruction cache
  time          of a call as a multiple of that without a probe, the least of
                rounds in which all ways take turns: these few nanoseconds say
                little, and nothing on a machine that does other things too

Run by hand, on a machine that has nothing else to do:

    python3 tests/bench/off.py [--no-time] [--rounds N]

Needs valgrind, and for two of the ways <sys/sdt.h> (systemtap-sdt-dev).
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import bench
from bench import HERE, SOURCE, run

CALLS = 1000            # under callgrind
TIMED_CALLS = 5000000
COMPILERS = ["gcc", "clang"]
FLAGS = ["-O2", "-no-pie", "-fno-pie", "-I", str(SOURCE / "include")]

# way of off_probes.h: the column's title
WAYS = {"NONE": "none", "SDTKIT": "sdtkit", "GUARDED": "guarded",
        "UNGUARDED": "sdt.h", "VOLATILE": "volatile"}

# function of off.c: what is in it
FUNCTIONS = {
    "leaf": "a straight line, 2 arguments",
    "loop": "4 rounds, a probe in each",
    "dispatch": "a switch behind the probe",
    "calls": "a probe between two calls",
    "members": "strings and members, 3 arguments",
    "argument_calls": "an argument that calls a function",
    "three": "three probes, two calls",
    "pair": "two probes behind one guard",
}


def build(compiler, way, folder):
    program = folder / (compiler + "." + way)
    run(compiler, *FLAGS, "-I", folder, "-DWAY=" + way, HERE / "off.c",
        HERE / "off_main.c", "-o", program)
    return program


def instruction_sizes(program):
    """address -> bytes"""
    rows = re.findall(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+)",
                      run("objdump", "-dw", program), re.MULTILINE)
    return {int(address, 16): len(code.split()) for address, code in rows}


def callgrind(program, function, folder):
    """(instructions of one call, with all it calls; addresses of its own)"""
    output = folder / "callgrind.out"
    run("valgrind", "--tool=callgrind", "--dump-instr=yes",
        "--compress-strings=no", "--compress-pos=no",
        "--callgrind-out-file=%s" % output, program, function, CALLS,
        stderr=subprocess.DEVNULL)
    inclusive, addresses = 0, set()
    inside = callee = called = None
    for line in output.read_text().split("\n"):
        if line.startswith("fn="):
            inside = line[3:].split("'")[0]
        elif line.startswith("cfn="):
            callee = line[4:].split("'")[0]
        elif line.startswith("calls="):
            called = callee
        elif line.startswith("0x"):
            words = line.split()
            if called == function and inside != function:
                inclusive += int(words[-1])
            if inside == function:
                addresses.add(int(words[0], 16))
            called = None
    return inclusive / CALLS, addresses


def count(programs, folder):
    """function -> way -> (instructions, bytes)"""
    results = {function: {} for function in FUNCTIONS}
    for way, program in programs.items():
        size = instruction_sizes(program)
        for function in FUNCTIONS:
            instructions, addresses = callgrind(program, function, folder)
            results[function][way] = (
                instructions, sum(size[address] for address in addresses))
    return results


def time(programs, rounds):
    """function -> way -> nanoseconds, the least of all rounds"""
    runs = bench.turns(
        rounds, [(function, way) for function in FUNCTIONS for way in programs],
        lambda one: float(run(programs[one[1]], one[0], TIMED_CALLS)))
    return {function: {way: min(runs[function, way]) for way in programs}
            for function in FUNCTIONS}


def show(title, ways, cell):
    """A table: functions down, ways across."""
    print("\n%-34s" % title + "".join("%11s" % WAYS[way] for way in ways))
    for function, what in FUNCTIONS.items():
        print("%-34s" % what + "".join(
            "%11s" % cell(function, way) for way in ways))


def compare(table, number, form, base="%g"):
    """cell() of show(): the first column's number, then what others add."""
    def cell(function, way):
        row = table[function]
        if way == "NONE":
            return base % number(row[way])
        return form % (number(row[way]) - number(row["NONE"]))
    return cell


def measure(compiler, ways, options, folder):
    print("\n%s, -O2" % run(compiler, "--version").split("\n")[0])
    programs = {way: build(compiler, way, folder) for way in ways}
    counts = count(programs, folder)
    show("instructions per call", ways,
         compare(counts, lambda cell: cell[0], "%+g"))
    show("bytes of code executed", ways,
         compare(counts, lambda cell: cell[1], "%+d"))
    if not options.no_time:
        times = time(programs, options.rounds)
        show("time per call", ways, lambda function, way: (
            "%.2f ns" % times[function][way] if way == "NONE" else
            "%.2fx" % (times[function][way] / times[function]["NONE"])))
    sys.stdout.flush()


def main():
    options = bench.options(__doc__, rounds=15, more=[("--no-time", {
        "action": "store_true", "help": "only what is exact"})])
    if os.uname().machine != "x86_64":
        sys.exit("off.py counts x86-64 instructions")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        bench.probegen(HERE / "off.d", folder / "off_sdtkit.h")
        have_sdt = subprocess.run(
            ["gcc", "-E", "-x", "c", "-"], input="#include <sys/sdt.h>\n",
            text=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode == 0
        ways = [way for way in WAYS
                if have_sdt or "GUARDED" not in way]
        print("off: cost of probes that nobody traces; columns but the first "
              "say what they add\n"
              "guarded, sdt.h: <sys/sdt.h> with an if, without; volatile: as "
              "libbpf's usdt.h")
        for compiler in COMPILERS:
            measure(compiler, ways, options, folder)


if __name__ == "__main__":
    main()
