# SPDX-License-Identifier: BSD-2-Clause
"""examples/serve/self: a server with metrics of its own spans, built and run as
its readers do it."""

import http.client
import os
import pathlib
import shutil
import subprocess
import time

EXAMPLE = pathlib.Path(__file__).resolve().parents[1] / "examples/serve/self"
LIMIT = 300


def copy(folder):
    return shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(
        "self", "*.o", "web_probes.h"))


def get(port, path, sock=None):
    """(status, text) of 127.0.0.1; sock: a connection that there is."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
    connection.sock = sock
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


class SelfServer:
    """Answers on port of 127.0.0.1; library: where libsdtkit-recorder is."""

    def __init__(self, program, port, library, memory):
        self.port = port
        self.process = subprocess.Popen([program, str(port)], env=dict(
            os.environ, LD_LIBRARY_PATH=str(library),
            XDG_RUNTIME_DIR=str(memory)))
        end = time.monotonic() + LIMIT
        while not self.listens():
            assert self.process.poll() is None and time.monotonic() < end
            time.sleep(0.05)

    def listens(self):
        """Without a request, which would be counted."""
        port = ":%04X 00000000:0000 0A" % self.port
        return port in pathlib.Path("/proc/net/tcp").read_text()

    def get(self, path):
        return get(self.port, path)

    def end(self):
        self.process.kill()
        self.process.wait(LIMIT)
