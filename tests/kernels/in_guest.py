# SPDX-License-Identifier: BSD-2-Clause
"""Runs a feature in a guest, and says what came of it.

    Outcome("works", "")                    all that was run passed
    Outcome("falls back", "in what way")    it passed, but says what it lacks
    Outcome("cannot", "reason")             tests skip: the kernel lacks it
    Outcome("fails", "what was said")       a test failed
"""

import collections
import re
import shlex

Outcome = collections.namedtuple("Outcome", "result detail said")

# The versions of the tracers, as they say them there. ftrace is the kernel.
TOOLS = """
cd {source}/tests
/usr/bin/python3 -c "
import tracers
for one in tracers.every():
    if one.NAME in {names} and not one.lacks():
        print('%s: %s' % (one.NAME, one.version()))"
"""

SLOWER = 10     # times the limits of the tests, which are for the machine

ENVIRONMENT = """
export SDTKIT_BUILD={build} SDTKIT_SOURCE={source} SDTKIT_TAP=1 HOME=/tmp
export SDTKIT_SLOWER=%d PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
export CMOCKA_MESSAGE_OUTPUT=TAP SDTKIT_ALL=1
""" % SLOWER

# pytest keeps three of its own folders: beside the one that the host shares,
# the third run in a guest would remove that.
PYTEST = """
mkdir -p /tmp/guest
export PYTEST_DEBUG_TEMPROOT=/tmp/guest
cd {source}/tests
{under} /usr/bin/python3 -m pytest -p no:terminal -p no:cacheprovider {nodes} \
	-k '{select}'
"""


def run(guest, feature, build, source, folder):
    """{part: Outcome} of a feature in the guest; the folder is its own."""
    where = quoted(build=build, source=source, folder=folder)
    if feature.nodes:
        nodes = " ".join("'%s'" % node for node in feature.nodes)
        script = PYTEST.format(nodes=nodes, select=feature.select,
                               under=feature.under, **where)
    elif feature.programs:
        script = "".join("cd /tmp && {build}/%s || :\n" % program
                         for program in feature.programs).format(**where)
    else:
        script = feature.script.format(**where)
    (folder / "served").mkdir(parents=True, exist_ok=True)
    status, said = guest.run(ENVIRONMENT.format(**where) + script)
    if feature.script and not feature.parts:
        return {"": of_script(status, said)}
    return {part: of_tap(said, part) for part in feature.parts or [""]}


def tools(guest, names, build, source):
    """{tracer: version} of those that the guest has."""
    where = quoted(build=build, source=source)
    _, said = guest.run(ENVIRONMENT.format(**where) +
                        TOOLS.format(names=tuple(names), **where))
    return dict(re.findall(r"^([\w ]+): (\S.*)$", said, re.M))


def quoted(**paths):
    """For a shell: a path may have a blank."""
    return {name: shlex.quote(str(path)) for name, path in paths.items()}


def of_script(status, said):
    """For a script: what tsmbd says of the kernel tells how it went."""
    lacks, refuses = (
        re.search(r"^\S.*: (the kernel %s .*)" % verb, said, re.M)
        for verb in ("lacks", "refuses"))
    if refuses:
        return Outcome("cannot", refuses[1], said)
    if status or not said.endswith("ok\n"):
        return Outcome("fails", last_line(said), said)
    if lacks:
        return Outcome("falls back", lacks[1], said)
    return Outcome("works", "", said)


def of_tap(said, part):
    """From lines as conftest.py and cmocka print them, for tests that have the
    part in their names."""
    lines = "\n".join(line for line in said.splitlines()
                      if not part or "[%s, " % part in line)
    passed = len(re.findall(r"^ok (?!.*# SKIP)", lines, re.M))
    failed = re.findall(r"^not ok \d+ - (.*)", lines, re.M)
    skipped = sorted(set(re.findall(r"^ok .*# SKIP ?(.*)", lines, re.M)))
    if failed:
        return Outcome("fails", "%d of %d: %s" % (
            len(failed), len(failed) + passed, failed[0]), said)
    if passed:
        return Outcome("works", "; ".join(skipped), said)
    if skipped:
        return Outcome("cannot", "; ".join(skipped), said)
    return Outcome("fails", last_line(said), said)      # nothing was run


def last_line(said):
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"
