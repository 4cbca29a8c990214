# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve: how many processes a program has, and their time."""

import fcntl
import os
import struct
import termios
import time

import pytest

from test_counted import (name_of_test, sdtkit, serve,      # noqa: F401
                          ticks, wait_until)
from test_discover import compiled, copy, run               # noqa: F401

BYTES = 200000      # a span for each
LOOK_S = 6


def unread(pipe):
    """How many bytes the other side has not read."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def test_a_process_of_two_groups(serve, copy, run, tmp_path):
    """Two programs have one name, and the second one maps the file of the first
    one, too: each process counts once in the numbers that both have."""
    name = name_of_test("u")
    (tmp_path / "other").mkdir()
    first = run(copy("other/" + name))
    service = serve("--only=" + name)
    service.says("counting " + name)
    second = run(copy(name), tmp_path / "other" / name)
    service.says("counting " + name + "(.|\n)*counting " + name)
    before = ticks(second.pid)
    second.process.stdin.write("\n" * BYTES)
    second.process.stdin.flush()
    wait_until(lambda: unread(second.process.stdin) == 0, "all is read")
    time.sleep(LOOK_S)      # another one would count what is counted twice
    used = ticks(second.pid) - before

    def told():
        (_, seconds), = service.samples("sdtkit_program_cpu_seconds_total",
                                        program=name)
        return round(seconds * os.sysconf("SC_CLK_TCK"))

    wait_until(lambda: told() >= used - 3, "all of it is told")
    assert told() == pytest.approx(used, abs=5)
    assert service.samples("sdtkit_program_processes", program=name) == [
        ({"program": name}, 2)]
