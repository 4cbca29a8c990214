# SPDX-License-Identifier: BSD-2-Clause
"""Percentiles of the report: between the shortest and the longest request."""

import ctypes
import os
import subprocess

import pytest

FINE = 240


@pytest.fixture(scope="module")
def fine(source, tmp_path_factory):
    """fine({slot: count}, part, min_ns, max_ns): microseconds"""
    path = tmp_path_factory.mktemp("quantile") / "quantile.so"
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-shared",
                    "-fPIC", source / "lib" / "slots" / "slots.c",
                    "-o", path], check=True)
    library = ctypes.CDLL(str(path))
    function = library.slots_quantile_fine
    function.restype = library.slots_quantile.restype = ctypes.c_double

    def run(counts, part, least, most):
        slots = (ctypes.c_ulonglong * FINE)()
        for slot, count in counts.items():
            slots[slot] = count
        return function(slots, ctypes.c_double(part),
                        ctypes.c_ulonglong(least), ctypes.c_ulonglong(most))
    run.library = library
    return run


def test_more_values_than_a_double_counts(fine):
    """2^53 + 3 becomes 2^53 + 4: there is no value of that rank. What follows
    the slots is not looked at."""
    slots = (ctypes.c_ulonglong * 16)(2 ** 53 + 3)
    slots[10] = 100
    assert fine.library.slots_quantile(slots, 8, 1, ctypes.c_double(1)) == 0.5


# a slot of 320 to 351 us, whose middle is 336
SLOT = 50


@pytest.mark.parametrize("least, most, found", [
    (320000, 351000, 336), (345000, 345000, 345), (320500, 321000, 321),
    (340000, 351000, 340)])
def test_it_is_not_beyond_the_shortest_and_longest(fine, least, most, found):
    for part in 0.5, 0.95, 0.99:
        assert fine({SLOT: 7}, part, least, most) == found


def test_parts_of_all(fine):
    counts = {4: 50, SLOT: 49, 80: 1}
    assert fine(counts, 0.5, 4000, 5000000) == pytest.approx(4, abs=1)
    assert fine(counts, 0.51, 4000, 5000000) == 336
    assert fine(counts, 0.99, 4000, 5000000) == 336
    assert fine(counts, 0.995, 4000, 5000000) > 1000
    assert fine({}, 0.5, 0, 0) == 0
