# SPDX-License-Identifier: BSD-2-Clause
"""uftrace sees a probe whose semaphore somebody else has raised: here the
kernel, for an event on another instruction of the same file. (0.13 finds the
probes of the program only, not of its libraries.)"""

import contextlib
import os
import re

import pytest

from . import expect, ftrace, uftrace


@contextlib.contextmanager
def raised(path, probe):
    """The first instruction of section .init is as good as any other."""
    semaphore = ftrace.sites(path)[probe][0]["semaphore"]["offset"]
    address, = re.findall(r" \.init +PROGBITS +\w+ (\w+)",
                        uftrace.run(["readelf", "-SW", path])[1])
    name = "sdtkit%d/raise" % os.getpid()
    switch = ftrace.TRACING / "events" / name / "enable"
    ftrace.append("p:%s %s:0x%s(%s)" % (name, path, address, semaphore))
    try:
        switch.write_text("1")
        yield
    finally:
        switch.write_text("0")
        ftrace.append("-:" + name)


@pytest.mark.parametrize("form", ["executable", "stripped executable"])
def test_raised(form, programs, need):
    need(uftrace)
    need(ftrace)
    program = programs.copy(form)
    probe = expect.PROVIDER + ":number__signed"
    with raised(program.probes, probe):
        read = uftrace.read(program, {probe: [], expect.PROVIDER + ":idle": []})
    assert read == {probe: [[], []]}
