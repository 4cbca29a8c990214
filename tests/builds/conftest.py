# SPDX-License-Identifier: BSD-2-Clause
"""Installations of sdtkit, each made once, and which tests are left to
continuous integration."""

import json
import os

import pytest

from build_tool import (ALONE, Installed, configure, files_below, install, run)
from installed import only_one
from programs import ALL

HEADERS = "-Dcomponents=headers"
NO_LIBELF = {"PKG_CONFIG_LIBDIR": "", "PKG_CONFIG_PATH": ""}


@pytest.fixture
def all_builds():
    """For tests that build all of sdtkit, or much of it, once more."""
    if not os.environ.get("SDTKIT_ALL"):
        pytest.skip("only with ./dev test --all")


@pytest.fixture(scope="session")
def installed(source, build, tmp_path_factory):
    """installed(option, ...): an Installed; its files are paths that begin with
    the prefix. For headers, no library is needed, nor found. Without options,
    the build at hand is installed; with --all, one that is made for that."""
    made = {}

    def get(*options):
        if options not in made:
            folder = tmp_path_factory.mktemp("installed")
            made[options] = (of_build(build, folder) if not (options or ALL)
                             else anew(source, folder, options))
        return made[options]
    return get


def anew(source, folder, options):
    configure(source, folder / "out", "-Dprefix=/usr", *ALONE, *options,
              env=NO_LIBELF if HEADERS in options else {})
    return Installed(folder / "root", "/usr",
                     install(folder / "out", folder / "root"))


def of_build(build, folder):
    prefix, = (option["value"] for option in json.loads(run(
        "meson", "introspect", "--buildoptions", build))
        if option["name"] == "prefix")
    with only_one(build):
        run("meson", "install", "-C", build, "--no-rebuild", "--destdir",
            folder / "root")
    return Installed(folder / "root", prefix, files_below(folder / "root"))
