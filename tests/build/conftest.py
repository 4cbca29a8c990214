# SPDX-License-Identifier: BSD-2-Clause
"""An installation of sdtkit, made once, for projects that use one."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def prefix(source, tmp_path_factory):
    """The prefix below which headers, probegen and libsdtkit are installed."""
    root = tmp_path_factory.mktemp("installed")
    subprocess.run(["meson", "setup", root / "out", source, "-Dprefix=%s" %
                    (root / "usr"), "-Dtests=disabled", "-Dcomponents=arg",
                    "-Ddemo=disabled", "-Dtsmbd=disabled", "-Dtop=disabled"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", root / "out", "install"], check=True,
                   stdout=subprocess.DEVNULL)
    return root / "usr"


@pytest.fixture
def all_builds():
    """For tests that take long."""
    if not os.environ.get("SDTKIT_ALL"):
        pytest.skip("only with ./dev test --all")
