# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of this room share: programs that hit probes, with the
recorder preloaded, and what their files have."""

import os
import pathlib
import subprocess
import tempfile

import pytest

from step_lines import number_of

LIMIT = 300     # seconds; far more than anything here takes


class Recording:
    """What a file had: its lines, and the sums."""

    def __init__(self, output):
        *self.lines, sums = output.splitlines()
        pairs = dict(pair.split("=") for pair in sums.split())
        self.mode = pairs.pop("mode")
        for name, number in pairs.items():
            setattr(self, name, int(number))

    @property
    def texts(self):
        """The events, without process and thread."""
        return [line.split(" ", 2)[2] for line in self.lines]

    @property
    def numbers(self):
        """Those of rec:step."""
        return [number_of(text) for text in self.texts
                if text.startswith("rec:step")]

    @property
    def pids(self):
        return {int(line.split("/")[0]) for line in self.lines}


class Recorder:
    def __init__(self, build, folder):
        self.folder = folder
        self.programs = build / "tests" / "record"
        self.library = build / "lib" / "record" / "libsdtkit-recorder.so"

    def environment(self, patterns="rec:*", options=""):
        # the loader splits LD_PRELOAD at blanks, which a directory may have
        return dict(os.environ, LD_PRELOAD=self.library.name,
                    LD_LIBRARY_PATH=str(self.library.parent),
                    SDTKIT_RECORDER=patterns,
                    SDTKIT_RECORDER_OPTIONS=",".join(
                        filter(None, ["dir=%s" % self.folder, options])))

    def command(self, orders):
        """orders: words, or a text of words without blanks in them."""
        words = orders.split() if isinstance(orders, str) else orders
        return [str(self.programs / "record-work"), *map(str, words)]

    def call(self, program, *arguments, **more):
        """Runs a program of this room, or the one with this path."""
        return subprocess.run(
            [str(self.programs / program), *map(str, arguments)],
            capture_output=True, timeout=LIMIT, text=True, **more)

    def run(self, orders, patterns="rec:*", options="", **more):
        return self.call(*self.command(orders),
                         env=self.environment(patterns, options), **more)

    def start(self, orders, patterns="rec:*", options="", **more):
        """more: further variables of the environment."""
        return subprocess.Popen(
            self.command(orders),
            env=dict(self.environment(patterns, options), **more),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True)

    def go_on(self, work):
        """Ends the order "wait"."""
        work.stdin.write("\n")
        work.stdin.flush()

    def show(self, *arguments):
        done = self.call("record-show", *arguments)
        assert done.returncode == 0, done.stderr
        return Recording(done.stdout)

    def files(self, kind="recorder"):
        return sorted(self.folder.glob("sdtkit-%s-*" % kind))


@pytest.fixture
def recorder(build):
    """In a directory of tmpfs, where files of recorders belong."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="sdtkit-test-",
                                     dir=place) as name:
        yield Recorder(build, pathlib.Path(name))
