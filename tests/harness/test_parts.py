# SPDX-License-Identifier: BSD-2-Clause
"""The parts in which a room is run, see SDTKIT_PART in conftest.py."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def collected(room, part=""):
    """The tests that pytest would run. It tells nobody of its progress."""
    environment = dict(os.environ, SDTKIT_PART=part, SDTKIT_TAP="",
                       SDTKIT_PROGRESS="")
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p",
         "no:cacheprovider", HERE.parent / room],
        env=environment, stdout=subprocess.PIPE, universal_newlines=True,
        check=True).stdout
    return re.findall(r"^\S+::.*", said, re.M)


def files(tests):
    return {test.split("::")[0] for test in tests}


@pytest.mark.thorough
def test_parts_are_whole_files_and_all_of_the_room():
    every = collected("tool")
    parts = [collected("tool", "%d/3" % number) for number in (1, 2, 3)]
    assert len(every) > 300
    assert sorted(sum(parts, [])) == sorted(every)
    assert sum(len(files(part)) for part in parts) == len(files(every))
    for part in parts:
        assert len(part) >= len(every) / 5
