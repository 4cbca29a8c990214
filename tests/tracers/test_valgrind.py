# SPDX-License-Identifier: BSD-2-Clause
"""Under valgrind's other tools probes are what they are without: a program is
read in them through gdb, and memcheck finds no fault with it."""

import pytest

from . import expect, valgrind


@pytest.mark.parametrize("tool", ["memcheck", "callgrind"])
def test_values(tool, programs, need):
    need(valgrind)
    program = programs.copy("executable")
    wanted = {"store2:" + probe: expect.expressions("store2:" + probe,
                                                    program.members)
              for probe in expect.ROWS}
    read = valgrind.read(program, wanted, tool)
    for probe in wanted:
        assert not expect.missed(valgrind, probe, program.members,
                                 program.told(), read.get(probe, [])), probe
