# SPDX-License-Identifier: BSD-2-Clause
"""LTTng: userspace probes of its kernel tracer, by file and name.

    lttng enable-event --kernel --userspace-probe=sdt:./main:store2:idle idle

2.13 takes no probe that has a semaphore: "SDT probe guarded by a semaphore".
All of sdtkit's have one, so there is nothing that it can read; the test is
that it says so. Of other probes it records that they were hit, no arguments.
Its kernel tracer is a set of modules that Debian builds on the machine.
"""

import functools
import itertools
import os
import subprocess
import time

from . import LIMIT, Beyond, must_have_run, root_lacks, run

NAME = "LTTng"
IN_KERNEL = True
READS = ()
REFUSAL = "guarded by a semaphore"
_NUMBERS = itertools.count()


@functools.lru_cache(maxsize=None)
def lacks():
    missing = root_lacks("lttng", "lttng-sessiond")
    if missing:
        return missing
    if not os.path.exists("/proc/modules"):
        return Beyond("LTTng's kernel tracer is a module, lttng-tracer, and "
                      "this kernel is built without modules")
    if run(["modprobe", "-n", "lttng-tracer"])[0]:
        return Beyond("LTTng's kernel tracer, the module lttng-tracer, is not "
                      "built for this kernel (package lttng-modules-dkms)")
    return None


def version():
    return run(["lttng", "--version"])[1].split()[4]


def most():
    return 0


def listed(_):
    return None


def read(program, wanted):
    name = "sdtkit%d-%d" % (os.getpid(), next(_NUMBERS))
    with subprocess.Popen(["lttng-sessiond"], stderr=subprocess.PIPE,
                          universal_newlines=True) as daemon:
        try:
            _session_of(program, name)
            refusals = {probe: _refusal(program, probe) for probe in wanted}
            _, said = run(program.command)
            run(["lttng", "destroy", name])
        finally:
            daemon.terminate()
    must_have_run(program, said)
    assert all(REFUSAL in said for said in refusals.values()), refusals
    return {}


def _session_of(program, name):
    """The daemon needs a while."""
    end = time.monotonic() + LIMIT
    while True:
        status, said = run(["lttng", "create", name, "-o",
                            program.folder / "lttng"])
        if status == 0:
            return
        assert time.monotonic() < end, said
        time.sleep(0.1)


def _refusal(program, probe):
    status, said = run(["lttng", "enable-event", "--kernel",
                        "--userspace-probe=sdt:%s:%s" % (program.probes,
                                                         probe),
                        probe.replace(":", "_")])
    assert status, "LTTng took a probe with a semaphore: " + said
    return said
