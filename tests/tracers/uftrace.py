# SPDX-License-Identifier: BSD-2-Clause
"""uftrace: puts traps into the process that it starts, and tells probes by
name, between the functions that it traces.

    uftrace record --force -E store2:idle ./main
    uftrace replay --event-full
                [ 4711] | /* store2:idle */

It raises no semaphore, so by itself it never sees a probe that has one, as all
of sdtkit's have; test_uftrace.py shows that it does when somebody else raises
it. Arguments it does not read, and a pattern of names it takes for a name.
"""

import functools
import re

from . import must_have_run, root_lacks, run
from programs import once

NAME = "uftrace"
IN_KERNEL = False
READS = ()


@once
def lacks():
    return root_lacks("uftrace")


@functools.lru_cache(maxsize=None)
def version():
    return run(["uftrace", "--version"])[1].split()[1].lstrip("v")


def most():
    return 0


def listed(_):
    return None


def read(program, wanted):
    data = program.folder / "uftrace"
    _, said = run(["uftrace", "record", "--force", "-d", data, *(
        word for probe in wanted for word in ("-E", probe)),
                   *program.command])
    must_have_run(program, said)
    _, said = run(["uftrace", "replay", "--event-full", "-d", data])
    hits = {}
    for probe in re.findall(r"/\* (\w+:\w+) \*/", said):
        hits.setdefault(probe, []).append([None] * len(wanted[probe]))
    return hits
