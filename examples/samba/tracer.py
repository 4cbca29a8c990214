# SPDX-License-Identifier: BSD-2-Clause
"""Tracers that run while a server works: run.py, ../servers/run.py."""

import contextlib
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


@contextlib.contextmanager
def running(tracers, top):
    """Tracers that run within it: yields {name: output}, which is empty until
    its end. tracers: [(name, command, what it prints when it is ready)]."""
    started, outputs = {}, {}
    try:
        for name, command, ready in tracers:
            started[name] = Tracer(command, top / name, ready)
        yield outputs
    finally:
        for one in started.values():    # all at once: each takes seconds
            one.interrupt()
        for name, one in started.items():
            outputs[name] = one.stop()
