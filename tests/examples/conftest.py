# SPDX-License-Identifier: BSD-2-Clause
"""An installation of sdtkit, made once."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def installed(source, tmp_path_factory):
    """An environment in which sdtkit is installed below a prefix."""
    root = tmp_path_factory.mktemp("installed")
    subprocess.run(["meson", "setup", root / "build", source, "-Dprefix=%s" %
                    (root / "usr"), "-Dtests=disabled", "-Ddemo=disabled",
                    "-Dtsmbd=disabled", "-Dtop=disabled", "-Doptimization=0"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", root / "build", "install"], check=True,
                   stdout=subprocess.DEVNULL)
    pkgconfig = subprocess.run(["find", root / "usr", "-name", "pkgconfig"],
                               stdout=subprocess.PIPE, text=True).stdout
    return dict(os.environ, PATH="%s:%s" % (root / "usr/bin",
                                            os.environ["PATH"]),
                PKG_CONFIG_PATH=":".join(pkgconfig.split()))
