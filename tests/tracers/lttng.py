# SPDX-License-Identifier: BSD-2-Clause
"""LTTng: userspace probes of its kernel tracer, in a guest: see vm.

    lttng enable-event --kernel --userspace-probe=sdt:./main:store2:idle idle

2.13 takes no probe that has a semaphore. All of sdtkit's have one, so there is
nothing that it can read; the test is that it says so, here and in
test_lttng.py, which has probes that it takes.
"""

from . import must_have_run
from .vm import lttng

NAME = "LTTng"
IN_KERNEL = True
OPT_IN = True
READS = ()
REFUSAL = "Invalid userspace probe location"
lacks = lttng.lacks
version = lttng.version


def most():
    return 0


def listed(_):
    return None


def read(program, wanted):
    answers, events = lttng.record(
        [(probe.replace(":", "_"), program.probes, probe) for probe in wanted],
        " ".join(program.command), program.folder)
    must_have_run(program, str(answers))
    assert len(answers) == len(wanted), answers
    assert all(REFUSAL in said for said in answers.values()), answers
    assert not events
    return {}
