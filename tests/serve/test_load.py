# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve and a program with many names, or with many hits."""

import os
import subprocess
import sys

import pytest

from ending import ending
from test_counted import name_of_test, sdtkit, serve, wait_until

__all__ = ["sdtkit", "serve"]
NAMES = 24000       # the kernel has room for 8192
LOADS = 300         # with two sums each: 200 of a program have series
LOT = 2000          # and for several lots beside those before


class Churn:
    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True)
        assert self.process.stdout.readline() == "ready\n"

    def begin(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def do(self, line):
        self.begin(line)
        return int(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def churn(source, tmp_path):
    """churn(letter): a process of churn.c, under a name of its own."""
    here = source / "tests" / "serve"

    def start(letter):
        header = tmp_path / "churn_probes.h"
        path = tmp_path / name_of_test(letter)
        subprocess.run([sys.executable, source / "probegen", here / "churn.d",
                        "-o", header], check=True)
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O1",
                        "-pthread", "-I", tmp_path, "-I", source / "include",
                        here / "churn.c", "-o", path], check=True)
        return Churn(path)
    yield from ending(start)


def attached(service, program):
    wait_until(lambda: service.samples("sdtkit_spans_in_progress",
                                       program=program), "attached")


def test_names_leave_the_kernel(serve, churn):
    """Names that are idle make room for others, and each query is counted
    once, also one that lasts longer than its name is in use."""
    program = name_of_test("n")
    one = churn("n")
    service = serve("--only=" + program)
    attached(service, program)

    def wait_for(count):
        wait_until(lambda: sum(service.counts(
            program, "query").values()) == count, "each query is counted once")

    one.do("begin")
    for names in range(LOT, NAMES + 1, LOT):
        one.do("queries %d" % LOT)
        # on a loaded machine, the worker comes late
        wait_for(names + names // 8)
    one.do("end")
    wait_for(NAMES + NAMES // 8 + 1)
    found = service.counts(program, "query")
    assert found["select from afar"] == 1
    assert "other" not in found     # without turns they are 15,808
    assert service.counts(program, "call") == {"call from afar": 1}


def test_sums_of_many_names(serve, churn):
    """Beyond the limit, names are added to the one that is "other", never
    arguments: what each of them adds up has another meaning."""
    one, name = churn("s"), name_of_test("s")
    service = serve("--only=" + name)
    attached(service, name)
    one.do("loads %d" % LOADS)

    def total(argument):
        return sum(value for _, value in service.samples(
            "sdtkit_span_sum_total", program=name, argument=argument))

    numbers = LOADS * (LOADS + 1) // 2
    wait_until(lambda: total("items") + total("other") >= numbers and
               total("total") + total("other") >= 1000 * numbers, "counted")
    rows = service.samples("sdtkit_span_sum_total", program=name)
    assert {labels["argument"] for labels, _ in rows} == {"items", "total"}
    assert [total("items"), total("total")] == [numbers, 1000 * numbers]
    assert {labels["argument"] for labels, _ in rows
            if labels["name"] == "other"} == {"items", "total"}


@pytest.mark.thorough
def test_budget(serve, churn):
    """A span that costs too much is let go, and others are counted as before.
    When the load falls, the span is counted again."""
    program = name_of_test("p")
    one = churn("p")
    service = serve("--only=" + program, "--budget=20")
    attached(service, program)

    def let_go(span):
        (_, seconds), = service.samples("sdtkit_span_let_go_seconds_total",
                                        program=program, span=span)
        return seconds

    queries = one.do("work 0 100000 6000")
    service.says("span churn:step: let go")
    wait_until(lambda: let_go("step") > 0, "the metric says it")
    assert let_go("query") == 0, service.log.read_text()
    (_, cost), = service.samples("sdtkit_cost_seconds_total", program=program)
    assert cost > 0
    again = "span churn:step: counted again"
    while again not in service.log.read_text():
        queries += one.do("work 100 1 1000")
    wait_until(lambda: service.counts(program, "query") == {
        "select work": queries}, "each query was counted")
    before, gap = service.counts(program, "step")[""], let_go("step")
    queries = one.do("work 100 5 1000")
    wait_until(lambda: service.counts(program, "step")[""] ==
               before + 5 * queries, "each step is counted")
    assert let_go("step") == gap
