# SPDX-License-Identifier: BSD-2-Clause
"""What the tracer of any program keeps, and what its workers can do with it."""

import errno
import os
import re
import shutil
import subprocess
import tempfile

import pytest

LIMIT = 300
DAC_READ_SEARCH, SYS_PTRACE, SYS_ADMIN, SYS_RESOURCE, PERFMON, BPF = \
    2, 19, 21, 24, 38, 39
UNKNOWN = 62        # to any kernel
SOURCES = ["service/drop.c", "settings/values.c", "base/text.c",
           "uprobe/registers.c"]


def bits(*capabilities):
    return sum(1 << one for one in capabilities)


@pytest.fixture(scope="module")
def program(made_up):
    """In a directory that another user may search."""
    with tempfile.TemporaryDirectory(prefix="drop-") as directory:
        os.chmod(directory, 0o755)
        yield shutil.copy(made_up("drop.c", *SOURCES), directory)


def has_capability(capability):
    with open("/proc/self/status") as file:
        effective = re.search(r"^CapEff:\s(\w+)", file.read(), re.M).group(1)
    return bool(int(effective, 16) >> capability & 1)


@pytest.fixture
def drop(program, unavailable):
    """drop(word...): what it prints as {first word: the rest}"""
    if os.geteuid() != 0:
        unavailable("needs root")

    def run(*words):
        done = subprocess.run([program, *words], timeout=LIMIT, check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
        return dict(line.split(None, 1) for line in done.stdout.splitlines())
    return run


@pytest.mark.parametrize("words, user", [
    (["no-such-program", "-"], "nobody"),
    (["daemon", "-"], "daemon"),
    (["daemon", "bin"], "bin"),
    (["daemon", "no-such-user"], "nobody"),
])
def test_default_user(drop, words, user):
    assert drop(*words, "0")["user"] == user
    assert drop(*words, "0", "games")["user"] == "games"


def test_no_user_of_that_name(program, unavailable):
    if os.geteuid() != 0:
        unavailable("needs root")
    done = subprocess.run([program, "made-up", "-", "0", "no-such-user"],
                          timeout=LIMIT, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"there is no user 'no-such-user'" in done.stderr


def test_the_message_names_the_program(program, unavailable):
    if os.geteuid() != 0:
        unavailable("needs root, to become another user")
    done = subprocess.run([program, "made-up", "-", "0", "nobody"], user=1,
                          timeout=LIMIT, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"start made-up as that user" in done.stderr


@pytest.mark.parametrize("asked, more, load", [
    (0, 0, errno.EPERM),
    (bits(BPF, PERFMON), bits(BPF, PERFMON), 0),
    # an old kernel, where these were parts of CAP_SYS_ADMIN
    (bits(UNKNOWN), bits(SYS_ADMIN), 0),
])
def test_a_worker_has_what_the_program_asks_for(drop, asked, more, load):
    done = drop("made-up", "-", "%x" % asked)
    keeps = "%016x" % (bits(DAC_READ_SEARCH, SYS_PTRACE) | more)
    assert (done["CapEff:"], done["CapPrm:"], done["CapBnd:"]) == (
        keeps, keeps, keeps)
    assert done["load"] == str(load)
    if has_capability(SYS_RESOURCE):
        assert done["memory"] == "unlimited"
