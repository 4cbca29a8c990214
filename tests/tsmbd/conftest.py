# SPDX-License-Identifier: BSD-2-Clause
"""A demo server to trace, and tsmbd as a process."""

import os
import pathlib
import shutil
import signal
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "demo"))

from actor import Actor, compile_actor  # noqa: E402
from demo_server import Installed, Server  # noqa: E402
from ending import ending     # noqa: E402
import ports                  # noqa: E402
from tsmbd_run import (Part, Tsmbd, lacks, leaving,     # noqa: E402
                       may_last)


@pytest.fixture(scope="session")
def program(build):
    path = build / "lib" / "tsmbd" / "tsmbd"
    if not path.exists():
        pytest.skip("tsmbd was not built: needs libbpf, clang and bpftool")
    return path


@pytest.fixture
def server_name():
    """The name of the server's program."""
    return "demo-server"


@pytest.fixture
def server(build, tmp_path, server_name):
    server = Server(build, tmp_path / "served", tmp_path / "log", server_name)
    yield server
    server.end()


@pytest.fixture(scope="session", autouse=True)
def all_have_ended():
    yield
    while leaving:
        leaving.pop().check()


@pytest.fixture(scope="session")
def privileged(program, tmp_path_factory, unavailable):
    """Skips the test if BPF cannot be used here."""
    reason = lacks(program)
    if reason:
        unavailable(reason)


@pytest.fixture
def tsmbd(program, privileged, server):
    """tsmbd(option...): traces the server of this test from now on."""
    def start(*args, nohup=False, **kwargs):
        if not {"-p", "-n"} & set(args):
            args = ("-p", str(server.pid)) + args
        return Tsmbd(*["nohup"] * nohup, program, *args, **kwargs)

    yield from ending(start)


@pytest.fixture
def free_port():
    """free_port(): a port of 127.0.0.1 that nobody listens on."""
    return ports.free_port


@pytest.fixture(scope="session")
def actor_program(build, source, tmp_path_factory):
    return compile_actor(build, source, tmp_path_factory.mktemp("actor") /
                         "actor", "-fno-omit-frame-pointer")


@pytest.fixture(scope="session")
def shared_program(actor_program, tmp_path_factory):
    """The actor of tests that share their tracers: the kernel traces files, so
    nobody else may run this one."""
    return shutil.copy(actor_program, tmp_path_factory.mktemp("shared"))


@pytest.fixture(scope="session")
def lasting(program, privileged, shared_program):
    """lasting(option...): the tsmbd with these options, which traces until the
    last test has ended."""
    running = {}

    def start(*options):
        key = os.environ.get("TSMBD_OLD_KERNEL"), options
        if key not in running:
            running[key] = Tsmbd(program, "-f", shared_program, *options)
        return running[key]

    yield start
    for one in running.values():
        one.process.send_signal(signal.SIGTERM)
    for one in running.values():
        one.output()


@pytest.fixture
def shares(request):
    """Whether the test may share its tracers, and their actor, with others:
    marked `shared`, or its module is, but not `alone`."""
    marked = request.node.get_closest_marker
    return bool(marked("shared")) and not marked("alone")


@pytest.fixture
def act_program(request, shares):
    return pathlib.Path(request.getfixturevalue(
        "shared_program" if shares else "actor_program"))


@pytest.fixture
def act(act_program, tmp_path):
    """act(word...): an actor that waits for play()."""
    yield from ending(lambda *acts: Actor(act_program, tmp_path, *acts))


@pytest.fixture
def trace(request, program, privileged, act_program, shares):
    """trace(actor, option...): traces that one; or all of them, for None.

    To start one costs more than a second of the processor. A test that is
    marked `shared` gets a part of one that traces all actors of such tests."""
    running = []

    def start(actor, *args, **kwargs):
        if shares and may_last(args, kwargs):
            lasting = request.getfixturevalue("lasting")
            return Part(lasting(*args), "--json" in args)
        which = (("-f", str(act_program)) if actor is None else
                 ("-p", str(actor.pid)))
        running.append(Tsmbd(program, *which, *args, **kwargs))
        return running[-1]

    yield start
    for one in running:
        one.end()


@pytest.fixture
def tracing(program, privileged):
    """tracing(option...): traces servers, which the options name."""
    yield from ending(lambda *args: Tsmbd(program, "--json", *args))


@pytest.fixture
def install(request, build, tmp_path):
    """install(folder): a server there, whose file is a new one, with the NAME of
    the test's module or another name. Only root gets to it."""
    running = []

    def start(folder="sbin", renamed=True, name=None):
        path = tmp_path / folder / (name or request.module.NAME)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        new = tmp_path / "new" if renamed else path
        shutil.copy(build / "examples" / "demo" / "demo-server", new)
        new.rename(path)
        top = tmp_path / ("top%d" % len(running))
        top.mkdir()
        running.append(Installed(build, path, top))
        return running[-1]

    yield start
    for server in running:
        server.kill()
        server.process.stdout.close()


@pytest.fixture
def open_directory():
    """One that the user of the service may search, as tmp_path may not be."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="tsmbd-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "shared: may share tracers with other tests")
    config.addinivalue_line("markers", "alone: though its module is `shared`")
