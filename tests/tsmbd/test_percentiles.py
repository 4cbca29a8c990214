# SPDX-License-Identifier: BSD-2-Clause
"""Percentiles, against those of a sorted list."""

import json
import math
import os
import random
import subprocess

import pytest

import demo_wire as w
from demo_server import LIMIT

PARTS = [0.01, 0.5, 0.95, 0.99, 0.999, 1]


@pytest.fixture(scope="module")
def told(source, tmp_path_factory):
    """told(durations): {part: (fine, coarse)}, and the distribution."""
    path = tmp_path_factory.mktemp("quantile") / "quantile"
    lib = source / "lib"
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-Wall",
                    "-Wextra", "-Werror", "-I", lib,
                    source / "tests" / "tsmbd" / "quantile.c",
                    lib / "report" / "table.c", lib / "slots" / "slots.c",
                    "-o", path],
                   check=True)

    def run(durations):
        output = subprocess.run(
            [path, *map(str, PARTS)], check=True, timeout=LIMIT,
            input="\n".join(map(str, durations)), stdout=subprocess.PIPE,
            universal_newlines=True).stdout
        parts, slots = {}, {}
        for line in output.splitlines():
            word, key, *values = line.split()
            if word == "part":
                parts[float(key)] = tuple(map(float, values))
            else:
                slots[int(key)] = int(values[0])
        return parts, slots

    return run


def exact(durations, part):
    """The microseconds that so many of them did not exceed."""
    return sorted(durations)[math.ceil(len(durations) * part) - 1] / 1000


def spread(count, seed):
    """From nanoseconds to half an hour, as many of each length."""
    numbers = random.Random(seed)
    return [int(10 ** numbers.uniform(0, 12.2)) for _ in range(count)]


LISTS = [spread(count, count) for count in (1, 2, 3, 10, 99, 100, 101, 10000)]
LISTS += [[random.Random(1).randrange(10 ** 6, 2 * 10 ** 6)
           for _ in range(5000)], [17900] * 7, [31999999, 32000000, 32000001],
          [us * 1000 + 999 for us in range(40)], [999] * 3 + [5000000]]


@pytest.mark.parametrize("durations", LISTS,
                         ids=[str(len(one)) for one in LISTS])
def test_percentiles(told, durations):
    """A microsecond is the least that is told apart."""
    parts, _ = told(durations)
    for part, (fine, coarse) in parts.items():
        real = exact(durations, part)
        assert abs(fine - real) <= max(real / 16, 1), (part, real)
        assert abs(coarse - real) <= max(real / 8, 1), (part, real)
        assert max(fine, coarse) <= max(durations) / 1000


@pytest.mark.parametrize("durations", LISTS,
                         ids=[str(len(one)) for one in LISTS])
def test_powers_of_two(told, durations):
    """0 and 1, 2 and 3, 4 to 7, and so on."""
    counts = {slot: 0 for slot in range(32)}
    for duration in durations:
        counts[max(duration // 1000, 1).bit_length() - 1] += 1
    assert told(durations)[1] == counts


def test_longer_than_the_last_slot(told):
    """4295 seconds and more have one slot."""
    parts, slots = told([10 ** 15] * 3)
    assert slots[31] == 3
    assert parts[0.5][0] >= 2 ** 31 and parts[0.5][1] >= 2 ** 31


def test_nothing(told):
    parts, slots = told([])
    assert set(parts.values()) == {(0, 0)} and set(slots.values()) == {0}


MS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]


def test_of_an_actor(act, trace):
    """--slow has the exact times of the same requests."""
    acts = [word for ms in MS for word in
            ("begin:%d" % w.READ, "spin:%d" % ms, "end:0")]
    actor = act(*acts, "begin:%d" % w.WRITE, "wait:50", "end:0")
    tracer = trace(actor, "--json", "--slow", "0")
    as_text = trace(actor)
    actor.play()
    (report,), events = tracer.reports()
    read, write = report["operations"]
    times = sorted(one["total_us"] - one["send_us"] for one in events
                   if one["name"] == "SMB2_OP_READ")
    assert len(times) == len(MS)
    for field, rank in (("p50_us", 4), ("p95_us", 9), ("p99_us", 9)):
        assert read[field] == pytest.approx(times[rank], rel=1 / 16, abs=3)
    assert 50000 * 15 / 16 <= write["p50_us"] == write["p99_us"] <= (
        write["max_us"])
    (row,) = [line.split() for line in as_text.stop().splitlines()
              if line.startswith("SMB2_OP_READ ") and len(line.split()) == 12]
    assert int(row[5]) == pytest.approx(times[4], rel=1 / 16, abs=1000)


@pytest.mark.thorough
def test_a_report_has_its_own(act, trace):
    """A report has no requests of the reports before it."""
    actor = act("begin:8", "spin:1000", "end:0", "hold:0", "from:0", "begin:8",
                "end:0", "again:99")
    tracer = trace(actor, "--json", "-i", "0.3")
    actor.play()
    first = None
    while not first or not first["requests"]:
        first = json.loads(tracer.process.stdout.readline())
    actor.play()
    reports, _ = tracer.reports()
    later = [op for report in reports for op in report["operations"]]
    assert first["operations"][0]["p99_us"] >= 1000000 * 15 / 16
    assert sum(op["count"] for op in later) == 100
    assert all(op["p99_us"] <= op["max_us"] < 900000 for op in later)
