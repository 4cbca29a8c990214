# SPDX-License-Identifier: BSD-2-Clause
"""What probegen writes for bpftrace, run by it: the script counts as it
stands, and its printf() lines, switched on, show what expect.py has.

(The structs for bpftrace are how bpftrace.py reads members; the outputs for
DTrace and SystemTap are run by test_dtrace.py and test_systemtap.py.)
"""

import re

import pytest

from . import bpftrace, builds, expect
from .vm import lines

BEGIN = '\nBEGIN { printf("attached\\n"); }\n'


@pytest.fixture
def program(programs, need):
    need(bpftrace)
    return programs.copy("shared library")


def test_bpftrace_script(program):
    script = builds.must(program.folder, [
        builds.PYTHON, builds.SOURCE / "probegen", "--emit", "bpftrace",
        "store.d", "-o", "-"])
    script = script.replace("// printf", "printf").replace("\t//        ", "\t")
    said = bpftrace.attach(program, script + BEGIN, str(program.probes))
    counts = dict(re.findall(r"^@probes\[(\S+)\]: (\d+)$", said, re.M))
    for probe in ("%s:%s" % (expect.PROVIDER, name) for name in expect.ROWS):
        expressions = expect.expressions(probe, program.members)
        read = lines.hits(said, probe, lines.names(program, expressions, probe,
                                                   "."), expressions)
        assert not expect.missed(bpftrace, probe, program.members,
                                 program.told(), read), probe
        assert counts.pop(probe) == str(len(read))
    assert not counts
