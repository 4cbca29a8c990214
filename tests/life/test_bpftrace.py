# SPDX-License-Identifier: BSD-2-Clause
"""bpftrace as its users call it: it starts the program, or comes to one that
runs. Its hits are the program's own count, for each linker.
"""

import contextlib
import os
import re
import subprocess

import pytest

from life_build import LINKERS, PLAIN
from life_run import LIMIT, Program
from opt_in import rarely
from programs import which

SCRIPT = ("usdt:%s:life:round { @count = count(); @sum = sum(arg0); }")


@pytest.fixture(params=rarely(LINKERS, ["bfd"]))
def program(request, built, unavailable):
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")
    if which("bpftrace") is None:
        unavailable("no bpftrace")
    return built(PLAIN._replace(linker=request.param))[0]


def maps(text):
    """name -> value of what bpftrace prints at its end."""
    return {name: int(value)
            for name, value in re.findall(r"@(\w+): (\d+)", text)}


def test_starts_the_program(program):
    result = subprocess.run(
        ["timeout", str(LIMIT), "bpftrace", "-e", SCRIPT % program, "-c",
         "%s batch=100" % program], text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert re.search(r"^100 2$", result.stdout, re.MULTILINE), result.stdout
    assert maps(result.stdout) == {"count": 100, "sum": sum(range(100))}


@contextlib.contextmanager
def bpftrace(script, *options):
    """bpftrace, attached; yields a list with what it prints at its end."""
    output = []
    with subprocess.Popen(
            ["timeout", str(LIMIT), "bpftrace", *options, "-e",
             script + " interval:ms:100 { print(\"on\"); }"], text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT) as tracer:
        while tracer.stdout.readline() not in ("on\n", ""):
            pass
        yield output
        tracer.terminate()
        output.append(tracer.stdout.read())


def test_comes_to_a_running_program(program):
    with Program(program) as target:
        assert target.ask("batch 10") == (0, 0)
        with bpftrace(SCRIPT % program, "-p", str(target.pid)) as output:
            seen, semaphore = target.ask("batch 100")
        assert seen == 100 and semaphore > 0
        assert maps(output[0]) == {"count": 100, "sum": sum(range(10, 110))}
        assert target.ask("batch 10") == (0, 0)


def test_child_of_a_traced_process(program):
    """What is on in the child depends on how bpftrace attaches; its hits are
    not counted, and it is off when bpftrace has gone."""
    with Program(program) as target:
        with bpftrace(SCRIPT % program, "-p", str(target.pid)) as output:
            assert target.ask("batch 100")[0] == 100
            target.ask("fork")
            target.ask("batch 100")
        assert maps(output[0])["count"] == 100
        assert target.ask("batch 10") == (0, 0)
        target.tell("exit")
        assert target.answer() == (0, 0)
