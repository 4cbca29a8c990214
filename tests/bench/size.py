# SPDX-License-Identifier: BSD-2-Clause
"""The size of probes in an object file, section by section: the difference
between files that have one probe, or one site of it, more.

    python3 tests/bench/size.py

The probe is as long as smb2:request_start(uint64_t mid, uint16_t opcode). The
last columns are what names for the values of opcode add, the 19 commands, and
what a span of two probes adds.
"""

import collections
import pathlib
import re
import tempfile

from bench import PYTHON, SOURCE, run

COMPILERS = ["gcc", "clang"]

# section: what is in it
SECTIONS = {
    ".text": "code: the check; clang's cold block too",
    ".text.unlikely": "gcc's cold block: arguments and site",
    ".probes": "the semaphore",
    ".note.stapsdt": "where sites are; not in memory",
    ".note.sdtkit": "names, types, comments; not in memory",
    ".stapsdt.base": "for tools",
}

PROBE = """	/* A request is dispatched. */
	probe request_star%d(
		uint64_t mid,		/* message id */
		uint16_t opcode);	/* command, [MS-SMB2] 2.2.1 */
"""
ENUM = """enum smb2_command {
	NEGOTIATE, SESSION_SETUP, LOGOFF, TREE_CONNECT, TREE_DISCONNECT,
	CREATE, CLOSE, FLUSH, READ, WRITE, LOCK, IOCTL, CANCEL, ECHO,
	QUERY_DIRECTORY, CHANGE_NOTIFY, QUERY_INFO, SET_INFO, OPLOCK_BREAK
};
#pragma sdtkit names smb2_command opcode
"""
SPAN = """#pragma sdtkit span request start=request_star0 end=request_star1
#pragma sdtkit span request key=mid name=opcode
"""
HEAD = """#include "probes.h"
struct request { uint64_t mid; uint16_t opcode; uint16_t flags; };
"""
FUNCTION = """void f%d(struct request *req);
void f%d(struct request *req) { %s; req->flags++; }
"""
CALL = "SMB2_REQUEST_STAR%d(req->mid, req->opcode)"


def generate(probes, folder, pragmas=""):
    (folder / "probes.d").write_text(pragmas + "provider smb2 {\n%s};\n" % (
        "".join(PROBE % i for i in range(probes))))
    run(PYTHON, "-B", SOURCE / "probegen", "-Wno-all", folder / "probes.d",
        "-o", folder / "probes.h")


def sizes(compiler, calls, folder):
    """Section sizes of a file with a function for each of ``calls``: the
    number of the probe in it, or None."""
    (folder / "probes.c").write_text(HEAD + "".join(
        FUNCTION % (i, i, "" if probe is None else CALL % probe)
        for i, probe in enumerate(calls)))
    run(compiler, "-O2", "-falign-functions=1", "-c", "-I", SOURCE / "include",
        folder / "probes.c", "-o", folder / "probes.o")
    total = collections.Counter()
    for name, size in re.findall(r"^(\.\S+) +(\d+)", run(
            "size", "-A", folder / "probes.o"), re.MULTILINE):
        total[re.sub(r"^(\.text\.unlikely)\..*", r"\1", name)] += int(size)
    return total


def main():
    print("size: bytes in an object file, %s" % "; ".join(COMPILERS))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for compiler in COMPILERS:
            generate(3, folder)
            none = sizes(compiler, [None], folder)
            nones = sizes(compiler, [None, None], folder)
            one = sizes(compiler, [0, None], folder)
            two = sizes(compiler, [0, 0], folder)
            probes = sizes(compiler, [0, 1], folder)
            function = nones - none
            first = one - nones
            site = two - one
            probe = probes - two
            generate(3, folder, ENUM)
            names = sizes(compiler, [0, 1], folder) - probes
            generate(3, folder, SPAN)
            span = sizes(compiler, [0, 1], folder) - probes
            print("\n%-16s %8s %8s %8s %8s %8s" % (
                compiler, "a site", "a probe", "a file", "names", "a span"))
            for section, what in SECTIONS.items():
                print("%-16s %8d %8d %8d %8d %8d  %s" % (
                    section, site[section], probe[section],
                    (first - site - probe)[section], names[section],
                    span[section], what))


if __name__ == "__main__":
    main()
