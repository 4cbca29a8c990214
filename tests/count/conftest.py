# SPDX-License-Identifier: BSD-2-Clause
"""A program that hits sites of spans, with the counter preloaded, and another
one that reads what was counted: both are test-count."""

import os
import re
import subprocess

import pytest

LIMIT = 300


class Counter:
    def __init__(self, build, folder):
        self.program = build / "tests" / "count" / "test-count"
        self.library = build / "lib" / "record" / "libsdtkit-recorder.so"
        self.folder = folder
        self.processes = []

    def open(self, *words, **more):
        process = subprocess.Popen(
            [self.program, *map(str, words)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, universal_newlines=True, **more)
        self.processes.append(process)
        return process

    def work(self, *orders, count="counted:*", options="", **more):
        """Starts the program; where it waits it prints its number."""
        options = "dir=%s,traps%s" % (self.folder, options)
        # the loader splits LD_PRELOAD at blanks, which a directory may have
        environment = dict(os.environ, LD_PRELOAD=self.library.name,
                           LD_LIBRARY_PATH=str(self.library.parent),
                           SDTKIT_RECORDER_OPTIONS=options, **more)
        if count:
            environment["SDTKIT_RECORDER_COUNT"] = count
        return self.open("work", *orders, env=environment,
                         stderr=subprocess.PIPE)

    def show(self, *what):
        """A reader, or the message of its failure."""
        reader = self.open("show", *what, stderr=subprocess.PIPE)
        if reader.stdout.readline() != "ready\n":
            return reader.communicate(timeout=LIMIT)[1]
        return reader

    @staticmethod
    def read(reader):
        """{"told 1": {"count": 100, ...}, "": {"lost": 0, ...}}"""
        reader.stdin.write("\n")
        reader.stdin.flush()
        rows = {}
        for line in reader.stdout:
            name = re.sub(r" ?\w+=\d+", "", line.strip())
            rows[name] = {key: int(value) for key, value in
                          re.findall(r"(\w+)=(\d+)", line)}
            if not name:
                return rows
        raise AssertionError("the reader ended: %s" % reader.stderr.read())

    def files(self):
        return sorted(self.folder.glob("sdtkit-recorder-*"))

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=LIMIT)


@pytest.fixture
def counter(build, tmp_path):
    counter = Counter(build, tmp_path)
    yield counter
    counter.end()
