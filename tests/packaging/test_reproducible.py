# SPDX-License-Identifier: BSD-2-Clause
"""Two builds of the packages are identical, byte for byte, whatever differs:
path, time, time zone, locale, umask, host name, number of processors, and the
order in which the file system lists files."""

import os
import pathlib
import tempfile

import pytest

from conftest import build_packages
from source_tree import copy
from programs import which


@pytest.fixture
def memory(tmp_path):
    """A directory whose files are listed in the order of their creation, as
    tmpfs does it. No blank in its path: debhelper cannot run a .install file
    there."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path
    with tempfile.TemporaryDirectory(prefix="sdtkit-a+b-", dir=place) as name:
        yield pathlib.Path(name)


def test_two_builds(need, source, debian, memory):
    copy(source, memory / "elsewhere" / "x+y", backwards=True)
    words = ["sh", "-c", "umask 077; exec \"$@\"", "sh",
             need("faketime"), "+397 days +5 hours"]
    if os.geteuid() == 0:
        words = ["unshare", "--uts", "sh", "-c",
                 "hostname elsewhere; exec \"$@\"", "sh", *words]
    if which("taskset"):
        words = ["taskset", "-c", "0", *words]
    build_packages(need, memory / "elsewhere" / "x+y", memory / "log", *words,
                   TZ="Pacific/Kiritimati", LC_ALL="C", LANG="tr_TR.UTF-8",
                   LANGUAGE="tr", HOME="/nonexistent", USER="somebody")
    made = {path.name for path in debian.glob("*.deb")}
    assert {path.name for path in (memory / "elsewhere").glob("*.deb")} == made
    assert len(made) > 6
    assert [name for name in sorted(made)
            if (memory / "elsewhere" / name).read_bytes() !=
            (debian / name).read_bytes()] == []
