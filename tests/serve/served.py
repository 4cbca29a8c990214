# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit serve as a process, and what it serves."""

import pathlib
import pwd
import re
import signal
import socket
import subprocess
import sys
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "demo"), str(TESTS / "tsmbd")]

from demo_server import LIMIT, wait_until               # noqa: E402
from openmetrics import Metrics                         # noqa: E402

COUNT = "sdtkit_span_duration_seconds_count"


def user_of_service():
    try:
        return pwd.getpwnam("sdtkit")
    except KeyError:
        return pwd.getpwnam("nobody")


# Executes a command that has descriptors of these numbers as systemd passes
# them: from 3 on. No file has a number above 100.
PASS = """
import fcntl, os, sys
high = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 100)
        for word in sys.argv[1].split()]
for number, fd in enumerate(high, 3):
    os.dup2(fd, number)
os.closerange(3 + len(high), 200)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(high)))
os.execv(sys.argv[2], sys.argv[2:])
"""


def passing(files, command):
    """The command that passes them to another, and their numbers."""
    numbers = [file.fileno() for file in files]
    return [sys.executable, "-c", PASS, " ".join(map(str, numbers)),
            *command], numbers


class Service:
    """At an address of its own, or at a socket that is passed."""

    def __init__(self, program, folder, *options, passed=None, **more):
        command = [program, "serve", *options]
        with socket.socket() as sock:
            # until the service listens, nobody else gets this port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(("127.0.0.1", 0))
            name = (passed or sock).getsockname()
            self.address = "%s:%s" % (name[0], name[1])
            if passed is None:
                command.append("--listen=" + self.address)
            else:
                command, more["pass_fds"] = passing([passed], command)
            self.log = folder / "log"
            self.process = subprocess.Popen(
                command, stderr=self.log.open("w"), stdout=subprocess.DEVNULL,
                **more)
            self.says("tracing .*programs")

    def says(self, text):
        wait_until(lambda: re.search(text, self.log.read_text()) or
                   self.process.poll() is not None, text)
        assert re.search(text, self.log.read_text()), self.log.read_text()

    def get(self, path):
        with urllib.request.urlopen("http://%s%s" % (self.address, path),
                                    timeout=LIMIT) as reply:
            return reply.read()

    def samples(self, name, **labels):
        """The samples that have these labels, as (labels, number)."""
        metrics = Metrics(self.get("/metrics"), False)
        return [(dict(key), number) for key, number
                in metrics.samples.get(name, {}).items()
                if labels.items() <= dict(key).items()]

    def counts(self, program, span, name=COUNT):
        """By name, as the kernel and the service know it by now."""
        return {labels["name"]: int(number) for labels, number
                in self.samples(name, program=program, span=span) if number}

    def children(self, pid=None):
        """In the order in which they began: the server is the first."""
        pid = pid or self.process.pid
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(word) for word in file.read().split()]

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(LIMIT)
