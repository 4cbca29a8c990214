# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions the kernel's verifier follows for the programs: Linux
6.1 refuses one with more than 1,000,000, and may count more than later kernels
do for the same. The largest one had 374,000 before what many places call was
verified once, and has 73,000."""

import pytest

from verifier import verified

LIMIT = 150000
OPTIONS = ("-s", "-d", "--slow=1000", "--errors", "--exit", "--oplocks",
           "--top=files", "--top=clients", "--top=users", "--top=shares")


@pytest.mark.parametrize("options, kernel", [
    (OPTIONS, ""), *[pytest.param(*row, marks=pytest.mark.thorough) for row in [
        ((), ""), ((), "uprobe_multi"), (OPTIONS, "uprobe_multi")]]])
def test_linux_6_1_would_follow_all(act, trace, monkeypatch, unavailable,
                                    kernel, options):
    """Also as they are loaded for a kernel without links of uprobe_multi."""
    if kernel:
        monkeypatch.setenv("TSMBD_OLD_KERNEL", kernel)
    actor = act("wait:0", "begin:5", "end:0", "wait:0")
    tracer = trace(actor, "--json", *options)
    counts = verified(tracer.process.pid)
    actor.play()
    tracer.reports()
    if -1 in counts:
        unavailable("Linux before 5.16 does not say how many instructions "
                    "were verified")
    assert len(counts) > 10
    assert counts[-1] < LIMIT, counts
