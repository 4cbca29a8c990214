# SPDX-License-Identifier: BSD-2-Clause
"""gdb: breakpoints of `-probe-stap`, whose arguments are $_probe_arg0 to
$_probe_arg11. It raises semaphores itself and needs no privilege.

gdb_reader.py does it inside gdb, in gdb's own Python.
"""

import functools
import json
import pathlib
import re
import shutil

from . import PROVIDER, run

NAME = "gdb"
IN_KERNEL = False
_READER = pathlib.Path(__file__).with_name("gdb_reader.py")


@functools.lru_cache(maxsize=None)
def lacks():
    if not shutil.which("gdb"):
        return "gdb is not installed"
    status, said = run(["gdb", "-nx", "-batch", "-ex", "python print(1)"])
    return "gdb has no Python here: " + said if status or said != "1\n" else None


def version():
    return run(["gdb", "--version"])[1].split("\n")[0].split(" ")[-1]


def most():
    return 12


def listed(path):
    _, said = run(["gdb", "-nx", "-batch", "-ex",
                   "info probes stap ^%s$" % PROVIDER, path])
    return set(re.findall(r"^stap +%s +(\w+)" % PROVIDER, said, re.M))


def read(program, wanted):
    jobs = program.report.with_name("gdb.json")
    jobs.write_text(json.dumps({"provider": PROVIDER, "wanted": wanted}))
    result = program.report.with_name("gdb-hits.json")
    _, said = run(["env", "FORM_JOBS=%s" % jobs, "FORM_HITS=%s" % result,
                   "ASAN_OPTIONS=detect_leaks=0",
                   "gdb", "-nx", "-batch", "-x", _READER, "--args",
                   *program.command])
    if not result.exists():
        raise AssertionError("gdb: " + said)
    hits = json.loads(result.read_text())
    result.unlink()
    return hits
