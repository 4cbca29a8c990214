# SPDX-License-Identifier: BSD-2-Clause
"""DTrace for Linux, 2.0.7 or later: it reads the notes of other people's
probes too. Debian 12 has none, and /usr/bin/dtrace is systemtap's, so it is
used only where $SDTKIT_DTRACE is the command that starts it.

    form$target:::text { printf("=text 0 %d\\n", (int64_t)arg0); ... }

It reads arg0 to arg9, and knows a string only by copyinstr().
"""

import functools
import os
import re
import shlex

from . import PROVIDER, must_have_run, root_lacks, run

NAME = "DTrace"
IN_KERNEL = True


@functools.lru_cache(maxsize=None)
def lacks():
    if not _command():
        return "SDTKIT_DTRACE does not say how to start DTrace"
    missing = root_lacks(_command()[0])
    if missing:
        return missing
    status, said = run([*_command(), "-qn", "BEGIN { exit(0); }"])
    return "DTrace does not run here: " + said.strip() if status else None


@functools.lru_cache(maxsize=None)
def version():
    return re.search(r"[\d.]+", run([*_command(), "-V"])[1])[0]


def most():
    return 10


def listed(path):
    """It knows the probes of processes, not of files: so of the program."""
    program = path.with_name("main")
    _, said = run([*_command(), "-ln", PROVIDER + "$target:::", "-c",
                   "%s /dev/null" % program])
    return set(re.findall(r" %s\d+ +\S+ +\S+ +(\w+)$" % PROVIDER, said, re.M))


def read(program, wanted):
    script = "\n".join(_clause(probe, kinds[:most()])
                       for probe, kinds in wanted.items())
    _, said = run(["setarch", "-R", *_command(), "-qn", script, "-c",
                   " ".join(program.command)])
    if "could not enable tracing" in said:
        return _halves(program, wanted)
    must_have_run(program, said)
    hits = {}
    for probe, rest in re.findall(r"^=(\w+)(.*)$", said, re.M):
        hits.setdefault(probe, []).append(
            [word if kind == "z" else int(word)
             for kind, word in zip(wanted[probe], rest.split())])
    return hits


def _halves(program, wanted):
    """DTrace refused some probe, and does not say which. (The runs have the
    same addresses: setarch -R.)"""
    rows = list(wanted.items())
    if len(rows) == 1:
        program.report.touch()
        return {}
    middle = len(rows) // 2
    return dict(read(program, dict(rows[:middle])),
                **read(program, dict(rows[middle:])))


def _command():
    return shlex.split(os.environ.get("SDTKIT_DTRACE", ""))


def _clause(probe, kinds):
    values = ["copyinstr(arg%d)" % i if kind == "z" else "(int64_t)arg%d" % i
              for i, kind in enumerate(kinds)]
    return '%s$target:::%s { printf("=%s%s\\n"%s); }' % (
        PROVIDER, probe, probe,
        "".join(" %s" if kind == "z" else " %d" for kind in kinds),
        "".join(", " + value for value in values))
