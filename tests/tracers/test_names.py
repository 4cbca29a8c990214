# SPDX-License-Identifier: BSD-2-Clause
"""Programs that only list probes find all of them: the table "Those that only
list" of docs/tracing.md. (Those that trace too: test_values.py, test_list.)"""

import pathlib
import re

import pytest

import tracers
from . import expect, ftrace
from .test_docs import TEXT
from programs import which

# first word of a row's command: how a probe looks in what it says
LOOKS = {
    "sdtkit": r"(\w+):(\w+)\(",
    "readelf": r"Provider: (\w+)\n +Name: (\w+)",
    "eu-readelf": r"Provider: (\w+), Name: (\w+)",
    "tplist-bpfcc": r"(\w+):(\w+) \[sema ",
    "bpftrace": r":(\w+):(\w+)$",
    "gdb": r"^stap +(\w+) +(\w+) ",
    "stap": r'provider\("(\w+)"\)\.mark\("(\w+)"\)',
}


def commands():
    """Returns {first word: command} of the table; perf has test_perf.py."""
    section = TEXT.split("\n## Those that only list\n")[1].split("\n## ")[0]
    found = re.findall(r"`([a-z].*?)`", "\n".join(
        line.rsplit("|", 2)[0] for line in section.split("\n")
        if line.startswith("| `")))
    return {command.split()[0]: command for command in found}


def test_table():
    assert set(commands()) == set(LOOKS) | {"perf"}


def kernel():
    """stap wants the headers of the running kernel; those of any will do."""
    return ["SYSTEMTAP_RELEASE=%s" % path for path in
            pathlib.Path("/lib/modules").glob("*/build")][:1]


@pytest.mark.parametrize("word", LOOKS)
def test_names(word, programs, need, unavailable, tmp_path):
    need(ftrace)        # sdtkit, and root for some
    if word != "sdtkit" and not which(word):
        unavailable(word + " is not installed")
    program = programs.copy("shared library")
    (tmp_path / "sdtkit").symlink_to(ftrace.SDTKIT)
    status, said = tracers.run(["env", "PROGRAM=%s" % program.probes,
                                *kernel(), "sh", "-c", "PATH=$PATH:%s\n%s" % (
                                    tmp_path, commands()[word])])
    assert status == 0, said
    assert {":".join(found) for found in
            re.findall(LOOKS[word], said, re.M)} == expect.there()
