# SPDX-License-Identifier: BSD-2-Clause
"""What happens to semaphores and hits around fork(), dlopen() and a tracer
that is killed. docs/performance.md, "Life under tracing", tells users.
"""

import pytest

from life_build import LINKERS, PLAIN
from life_run import Program, Tracer, total, wait_until
from opt_in import rarely


@pytest.fixture(params=rarely(LINKERS, ["bfd"]))
def pair(request, built):
    """(program, library)"""
    return built(PLAIN._replace(linker=request.param))


def on(answer):
    """The rounds, of a program whose semaphore is not 0. How much it is does
    not matter: the kernel counts a site once for each mapping of its page."""
    rounds, semaphore = answer
    assert semaphore > 0
    return rounds


def hits(rows):
    """thread -> number of its hits"""
    return {row.thread: row.count for row in rows}


def test_child_of_a_traced_program(pair, tools):
    """The child is traced like its parent, and freed with it."""
    program, _ = pair
    with Program(program) as target, Tracer(tools, program) as tracer:
        assert on(target.ask("batch 10")) == 10
        assert on(target.ask("fork")) == 0
        assert on(target.ask("batch 12")) == 12
        rows = hits(tracer.detach())
        assert rows.pop(target.pid) == 10
        assert list(rows.values()) == [12]
        assert target.ask("batch 10") == (0, 0)
        target.tell("exit")
        assert target.answer() == (0, 0)
        assert target.ask("batch 10") == (0, 0)


def test_child_of_a_traced_process(pair, tools):
    """A tracer of one process: its child, forked meanwhile, inherits the
    semaphore's value, not the tracer's interest; and is freed with it."""
    program, _ = pair
    with Program(program) as target, \
            Tracer(tools, program, pid=target.pid) as tracer:
        assert on(target.ask("fork")) == 0
        rounds, semaphore = target.ask("batch 12")
        # Linux 6.1 takes a breakpoint out of the child at its first hit
        assert rounds == 12 if semaphore > 0 else 0 < rounds < 12
        target.tell("exit")
        assert on(target.answer()) == 0
        assert on(target.ask("batch 10")) == 10
        assert on(target.ask("fork")) == 0
        assert hits(tracer.detach()) == {target.pid: 10}
        assert target.ask("batch 12") == (0, 0)
        target.tell("exit")
        assert target.answer() == (0, 0)


def test_other_process(pair, tools):
    """A tracer of one process: another one of the same program is not on."""
    program, _ = pair
    with Program(program) as target, Program(program) as other, \
            Tracer(tools, program, pid=target.pid) as tracer:
        assert other.ask("batch 10") == (0, 0)
        assert on(target.ask("batch 10")) == 10
        assert hits(tracer.detach()) == {target.pid: 10}


def test_killed_tracer(pair, tools):
    """Semaphores go back to 0, of a child that was forked meanwhile too."""
    program, _ = pair
    with Program(program) as target, Tracer(tools, program) as tracer:
        assert on(target.ask("fork")) == 0
        assert on(target.ask("batch 10")) == 10
        tracer.kill()
        wait_until(lambda: target.ask("batch 2") == (0, 0), "it is off")
        target.tell("exit")
        assert target.answer() == (0, 0)


def test_two_tracers(pair, tools):
    program, _ = pair
    with Program(program) as target, Tracer(tools, program) as first:
        with Tracer(tools, program) as second:
            assert target.ask("batch 10")[0] == 10
            assert total(second.detach()) == 10
        assert on(target.ask("batch 10")) == 10
        assert total(first.detach()) == 20
        assert target.ask("batch 10") == (0, 0)


def test_library(pair, tools):
    """Traced before it is opened, while it is closed, and opened again; the
    program's probe of the same name is not concerned."""
    program, library = pair
    with Program(program) as target, Tracer(tools, library) as tracer:
        for _ in range(3):
            target.ask("open %s" % library)
            assert on(target.ask("guest 10")) == 10
            assert target.ask("batch 10") == (0, 0)
            target.ask("close")
        assert total(tracer.detach()) == 30
        target.ask("open %s" % library)
        assert target.ask("guest 10") == (0, 0)
        tracer.attach()
        assert on(target.ask("guest 10")) == 10
        target.ask("close")
        assert total(tracer.detach()) == 10
        target.ask("open %s" % library)
        assert target.ask("guest 10") == (0, 0)
