# SPDX-License-Identifier: BSD-2-Clause
"""The tracers, one file each, and what such a file has to offer.

    NAME            how people call it
    IN_KERNEL       whether its probes are the kernel's: each takes a tenth of
                    a second to go away, so they are used sparingly
    lacks()         why it cannot run here; None if it can
    version()       as it says it
    most()          how many arguments of a probe it can read
    listed(path)    the names of the probes of provider form that it finds
    read(program, wanted)
                    runs program.command, attached to every probe in wanted,
                    {probe: kinds}, where kinds has a letter per argument: "n"
                    asks for a number, "z" for the string at that address, if
                    the tracer can follow it. {probe: [hit, ...]}: a hit has a
                    number, a string, or None for what could not be read, per
                    argument. A tracer that refuses an argument, a probe or all
                    of them leaves those out.

Every tracer runs under a time limit, and leaves nothing in the kernel. To add
one, write a file and name it in ALL; its figures are a column of the table in
docs/consumers.md.
"""

import os
import shutil
import subprocess

LIMIT = 120         # seconds until a tracer that hangs is ended
PROVIDER = "form"


def run(command, **options):
    """(exit status, what it said); what runs longer than LIMIT is ended."""
    done = subprocess.run(["timeout", str(LIMIT), *map(str, command)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          **options)
    return done.returncode, done.stdout


class Waiting:
    """The program of forms, started, which waits for go()."""

    def __init__(self, command):
        self._process = subprocess.Popen([*command, "wait"],
                                         stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE)
        self._process.stdout.readline()
        self.pid = self._process.pid

    def go(self):
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()
        self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()


def must_have_run(program, said):
    if not program.report.exists():
        raise AssertionError("the program did not run: " + said)


def root_lacks(*programs):
    """What keeps a tracer that needs root and these programs from running."""
    for program in programs:
        if not shutil.which(program):
            return program + " is not installed"
    if os.geteuid() != 0:
        return programs[0] + " needs root"
    return None


from . import bcc, bpftrace, dtrace, gdb, perf     # they use the above

ALL = (bpftrace, bcc, perf, gdb)
if os.environ.get("SDTKIT_DTRACE"):     # no package of Debian 12 has it
    ALL += (dtrace,)
