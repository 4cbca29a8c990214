# SPDX-License-Identifier: BSD-2-Clause
"""probegen called as `dtrace`, in a directory of its own: what the tests of
the drop-in form share."""

import os
import re
import shlex
import subprocess

import pytest

from probegen_tool import PROBEGEN, SOURCE, run
from programs import ALL, which

SYSTEMTAP = "/usr/bin/dtrace"
PROVIDER = """\
provider shop {
	probe order__placed(int id, char *who);
	probe closed();
};
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Returns a directory to build in, with shop.d. Temporary files go to tmp/
    in it. <sys/sdt.h> is that of SystemTap with --all, else ours."""
    for name in "CC", "CFLAGS", "CPP":
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/dtrace").symlink_to(os.path.join(PROBEGEN, "__main__.py"))
    (tmp_path / "tmp").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    (work / "shop.d").write_text(PROVIDER)
    if not ALL:     # ./dev test has no systemtap-sdt-dev
        monkeypatch.setenv("CPATH", str(SOURCE / "include/sdtkit/sdt"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PATH", "%s:%s" % (tmp_path / "bin",
                                          os.environ["PATH"]))
    return work


def dtrace(folder, line, **env):
    """Does as `dtrace LINE` in the folder, and returns the finished process."""
    return run(*shlex.split(line), program="dtrace", cwd=folder,
               env=dict(os.environ, **env))


def good(folder, line, **env):
    """Runs dtrace(), which must succeed, print nothing and leave no temporary
    file."""
    result = dtrace(folder, line, **env)
    assert (result.returncode, result.stderr) == (0, "")
    assert os.listdir(folder.parent / "tmp") == []
    return result.stdout


def gcc(folder, line, program="gcc", **options):
    return subprocess.run([program] + shlex.split(line), cwd=folder,
                          check=True,
                          stdout=subprocess.PIPE, universal_newlines=True,
                          **options).stdout


def need(unavailable, *programs):
    for program in programs:
        if which(program) is None:
            unavailable("%s is missing" % program)


USER = """\
#ifdef SDT_FIRST
#include <sys/sdt.h>
#endif
#include "shop.h"
int main(void)
{
	SHOP_ORDER_PLACED(7, "me");
	if (SHOP_CLOSED_ENABLED())
		SHOP_CLOSED();
	return 0;
}
"""


@pytest.fixture
def user(folder, unavailable):
    """Builds a program that uses the header and the object."""
    if subprocess.run(["gcc", "-fsyntax-only", "-include", "sys/sdt.h", "-xc",
                       "/dev/null"], stderr=subprocess.DEVNULL).returncode:
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")
    (folder / "main.c").write_text(USER)
    good(folder, "-h -s shop.d")
    good(folder, "-G -s shop.d")
    return folder


def semaphores(folder, binary):
    """Returns a dict: name of each semaphore -> its letter in the output of
    nm. Each must be there once."""
    found = [line.split()[::-1][:2] for line in
             gcc(folder, binary, "nm").splitlines()
             if line.endswith("_semaphore")]
    assert len(found) == len(dict(found)) == 2
    return dict(found)


def notes(folder, binary):
    """Returns (name, address of the semaphore) of each note."""
    return re.findall(r"Name: (\S+)\n.*Semaphore: (\S+)",
                      gcc(folder, "-n -W " + binary, "readelf"))
