# SPDX-License-Identifier: BSD-2-Clause
"""A process that fires the probes of smbd in an order that a test knows."""

import os
import pathlib
import subprocess

from demo_server import LIMIT, wait_until

# An smbd has all of them; the report needs them.
FLAGS = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter",
         "-Werror"]


def compile_actor(build, source, path, *flags):
    subprocess.run(
        [os.environ.get("CC", "cc"), *FLAGS, *flags,
         "-I", build / "providers", "-I", source / "include",
         "-I", source / "examples" / "samba" / "static_probes",
         source / "tests" / "tsmbd" / "actor.c", "-o", path], check=True)
    return path


def compile_module(build, source, path):
    """The library that the act load takes."""
    subprocess.run(
        [os.environ.get("CC", "cc"), *FLAGS, "-fPIC", "-shared",
         "-I", build / "providers", "-I", source / "include",
         source / "tests" / "tsmbd" / "module.c", "-o", path], check=True)
    return path


class Actor:
    def __init__(self, program, directory, *acts):
        (directory / "held").touch()
        self.process = subprocess.Popen(
            [program, *acts], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            universal_newlines=True, cwd=directory)
        self.pid = self.process.pid
        # the kernel maps the program after Popen() has returned
        wait_until(self.is_mapped, "mapped")

    def is_mapped(self):
        maps = pathlib.Path("/proc/%d/maps" % self.pid)
        return self.process.args[0].name in maps.read_text()

    def go(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def play(self):
        """Plays to the end, or to the next hold.

        Returns for each word of it least and most nanoseconds.
        """
        self.go()
        return self.read()

    def read(self):
        times = {}
        for line in self.process.stdout:
            word, *numbers = line.split()
            if word in ("done", "hold"):
                return times
            times[word] = [int(number) for number in numbers]
        raise AssertionError("it has ended")

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:   # its test has failed
            self.process.kill()
            raise
        self.process.stdout.close()


def is_between(us, times):
    """Whether rounded microseconds are in a range, 2 µs more at either end."""
    return times[0] - 2000 <= us * 1000 <= times[1] + 2000
