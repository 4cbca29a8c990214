# SPDX-License-Identifier: BSD-2-Clause
"""A hit may read memory that is not there, and handles the fault: what the
program does with its own faults and signals stays as it is."""

import pytest


@pytest.mark.parametrize("act", ["on_own_stack", "restricted_fault"])
def test_own_handler_of_faults(trace, act):
    done = trace(act, quiet=False)
    assert (done.returncode, done.stdout) == (0, "handled 1\n")
    assert done.hits == ["act:step(n=1)"]


def test_ignored_signal_interrupts_nothing(trace):
    done = trace("ignored_abort")
    assert (done.returncode, done.stdout) == (0, "read 1\n")


def test_hits_in_a_handler_on_a_stack_that_is_not_known(trace):
    done = trace("disarmed")
    assert done.returncode == 0
    steps = [hit for hit in done.hits if hit.startswith("act:step")]
    assert steps == ["act:step(n=%d)" % n for n in range(200000)]
    texts = [hit for hit in done.hits if hit.startswith("act:text")]
    assert len(texts) == int(done.stdout) > 0
