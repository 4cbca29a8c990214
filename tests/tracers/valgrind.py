# SPDX-License-Identifier: BSD-2-Clause
"""valgrind: the program runs in it, and gdb traces that through vgdb. What gdb
reads and raises there are the registers and the memory that the program sees,
so that all is as in gdb.py.

    valgrind --vgdb-error=0 ./main
    gdb ./main -ex 'target remote | vgdb' -ex 'break -probe-stap store2:text'

By itself valgrind's tools neither list probes nor stop at them.
"""

import functools
import subprocess

from . import gdb, run
from programs import once, which

NAME = "gdb in valgrind"
IN_KERNEL = False
READS = gdb.READS

listed = gdb.listed
most = gdb.most


@once
def lacks():
    if not which("valgrind"):
        return "valgrind is not installed"
    return gdb.lacks()


@functools.lru_cache(maxsize=None)
def version():
    return run(["valgrind", "--version"])[1].strip().split("-")[-1]


def read(program, wanted, tool="none"):
    """It waits for gdb before its first instruction."""
    prefix = program.folder / "vgdb"
    with subprocess.Popen(["valgrind", "--tool=" + tool, "-q",
                           "--error-exitcode=9", "--vgdb-error=0",
                           "--vgdb=full", "--vgdb-prefix=%s" % prefix,
                           *program.command], cwd=program.folder,
                          stderr=subprocess.PIPE,
                          universal_newlines=True) as inside:
        try:
            hits = gdb.read(program, wanted, start=[
                "target remote | vgdb --wait=300 --vgdb-prefix=%s --pid=%d" % (
                    prefix, inside.pid)])
            said = inside.communicate()[1]
        finally:
            inside.kill()
    assert inside.returncode == 0, said
    return hits
