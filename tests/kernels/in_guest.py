# SPDX-License-Identifier: BSD-2-Clause
"""Runs a feature in a guest, and says what came of it.

    Outcome("works", "")                    all that was run passed
    Outcome("cannot", "reason")             tests skip: the kernel lacks it
    Outcome("fails", "what was said")       a test failed
"""

import collections
import re

Outcome = collections.namedtuple("Outcome", "result detail said")

SLOWER = 10     # times the limits of the tests, which are for the machine

ENVIRONMENT = """
export SDTKIT_BUILD={build} SDTKIT_SOURCE={source} SDTKIT_TAP=1 HOME=/tmp
export SDTKIT_SLOWER=%d PYTHONDONTWRITEBYTECODE=1 PYTHONPYCACHEPREFIX=/pycache
""" % SLOWER

PYTEST = """
cd {source}/tests
/usr/bin/python3 -m pytest -p no:terminal -p no:cacheprovider {nodes} \
	-k '{select}'
"""


def run(guest, feature, build, source, folder):
    """The Outcome of a feature in the guest; the folder is its own."""
    where = {"build": build, "source": source, "folder": folder}
    if feature.nodes:
        script = PYTEST.format(nodes=" ".join(feature.nodes),
                               select=feature.select, **where)
    elif feature.programs:
        script = "".join("cd /tmp && %s/%s || :\n" % (build, program)
                         for program in feature.programs)
    else:
        script = feature.script.format(**where)
    (folder / "served").mkdir(parents=True, exist_ok=True)
    status, said = guest.run(ENVIRONMENT.format(**where) + script)
    if feature.script:
        good = status == 0 and said.endswith("ok\n")
        return Outcome("works" if good else "fails", "" if good
                       else last_line(said), said)
    return of_tap(said)


def of_tap(said):
    """Of lines as conftest.py and cmocka print them."""
    passed = len(re.findall(r"^ok (?!.*# SKIP)", said, re.M))
    failed = re.findall(r"^not ok \d+ - (.*)", said, re.M)
    skipped = sorted(set(re.findall(r"^ok .*# SKIP ?(.*)", said, re.M)))
    if failed:
        return Outcome("fails", "%d of %d: %s" % (
            len(failed), len(failed) + passed, failed[0]), said)
    if passed:
        return Outcome("works", "; ".join(skipped), said)
    return Outcome("cannot", "; ".join(skipped) or last_line(said), said)


def last_line(said):
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"
