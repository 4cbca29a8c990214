# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd serve --pid-file: whose number is in it, and when it is there."""

import os
import signal
import subprocess

import pytest

from demo_server import LIMIT, wait_until
from test_serve import serve    # noqa: F401


@pytest.mark.thorough
def test_pid_file(serve, open_directory):    # noqa: F811
    path = open_directory / "tsmbd.pid"
    service = serve("--pid-file", path).begin()
    assert path.read_text() == "%d\n" % service.pid
    service.stop()
    # the directory is root's
    assert path.read_text() == ""


def test_pid_file_of_one_that_runs(serve, program, open_directory):    # noqa: F811
    path = open_directory / "tsmbd.pid"
    service = serve("--pid-file", path).begin()
    other = subprocess.run([program, "serve", "--pid-file", path],
                           stderr=subprocess.PIPE, timeout=LIMIT)
    assert other.returncode == 1
    assert b"is the file of another tsmbd that runs" in other.stderr
    assert path.read_text() == "%d\n" % service.pid


@pytest.mark.thorough
def test_pid_file_of_one_that_was_killed(serve, open_directory):    # noqa: F811
    """Its server is still there, but does not keep the file."""
    path = open_directory / "tsmbd.pid"
    killed = serve("--pid-file", path).begin()
    server = killed.server_pid()
    os.kill(server, signal.SIGSTOP)
    killed.process.kill()
    killed.process.wait(LIMIT)
    (open_directory / "notify").unlink()
    service = serve("--pid-file", path).begin()
    assert path.read_text() == "%d\n" % service.pid
    service.stop()
    os.kill(server, signal.SIGKILL)


@pytest.mark.thorough
def test_signals_during_the_start(serve, open_directory):    # noqa: F811
    """They may come as soon as the number is known, which SIGHUP survives."""
    path = open_directory / "tsmbd.pid"
    service = serve("--pid-file", path)
    wait_until(lambda: path.exists() and path.read_text(), "written")
    service.process.send_signal(signal.SIGHUP)
    service.begin().says("the configuration has been read again")
    service.stop()
    path.unlink()
    (open_directory / "notify").unlink()
    service = serve("--pid-file", path)
    wait_until(lambda: path.exists() and path.read_text(), "written")
    service.stop()
    assert not path.exists() or path.read_text() == ""


def test_pid_file_of_one_that_cannot_trace(program, privileged, tmp_path):
    path = tmp_path / "tsmbd.pid"
    done = subprocess.run([program, "serve", "--pid-file", path, "-f",
                           "/bin/true"], stderr=subprocess.PIPE,
                          timeout=LIMIT)
    assert done.returncode == 1 and b"/bin/true" in done.stderr
    assert not path.exists()
