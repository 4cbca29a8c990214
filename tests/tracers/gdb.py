# SPDX-License-Identifier: BSD-2-Clause
"""gdb: breakpoints of `-probe-stap`, whose arguments are $_probe_arg0 to
$_probe_arg11. It raises semaphores itself and needs no privilege. Members of
records are read by a cast, with the program's debug information; without that,
by their offset, which the manifest tells.

inside/gdb.py does it inside gdb, in gdb's own Python.
"""

import functools
import json
import pathlib
import re

from . import KINDS, run
from programs import once, which

NAME = "gdb"
IN_KERNEL = False
READS = KINDS
_READER = pathlib.Path(__file__).parent / "inside" / "gdb.py"


@once
def lacks():
    if not which("gdb"):
        return "gdb is not installed"
    status, said = run(["gdb", "-nx", "-batch", "-ex", "python print(1)"])
    return "gdb has no Python here: " + said if status or said != "1\n" else None


@functools.lru_cache(maxsize=None)
def version():
    return run(["gdb", "--version"])[1].split("\n")[0].split(" ")[-1]


def most():
    return 12


def listed(path):
    _, said = run(["gdb", "-nx", "-batch", "-ex", "info probes stap", path])
    return {":".join(found) for found in
            re.findall(r"^stap +(\w+) +(\w+) +0x", said, re.M)}


def read(program, wanted, start=("starti",)):
    """``start`` are gdb's commands until the program is there, with what
    libraries it begins with."""
    jobs = program.report.with_name("gdb.json")
    result = program.report.with_name("gdb-hits.json")
    jobs.write_text(json.dumps({"wanted": wanted, "start": start,
                                "hits": str(result)}))
    _, said = run(["env", "GDB_JOBS=%s" % jobs, "ASAN_OPTIONS=detect_leaks=0",
                   "gdb", "-nx", "-batch", "-x", _READER, "--args",
                   *program.command])
    if not result.exists():
        raise AssertionError("gdb: " + said)
    hits = json.loads(result.read_text())
    result.unlink()
    return hits
