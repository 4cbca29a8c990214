# SPDX-License-Identifier: BSD-2-Clause
"""Why LTTng reads no probe of sdtkit: two programs with <sys/sdt.h> differ in
the semaphore alone, and it takes the one without. For that one it records the
address of the site, and no arguments."""

import re

import pytest

from tracers import lttng
from . import builds
from .vm import lttng as guest

SOURCE = """
#ifdef SEMAPHORE
#define _SDT_HAS_SEMAPHORES 1
__extension__ unsigned short other_hit_semaphore
	__attribute__((unused, section(".probes")));
#endif
#include <sys/sdt.h>
int main(void)
{
	DTRACE_PROBE1(other, hit, 42);
	return 0;
}
"""


@pytest.fixture
def programs(need, tmp_path):
    """plain and guarded."""
    need(lttng)
    (tmp_path / "main.c").write_text(SOURCE)
    for name, option in ("plain", "-USEMAPHORE"), ("guarded", "-DSEMAPHORE"):
        builds.must(tmp_path, ["gcc", "-O2", option, "main.c", "-o", name])
    return tmp_path


def test_takes_no_semaphore(programs):
    answers, events = guest.record(
        [(name, programs / name, "other:hit") for name in
         ("plain", "guarded")], "./plain; ./guarded; ./plain", programs)
    assert "event plain created" in answers["plain"]
    assert lttng.REFUSAL in answers["guarded"]
    assert re.findall(r" (\w+): \{ cpu_id = 0 \}, \{ (\w+) = \w+ \}$", events,
                      re.M) == [("plain", "ip")] * 2
