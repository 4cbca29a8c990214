# SPDX-License-Identifier: BSD-2-Clause
"""A program under load while its probes are switched on and off 1,000 times
(300 without ./dev test --all, a tenth in a guest): 16 threads, children, a library that is opened and
closed. No crash, no hit lost while a tracer is there, and semaphores back at 0.

Every thread numbers its hits of a probe without a gap, which is the program's
own count; of each thread, each attached tracer has to have seen every number
between the first and the last that it saw.
"""

import contextlib
import os
import re
import subprocess
import threading
from collections import defaultdict

import pytest

import life_build
from life_run import LIMIT, SLOWER, Hits, Process, Tracer, complete, total
from programs import ALL, which

ROUNDS = (1000 if ALL else 300) // SLOWER

# Each is switched by a tracer of its own, all at the same time: letting go
# takes the kernel 60 ms, however many do it.
BEATS = ["beat%d" % i for i in range(8)]
LINKERS = life_build.LINKERS if life_build.EVERYTHING else ["bfd"]

BPFTRACE = """
usdt:%s:life:beat0 {
	@count[tid] = count(); @least[tid] = min(arg0);
	@greatest[tid] = max(arg0); @hits++;
}
interval:ms:100 /@hits > 100/ { exit(); }
"""


class Switch(threading.Thread):
    """Detaches and attaches ``rounds`` times; what goes wrong is kept."""

    def __init__(self, tracer, rounds):
        super().__init__()
        self.tracer = tracer
        self.rounds = rounds
        self.hits = 0
        self.problem = None
        self.start()

    def run(self):
        try:
            for _ in range(self.rounds):
                self.check(self.tracer.detach())
                self.tracer.attach()
            self.check(self.tracer.detach_later())
        except AssertionError as error:
            self.problem = error

    def check(self, rows):
        self.hits += total(rows)
        lost = [row for row in rows if not complete([row])]
        assert not lost, lost


@pytest.fixture(params=LINKERS)
def program(request, built):
    """(load.c, the library)"""
    case = life_build.PLAIN._replace(linker=request.param)
    return built(case, life_build.make_load), built(case)[1]


@contextlib.contextmanager
def running(program):
    """Ends well, with all semaphores at 0; yields what it reports then."""
    report = {}
    # nice: the tracers have to get their turn beside 16 busy threads
    with Process("nice", *program) as load:
        assert load.hear() == "running"
        yield report
        load.process.stdin.close()
        report["hits"], children, opens, semaphores = map(
            int, load.hear().split())
    assert children > 0 and opens > 0
    assert semaphores == 0


def test_switched_on_and_off(program, tools):
    load, library = program
    with running(program) as report:
        with contextlib.ExitStack() as stack:
            tracers = [stack.enter_context(Tracer(tools, load, probe=probe))
                       for probe in BEATS]
            tracers.append(stack.enter_context(Tracer(tools, library)))
            switches = [Switch(tracer, ROUNDS // len(tracers) + 1)
                        for tracer in tracers]
            for switch in switches:
                switch.join()
    assert [s.problem for s in switches if s.problem] == []
    assert all(switch.hits > 0 for switch in switches)
    assert sum(switch.hits for switch in switches) < report["hits"]


def test_switched_by_bpftrace(program, unavailable):
    if os.geteuid() != 0 or which("bpftrace") is None:
        unavailable("needs bpftrace and root")
    with running(program):
        for _ in range(max((5 if ALL else 2) // SLOWER, 1)):
            text = subprocess.run(
                ["timeout", str(LIMIT), "bpftrace", "-e",
                 BPFTRACE % program[0]],
                text=True, stdin=subprocess.DEVNULL, check=True,
                stdout=subprocess.PIPE).stdout
            threads = defaultdict(dict)
            for name, thread, value in re.findall(
                    r"@(\w+)\[(\d+)\]: (\d+)", text):
                threads[thread][name] = int(value)
            rows = [Hits(0, int(thread), **values)
                    for thread, values in threads.items()]
            assert total(rows) > 0 and complete(rows), text
