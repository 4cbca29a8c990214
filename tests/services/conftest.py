# SPDX-License-Identifier: BSD-2-Clause
"""Tests with programs of large packages, which ./dev test --services installs.

need("promtool") is the program's path. Without the program the test skips, and
fails with SDTKIT_REQUIRE_SERVICES=1, which ./dev test --services sets.
"""

import pathlib
import signal
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd")]

from demo_server import LIMIT   # noqa: E402
from ending import ending                           # noqa: E402
from network import Network     # noqa: E402
import ports                    # noqa: E402
from programs import finder     # noqa: E402
from tsmbd_run import lacks     # noqa: E402


@pytest.fixture(scope="session")
def need():
    """need(program): its path; ends the test if it is not installed."""
    return finder("--services")


@pytest.fixture(scope="session")
def free_port():
    """free_port(): a TCP port that nobody has on any address."""
    return ports.free_port


@pytest.fixture(scope="session")
def program(build, unavailable):
    """tsmbd, on a machine where it can trace."""
    path = build / "lib" / "tsmbd" / "tsmbd"
    if not path.exists():
        pytest.skip("tsmbd was not built: needs libbpf, clang and bpftool")
    reason = lacks(path)
    if reason:
        unavailable(reason)
    return path


def end(process, signum=signal.SIGTERM):
    """Ends a process that a test has started, and waits for it."""
    if process.poll() is None:
        process.send_signal(signum)
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in process.stdin, process.stdout, process.stderr:
        if stream:
            stream.close()


@pytest.fixture
def started():
    """started(word...): a process that ends with the test. What keywords are
    given, Popen takes."""
    running = []

    def start(*words, **kwargs):
        running.append(subprocess.Popen([str(word) for word in words],
                                        universal_newlines=True, **kwargs))
        return running[-1]

    yield start
    for process in reversed(running):
        end(process)


@pytest.fixture
def network(need, unavailable):
    """network(count): that many hosts, and one that reaches all of them."""
    ip = need("ip")
    if subprocess.run(["unshare", "--net", "true"],
                      stderr=subprocess.DEVNULL).returncode != 0:
        unavailable("cannot make a network namespace")
    yield from ending(lambda count: Network(ip, count))
