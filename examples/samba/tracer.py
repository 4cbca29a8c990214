# SPDX-License-Identifier: BSD-2-Clause
"""A tracer that runs while a server works: run.py, ../servers/run.py."""

import signal
import subprocess

import server
import source


class Tracer:
    """A command that says when it is ready, and prints when it is told to
    end."""

    def __init__(self, command, path, ready):
        self.path = path
        self.command = [str(word) for word in command]
        print(" ".join(self.command), flush=True)
        with open(str(path), "w") as out:
            self.process = subprocess.Popen(
                self.command, stdout=out, stderr=subprocess.STDOUT)
        try:
            server.until(lambda: ready in path.read_text(errors="replace"),
                         lambda: "", self.process)
        except source.Failed:
            self.interrupt()
            raise source.Failed("%s: %s" % (self.command[0],
                                            self.stop()[-500:]))

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def stop(self):
        """Returns its output; it was interrupted before."""
        for _ in range(5):	# bpftrace 0.17 misses a signal while it prints
            try:
                self.process.wait(10)
                break
            except subprocess.TimeoutExpired:
                self.interrupt()
        else:
            self.process.kill()
            self.process.wait()
        return self.path.read_text(errors="replace")
