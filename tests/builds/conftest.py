# SPDX-License-Identifier: BSD-2-Clause
"""Installations of sdtkit, each made once, and which tests are left to
continuous integration."""

import os

import pytest

from build_tool import ALONE, configure, install


@pytest.fixture
def all_builds():
    """For tests that build all of sdtkit, or much of it, once more."""
    if not os.environ.get("SDTKIT_ALL"):
        pytest.skip("only with ./dev test --all")


@pytest.fixture(scope="session")
def installed(source, tmp_path_factory):
    """installed(option, ...): the root below which there is /usr, and all
    files in it, as paths that begin with /usr."""
    made = {}

    def get(*options):
        if options not in made:
            folder = tmp_path_factory.mktemp("installed")
            configure(source, folder / "out", "-Dprefix=/usr", *ALONE,
                      *options)
            made[options] = folder / "root", install(folder / "out",
                                                     folder / "root")
        return made[options]
    return get
