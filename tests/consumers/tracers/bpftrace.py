# SPDX-License-Identifier: BSD-2-Clause
"""bpftrace: a line per probe, attached with -p to the program, which waits.
(With -c, 0.17 finds no probes in a library: that is not there yet.)

    usdt:./main:form:text { printf("=text 0 %lld 1 %s\\n", arg0, str(arg1)); }

Before 0.24 it reads arg0 to arg5 on x86-64. An argument that it cannot read
fails the whole program when that is compiled, with a message that names it.
"""

import functools
import re
import subprocess

from . import LIMIT, PROVIDER, Waiting, must_have_run, root_lacks, run

NAME = "bpftrace"
IN_KERNEL = True
_REFUSED = re.compile(r"couldn't get argument (\d+) for \S+:(\w+)")


@functools.lru_cache(maxsize=None)
def lacks():
    missing = root_lacks("bpftrace")
    if missing:
        return missing
    status, said = run(["bpftrace", "-e", "BEGIN { exit(); }"])
    return "bpftrace does not run here: " + said.strip() if status else None


def version():
    return run(["bpftrace", "--version"])[1].split("v")[-1].strip()


def most():
    numbers = [int(number) for number in re.findall(r"\d+", version())]
    return 6 if numbers < [0, 24] else 12


def listed(path):
    _, said = run(["bpftrace", "-l", "usdt:%s:%s:*" % (path, PROVIDER)])
    return set(re.findall(r":%s:(\w+)" % PROVIDER, said))


def read(program, wanted):
    asked = {(probe, index): kind for probe, kinds in wanted.items()
             for index, kind in enumerate(kinds[:most()])}
    while True:
        script = 'BEGIN { printf("attached\\n"); }\n' + "".join(
            _line(program, probe, asked) for probe in wanted)
        said = _attach(program, script)
        refused = _REFUSED.search(said)
        if not refused:
            break
        del asked[refused[2], int(refused[1])]
    must_have_run(program, said)
    hits = {}
    for probe, rest in re.findall(r"^=(\w+)(.*)$", said, re.M):
        hits.setdefault(probe, []).append(
            _hit(rest.split(), wanted[probe]))
    return hits


def _attach(program, script):
    """All that bpftrace says. What BEGIN prints comes when all is attached."""
    with Waiting(program.command) as waiting:
        tracer = subprocess.Popen(
            ["timeout", str(LIMIT), "bpftrace", "-B", "none", "-e", script,
             "-p", str(waiting.pid)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
        said = ""
        for line in tracer.stdout:
            said += line
            if line == "attached\n":
                waiting.go()
        tracer.wait()
    return said


def _line(program, probe, asked):
    """Prints an argument's index before it: some may be left out."""
    formats, values = [], []
    for (name, index), kind in asked.items():
        if name == probe:
            formats.append(" %d %s" % (index, "%s" if kind == "z" else "%lld"))
            values.append((", str(arg%d)" if kind == "z" else ", arg%d") % index)
    return 'usdt:%s:%s:%s { printf("=%s%s\\n"%s); }\n' % (
        program.probes, PROVIDER, probe, probe, "".join(formats),
        "".join(values))


def _hit(words, kinds):
    hit = [None] * len(kinds)
    for index, value in zip(map(int, words[::2]), words[1::2]):
        hit[index] = value if kinds[index] == "z" else int(value)
    return hit
