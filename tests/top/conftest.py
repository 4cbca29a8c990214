# SPDX-License-Identifier: BSD-2-Clause
"""A terminal for programs that draw on one. A program that does what a test
says, and sdtkit top, which traces it."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "demo"))

from terminal import Terminal                   # noqa: E402
from top_run import FORMS, LIMIT, Acts, Top     # noqa: E402
from programs import ALL, which


@pytest.fixture
def open_terminal(unavailable):
    """open_terminal(width=80, height=24, **environment)"""
    terminals = []

    def start(width=80, height=24, **environment):
        if which("tmux") is None:
            unavailable("tmux is not installed")
        # the path of a socket must be short
        place = tempfile.mkdtemp(prefix="sdtkit-")
        environment = dict({"LC_ALL": "C.UTF-8"}, **environment)
        terminals.append(Terminal(place, width, height, environment))
        return terminals[-1]
    yield start
    for terminal in terminals:
        subprocess.run(["tmux", "-S", str(terminal.place / "tmux"),
                        "kill-server"], stderr=subprocess.DEVNULL)
        # tmux may remove its socket at the same time
        shutil.rmtree(str(terminal.place), ignore_errors=True)


@pytest.fixture(scope="session")
def sdtkit(build):
    return build / "lib" / "tool" / "sdtkit"


@pytest.fixture(scope="session")
def sdt_flags(source):
    """How <sys/sdt.h> is found: ./dev test has SystemTap's only with --all,
    and takes sdtkit's."""
    return [] if ALL else ["-I", source / "include", "-I",
                           source / "include" / "sdtkit" / "sdt"]


@pytest.fixture(scope="session")
def acts(build, source, sdt_flags, tmp_path_factory):
    """acts(form): a copy of the program, which nobody else runs."""
    folder = tmp_path_factory.mktemp("acts")
    here = source / "tests" / "top"
    subprocess.run([sys.executable, source / "probegen", "-s",
                    here / "acts.d", "-o", folder / "acts_probes.h"],
                   check=True)

    def compile_it(form="native"):
        path = folder / ("acts-" + form)
        if not path.exists():
            subprocess.run(
                [os.environ.get("CC", "cc"), "-std=gnu11", "-Wall", "-Wextra",
                 "-Werror", *FORMS[form], *sdt_flags, "-I", folder, "-I",
                 source / "include", here / "acts.c", "-o", path, "-pthread"],
                check=True)
        return path
    return compile_it


@pytest.fixture(scope="session")
def privileged(sdtkit, acts, unavailable):
    """Skips the test if BPF cannot be used here."""
    if os.geteuid() != 0:
        unavailable("sdtkit top needs root")
    run = subprocess.run([sdtkit, "top", acts(), "-w", "0.1"],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                         universal_newlines=True, timeout=LIMIT)
    if "this sdtkit was built without it" in run.stderr:
        pytest.skip("sdtkit top was not built: needs libbpf, clang, bpftool")
    if run.returncode > 1:
        unavailable("sdtkit top cannot trace here: " + run.stderr.strip())


@pytest.fixture(params=["native", *[
    pytest.param(name, marks=pytest.mark.thorough)
    for name in FORMS if name not in ("native", "omit")]])
def form(request):
    return request.param


@pytest.fixture
def play(sdtkit, acts, privileged):
    """play(lines, *args): runs the acts under top; rows and totals."""
    def run(lines, *args, form="native", env=None, status=0):
        program = acts(form)
        top = Top(sdtkit, program, "--json", *args, env=env)
        actor = Acts(program)
        actor.do(*lines)
        if not args or "--keep" not in args:
            actor.end()
        return top.report(status)
    return run


@pytest.fixture
def start(sdtkit, acts, privileged):
    """start(*args): top, and the acts, both running."""
    started = []

    def run(*args, form="native", env=None, program=None):
        program = program or acts(form)
        actor = Acts(program)
        started.append(actor)
        return Top(sdtkit, *(arg.format(pid=actor.pid, program=program)
                             for arg in args), env=env), actor
    yield run
    for actor in started:
        if actor.process.poll() is None:
            actor.end()
