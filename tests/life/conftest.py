# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of this room share: the tracer, and programs built once."""

import os
import pathlib
import platform
import subprocess
import tempfile

import pytest

import life_build
import life_run
from programs import which

HERE = life_build.HERE


def compile_tracer(folder):
    """None, or what is missing for it."""
    machine = subprocess.run(["gcc", "-print-multiarch"], check=True,
                             text=True, stdout=subprocess.PIPE).stdout.strip()
    for command in (
            ["clang", "-O2", "-g", "-target", "bpf", "-I",
             "/usr/include/" + machine, "-c", HERE / "tracer.bpf.c", "-o",
             folder / "tracer.bpf.o"],
            ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "tracer.c",
             "-o", folder / "tracer", "-lbpf"]):
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            return "tracer does not compile: " + result.stderr
    return None


@pytest.fixture(scope="session")
def tools(tmp_path_factory, built, unavailable):
    """The folder of the tracer, which works here."""
    if platform.machine() != "x86_64":
        unavailable("the tracer knows x86-64's registers only")
    if os.geteuid() != 0:
        unavailable("tracing needs root")
    if which("clang") is None or not os.path.exists(
            "/usr/include/bpf/libbpf.h"):
        unavailable("no clang or no libbpf to compile the tracer with")
    folder = tmp_path_factory.mktemp("tools")
    problem = compile_tracer(folder)
    assert problem is None, problem
    program, _ = built(life_build.PLAIN)
    trial = subprocess.run(life_run.tracer_command(folder, [program]),
                           stdin=subprocess.DEVNULL, capture_output=True,
                           text=True)
    if trial.stdout != "attached\n":
        unavailable("no BPF, or Linux before 5.15: " + trial.stderr)
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory, unavailable):
    """built(case, maker): what the maker of life_build.py makes of a case,
    once: the program and its library if no other is named."""
    folder = tmp_path_factory.mktemp("programs")
    life_build.generate(folder)
    done = {}

    def make(case, maker=life_build.make):
        if life_build.missing(case):
            unavailable(life_build.missing(case))
        if (case, maker) not in done:
            work = pathlib.Path(tempfile.mkdtemp(dir=folder))
            done[case, maker] = maker(case, work)
        return done[case, maker]
    return make
