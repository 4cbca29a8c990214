# SPDX-License-Identifier: BSD-2-Clause
"""demo-server as a process, with its directory, its log and its end."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import demo_wire

LIMIT = 300     # seconds; far more than anything here takes


def children(pid):
    path = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid))
    return [int(child) for child in path.read_text().split()]


def state(pid):
    """The letter that ps(1) shows; X if there is no such process."""
    try:
        stat = pathlib.Path("/proc/%d/stat" % pid).read_text()
    except OSError:
        return "X"
    return stat.rpartition(")")[2].split()[0]


def exists(pid):
    """Is there such a process, other than as a zombie?"""
    return state(pid) not in "ZX"


def wait_until(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "still not true: " + what
        time.sleep(0.01)


class Server:
    """demo-server on a free port, with its directory and its log.

    It is a copy: tracers attach to a file, and without a copy they would count
    what the servers of other tests do at the same time.
    """

    def __init__(self, build, directory, log, name="demo-server"):
        self.folder = tempfile.TemporaryDirectory(prefix="sdtkit-server-")
        self.program = pathlib.Path(self.folder.name) / name
        shutil.copy(build / "examples" / "demo" / "demo-server", self.program)
        self.client_program = build / "examples" / "demo" / "demo-client"
        self.directory = directory
        self.log_file = log
        directory.mkdir(exist_ok=True)
        self.start()

    def start(self, **more):
        with self.log_file.open("w") as stderr:
            self.process = subprocess.Popen(
                self.command("--port", "0", self.directory), stderr=stderr,
                stdout=subprocess.PIPE, universal_newlines=True, **more)
        line = self.process.stdout.readline()
        match = re.fullmatch(r"listening on 127\.0\.0\.1:(\d+), serving (.*)\n",
                             line)
        assert match, line + self.log
        assert match.group(2) == str(self.directory)
        self.port = int(match.group(1))
        self.pid = self.process.pid

    def command(self, *args):
        """What to run; it has to become the server itself."""
        return [self.program, *args]

    @property
    def log(self):
        return self.log_file.read_text()

    def connect(self):
        return demo_wire.Connection(self.port)

    def login(self):
        return self.connect().login()

    def client(self, *args):
        """Runs demo-client; returns the finished process."""
        return subprocess.run(
            [self.client_program, "--port", str(self.port), *args],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True, timeout=LIMIT)

    def children(self):
        return children(self.pid)

    def idle(self):
        """Has it taken the end of all children, and does it wait again? The
        probes that tell of the last one fire when /proc has none any more."""
        return self.children() == [] and state(self.pid) == "S"

    def serves(self):
        """Does it still do its work, for a client that comes now?"""
        result = self.client("--files", "2", "--size", "100")
        assert result.returncode == 0, result.stderr + self.log
        return True

    def stop(self, signum=signal.SIGTERM):
        """Ends it, and checks that it went well."""
        pids = self.children()
        self.process.send_signal(signum)
        self.process.wait(LIMIT)
        assert self.process.returncode == 0, self.log
        assert not [pid for pid in pids if exists(pid)]
        assert "ended by signal" not in self.log
        assert "ERROR:" not in self.log     # of a sanitizer
        assert "runtime error:" not in self.log

    def end(self):
        """Stops it unless a test has."""
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()


class Installed(Server):
    """A server at a path that others may have, too."""

    def __init__(self, build, path, top):
        self.path = path
        super().__init__(build, top / "served", top / "log")

    def command(self, *args):
        return [self.path, *args]

    def kill(self):
        """Ends it and its children, if it has not ended."""
        if self.process.poll() is None:
            for child in self.children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            self.process.kill()
            self.process.wait()
