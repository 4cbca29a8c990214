# SPDX-License-Identifier: BSD-2-Clause
"""What a hit costs smbd by the two ways in which lib/tsmbd attaches:
libbpf's attach_usdt(), with its description of arguments in a map, and a link
of uprobe_multi with the places of the arguments in its cookie. Nanoseconds per
hit of a program that does nothing and of one that reads five arguments, and
milliseconds to attach to 30 probes and to let go of them.

All variants take turns, so that they see the same machine; the figure is the
least of the rounds, their median is beside it, and the ratio is to libbpf's.
For a hit it is time of the processor. Run as root, on a machine that has
nothing else to do, after `./dev build`:

    python3 tests/bench/attach.py [--rounds N] [--build DIRECTORY]

Needs Linux 6.6 and a libbpf before 1.3: a later one has links of uprobe_multi,
too, and the rest of the difference is that of the arguments.
"""

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
TSMBD = SOURCE / "lib" / "tsmbd"
UPROBE = SOURCE / "lib" / "uprobe"
PYTHON = "/usr/bin/python3"
WAYS = ["libbpf", "multi"]
PROGRAMS = {"empty": "does nothing", "five": "reads five arguments"}
PROBES = 30
HITS = 50000
LIMIT = 60
TARGETS = {"x86_64": "x86", "aarch64": "arm64", "ppc64le": "powerpc",
           "s390x": "s390", "riscv64": "riscv"}


def run(*command):
    return subprocess.run([str(word) for word in command], check=True,
                          timeout=LIMIT, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def build(folder, library):
    """Builds the program, which attaches to itself, and its BPF object."""
    (folder / "attach.d").write_text(
        "provider attach {\n"
        "probe hit(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);\n" +
        "".join("probe p%d(uint64_t);\n" % i for i in range(PROBES)) + "};\n")
    run(PYTHON, "-B", SOURCE / "probegen", "-s", folder / "attach.d", "-o",
        folder / "attach_probes.h")
    (folder / "attach_all.h").write_text(
        '#include "attach_probes.h"\n'
        "static __attribute__((noinline)) void fire_all(void)\n{\n" +
        "".join("\tATTACH_P%d(%d);\n" % (i, i) for i in range(PROBES)) + "}\n")
    run("clang", "-target", "bpf", "-g", "-O2", "-I", TSMBD, "-I", UPROBE,
        "-D__TARGET_ARCH_" + TARGETS[platform.machine()], "-idirafter",
        "/usr/include/" + run("gcc", "-print-multiarch").strip(),
        "-c", HERE / "attach.bpf.c", "-o", folder / "attach.bpf.o")
    run("gcc", "-O2", "-D_GNU_SOURCE", "-I", folder, "-I", TSMBD, "-I",
        UPROBE, "-I", SOURCE / "include", HERE / "attach.c", UPROBE / "multi.c",
        UPROBE / "registers.c", UPROBE / "leave.c", TSMBD / "sites.c", library,
        "-lbpf", "-lelf", "-lz", "-pthread", "-o", folder / "attach")
    return [folder / "attach", folder / "attach.bpf.o"]


def show(what, unit, by_way):
    """Prints a row with the numbers of each way."""
    least = {way: min(numbers) for way, numbers in by_way.items()}
    print("| %s, %s | %s |" % (what, unit, " | ".join(
        "%.0f (%.0f) %.2f" % (least[way], statistics.median(by_way[way]),
                              least[way] / least["libbpf"]) for way in WAYS)))
    sys.stdout.flush()


def measure_hits(command, rounds):
    times = {program: {way: [] for way in WAYS} for program in PROGRAMS}
    for _ in range(rounds):
        for program, by_way in times.items():
            for way, numbers in by_way.items():
                numbers.append(float(run(*command, way, program, HITS)))
    for program, what in PROGRAMS.items():
        show(what, "ns", times[program])


def measure_links(command, rounds):
    attached = {way: [] for way in WAYS}
    left = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            numbers = run(*command, way, "empty").split()
            attached[way].append(float(numbers[0]))
            left[way].append(float(numbers[1]))
    show("attach to %d probes" % PROBES, "ms", attached)
    show("let go of them", "ms", left)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get(
        "SDTKIT_BUILD", SOURCE / "build"))
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("attach.py needs root: nothing has been measured")
        return
    library = (pathlib.Path(options.build).resolve() / "lib" / "notes" /
               "libsdtkit-notes.a")
    print("the least of %d rounds (their median), ratio to libbpf\n" %
          options.rounds)
    print("| | %s |\n|%s" % (" | ".join(WAYS), " --- |" * (1 + len(WAYS))))
    with tempfile.TemporaryDirectory() as name:
        command = build(pathlib.Path(name), library)
        measure_hits(command, options.rounds)
        measure_links(command, max(1, options.rounds // 5))


if __name__ == "__main__":
    main()
