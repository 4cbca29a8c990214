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

import pathlib
import platform
import sys
import tempfile

import bench
from bench import HERE, SOURCE, run

LIB = SOURCE / "lib"
TSMBD = LIB / "tsmbd"
UPROBE = LIB / "uprobe"
WAYS = ["libbpf", "multi"]
PROGRAMS = {"empty": "does nothing", "five": "reads five arguments"}
PROBES = 30
HITS = 50000
TARGETS = {"x86_64": "x86", "aarch64": "arm64", "ppc64le": "powerpc",
           "s390x": "s390", "riscv64": "riscv"}


def build(folder, library):
    """Builds the program, which attaches to itself, and its BPF object."""
    (folder / "attach.d").write_text(
        "provider attach {\n"
        "probe hit(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);\n" +
        "".join("probe p%d(uint64_t);\n" % i for i in range(PROBES)) + "};\n")
    bench.probegen(folder / "attach.d", folder / "attach_probes.h")
    (folder / "attach_all.h").write_text(
        '#include "attach_probes.h"\n'
        "static __attribute__((noinline)) void fire_all(void)\n{\n" +
        "".join("\tATTACH_P%d(%d);\n" % (i, i) for i in range(PROBES)) + "}\n")
    run("clang", "-target", "bpf", "-g", "-O2", "-I", TSMBD, "-I", UPROBE,
        "-D__TARGET_ARCH_" + TARGETS[platform.machine()], "-idirafter",
        "/usr/include/" + run("gcc", "-print-multiarch").strip(),
        "-c", HERE / "attach.bpf.c", "-o", folder / "attach.bpf.o")
    run("gcc", "-O2", "-D_GNU_SOURCE", "-I", folder, "-I", LIB, "-I", TSMBD, "-I",
        UPROBE, "-I", SOURCE / "include", HERE / "attach.c", UPROBE / "multi.c",
        UPROBE / "allowed.c",
        UPROBE / "registers.c", UPROBE / "leave.c", TSMBD / "sites.c", library,
        "-lbpf", "-lelf", "-lz", "-pthread", "-o", folder / "attach")
    return [folder / "attach", folder / "attach.bpf.o"]


def show(what, unit, by_way):
    """Prints a row with the numbers of each way."""
    print("| %s, %s | %s |" % (what, unit, " | ".join(
        "%s %.2f" % (bench.least(by_way[way]), min(by_way[way]) /
                     min(by_way["libbpf"])) for way in WAYS)))
    sys.stdout.flush()


def measure_hits(command, rounds):
    times = bench.turns(
        rounds, [(way, program) for program in PROGRAMS for way in WAYS],
        lambda one: float(run(*command, *one, HITS)))
    for program, what in PROGRAMS.items():
        show(what, "ns", {way: times[way, program] for way in WAYS})


def measure_links(command, rounds):
    took = bench.turns(rounds, WAYS, lambda way: [
        float(number) for number in run(*command, way, "empty").split()])
    for which, what in enumerate(("attach to %d probes" % PROBES,
                                  "let go of them")):
        show(what, "ms", {way: [numbers[which] for numbers in took[way]]
                          for way in WAYS})


def main():
    options = bench.options(__doc__, root=True, rounds=25)
    library = options.build / "lib" / "notes" / "libsdtkit-notes.a"
    print("the least of %d rounds (their median), ratio to libbpf\n" %
          options.rounds)
    bench.head("", *WAYS)
    with tempfile.TemporaryDirectory() as name:
        command = build(pathlib.Path(name), library)
        measure_hits(command, options.rounds)
        measure_links(command, max(1, options.rounds // 5))


if __name__ == "__main__":
    main()
