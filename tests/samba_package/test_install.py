# SPDX-License-Identifier: BSD-2-Clause
"""Packages that make.py has built: installed over Debian's in a Debian of their
own, traced by tsmbd, and removed again. The script `run` does it.

SDTKIT_SAMBA_PACKAGES names make.py's directory: to build the packages takes
longer than all other tests. SDTKIT_TSMBD_PACKAGE may name tsmbd's package.
"""

import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent


def test_packages_upgrade_are_traced_and_go_back(build, need):
    packages = os.environ.get("SDTKIT_SAMBA_PACKAGES")
    if not packages:
        pytest.skip("SDTKIT_SAMBA_PACKAGES is not set: it names a directory "
                    "of examples/samba/debian/make.py")
    if os.geteuid() != 0:
        pytest.skip("not root")
    need("debootstrap")
    tracer = os.environ.get("SDTKIT_TSMBD_PACKAGE",
                            str(build / "lib/tsmbd/tsmbd"))
    done = subprocess.run(
        [str(HERE / "run"), packages] + tracer.split(os.pathsep),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    assert done.returncode == 0, done.stdout
