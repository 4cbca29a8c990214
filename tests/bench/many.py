# SPDX-License-Identifier: BSD-2-Clause
"""A probe that is used in many places, with a site in each and with
`#pragma sdtkit single_site`: bytes of code and of notes, and how long bpftrace
takes from its start to its end, with nothing to trace in between.

    python3 tests/bench/many.py

The seconds need root and bpftrace, which takes 512 sites at most: "-".
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from bench import SOURCE, probegen, run

USES = [1, 10, 100, 600]
ROUNDS = 2
PRAGMA = "#pragma sdtkit single_site step\n"
DESCRIPTION = "provider many { probe step(uint64_t mid, uint16_t opcode); };\n"
FUNCTION = """
void f%d(struct request *req);
void f%d(struct request *req)
{
	MANY_STEP(req->mid, req->opcode);
	req->n += %d;
}
"""


def build(uses, pragma, folder):
    (folder / "many.d").write_text(pragma + DESCRIPTION)
    probegen(folder / "many.d", folder / "many.h")
    (folder / "many.c").write_text(
        '#include "many.h"\n'
        "struct request { uint64_t mid; uint16_t opcode; int n; };\n" +
        "".join(FUNCTION % (i, i, i) for i in range(uses)) +
        "int main(void) { return 0; }\n")
    program = folder / ("%d%s" % (uses, "-single" if pragma else ""))
    run("gcc", "-O2", "-I", SOURCE / "include", folder / "many.c", "-o",
        program)
    return program


def section(program, name):
    return int(re.search(r"^\%s +(\d+)" % name, run("size", "-A", program),
                         re.MULTILINE)[1])


def seconds(program):
    """Returns the least of some runs, or None."""
    if os.geteuid() != 0 or shutil.which("bpftrace") is None:
        return None
    script = "usdt:%s:many:step { @ = count(); } BEGIN { exit(); }" % program
    runs = []
    for _ in range(ROUNDS):
        start = time.monotonic()
        result = subprocess.run(["bpftrace", "-e", script],
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        if result.returncode != 0:
            return None
        runs.append(time.monotonic() - start)
    return min(runs)


def main():
    print("many: one probe, used in many places; gcc -O2\n\n"
          "%24s %24s   %s" % ("code, bytes", "notes, bytes",
                              "bpftrace, seconds"))
    print("%6s" % "uses" + "%9s %8s%8s" % ("sites", "single", "") * 3)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for uses in USES:
            programs = [build(uses, pragma, folder)
                        for pragma in ("", PRAGMA)]
            line = "%6d" % uses
            for measure in (lambda program: section(program, ".text"),
                            lambda program: section(program, ".note.stapsdt")):
                line += "%9d %8d%8s" % (*map(measure, programs), "")
            line += "%9s %8s" % tuple(
                "-" if value is None else "%.1f" % value
                for value in map(seconds, programs))
            print(line, flush=True)


if __name__ == "__main__":
    main()
