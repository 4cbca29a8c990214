# SPDX-License-Identifier: BSD-2-Clause
"""What a probe that nobody records costs, as callgrind counts it: instructions
of a call of a function of off.c, exactly. The site that recording in the
process can patch has another nop than the plain one, in the block that is
executed only while somebody records."""

import shutil

import off

# column -> what the compiler is told
VARIANTS = {
    "no probe": ["-DWAY=NONE"],
    "one nop": ["-DWAY=SDTKIT", "-DSDTKIT_NOP=nop"],
    "patchable": ["-DWAY=SDTKIT"],
}
FUNCTIONS = ["leaf", "loop", "three"]


def lacks():
    return None if shutil.which("valgrind") else "package valgrind"


def count(folder):
    """function -> column -> instructions of a call"""
    off.run("/usr/bin/python3", "-B", off.SOURCE / "probegen", "-s",
            off.HERE / "off.d", "-o", folder / "off_sdtkit.h")
    counts = {function: {} for function in FUNCTIONS}
    for column, flags in VARIANTS.items():
        program = folder / "guard"
        off.run("gcc", *off.FLAGS, "-I", folder, *flags, off.HERE / "off.c",
                off.HERE / "off_main.c", "-o", program)
        for function in FUNCTIONS:
            counts[function][column], _ = off.callgrind(program, function,
                                                        folder)
    return counts


def show(folder):
    """The table; whether the two kinds of site cost the same."""
    counts = count(folder)
    print("\n| off, instructions of a call | %s |" % " | ".join(VARIANTS))
    print("| --- |" + " --- |" * len(VARIANTS))
    for function, row in counts.items():
        print("| %s | %s |" % (off.FUNCTIONS[function], " | ".join(
            "%g" % row[column] for column in VARIANTS)))
    return all(row["one nop"] == row["patchable"] for row in counts.values())
