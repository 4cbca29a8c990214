# SPDX-License-Identifier: BSD-2-Clause
"""How many instructions the kernel's verifier follows for the programs: Linux
6.1 refuses one with more than 1,000,000, and counts up to six times as many
as Linux 6.18 does for the same. There, the program at the probes had 474,000
when 6.1 refused it, and has 48,000 at most."""

import pytest

from verifier import verified

LIMIT = 150000


@pytest.mark.parametrize("slow, flame", [
    (("--slow", "1"), True), *[pytest.param(*row, marks=pytest.mark.thorough) for row in [
        ((), False), ((), True), (("--slow", "1"), False),
        (("--slow", "1", "--span", "wait: call_enter..call_leave key=tid "
          "parent=running"), True)]]])
def test_linux_6_1_would_follow_all(start, tmp_path, slow, flame):
    words = ["--flame=%s" % (tmp_path / "flame.svg")] if flame else []
    top, actor = start("{program}", "--json", *slow, *words)
    counts = verified(top.process.pid)
    actor.do("start 1 1 1", "end 1 0 1")
    top.text()
    if -1 in counts:
        pytest.skip("Linux before 5.16 does not say how many")
    # at the probes, at the ends of threads and programs, and of the timer
    assert len(counts) == (4 if flame else 3)
    assert counts[-1] < LIMIT, counts
