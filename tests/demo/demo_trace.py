# SPDX-License-Identifier: BSD-2-Clause
"""bpftrace as a process that is known to be attached, and ends well."""

import os
import selectors
import signal
import subprocess
import tempfile
import time

from demo_server import LIMIT


class Bpftrace:
    """Runs bpftrace with args; ready is a line that its BEGIN prints.

    BEGIN runs before the probes are attached, but what it prints is printed
    after that: bpftrace attaches everything before it looks for output.
    """

    def __init__(self, *args, ready):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            ["bpftrace", "-B", "none", *args], stdout=subprocess.PIPE,
            stderr=self.errors)
        self.output = ""
        self.wait_for(ready)

    def wait_for(self, text):
        """Returns when bpftrace has printed text.

        What a probe prints comes late, and may be lost at the end: wait for
        it before stop(). Maps are complete.
        """
        end = time.monotonic() + LIMIT
        while text not in self.output:
            if not self._read(end):
                self.process.kill()
                self.process.wait()
                raise AssertionError("no '%s' in: %s" % (text,
                                                         self.messages()))

    def _read(self, end):
        """Takes in some output; False when there is no more, or no time."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(max(0, end - time.monotonic())):
                return False
        data = os.read(self.process.stdout.fileno(), 65536)
        self.output += data.decode()
        return bool(data)

    def messages(self):
        self.errors.seek(0)
        return self.output + self.errors.read().decode()

    def stop(self):
        """Ends it as Ctrl-C does; returns all that it printed.

        bpftrace 0.17 misses a signal that comes while it prints, and dies of
        a second one while it ends: so another try, but not soon.
        """
        for _ in range(3):
            self.process.send_signal(signal.SIGINT)
            try:
                rest, _ = self.process.communicate(timeout=LIMIT / 4)
                break
            except subprocess.TimeoutExpired:
                continue
        else:
            raise AssertionError("does not end: " + self.messages())
        self.output += rest.decode()
        assert self.process.returncode == 0, self.messages()
        return self.output

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()
