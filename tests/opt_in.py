# SPDX-License-Identifier: BSD-2-Clause
"""Tests that need large packages, which only an option of ./dev test installs.

    need = finder("--packaging", {"lintian": "lintian"})
    need("lintian")     # its path

Without the program the test skips. With the option it fails: ./dev sets
SDTKIT_REQUIRE_PACKAGING=1, which has the option's name.
"""

import os
import shutil
import subprocess

import pytest

# Rooms that the ordinary run leaves out: tests/meson.build has them in the
# suite of the option, too.
ROOMS = {"packaging": "--packaging", "samba_package": "--packaging",
         "kernels": "--kernels"}
# program: the package that has it. PACKAGING_PACKAGES of ./dev has these.
PACKAGING_PROGRAMS = {
    "abidiff": "abigail-tools",
    "abidw": "abigail-tools",
    "debootstrap": "debootstrap",
    "dh": "debhelper",
    "dpkg-buildpackage": "dpkg-dev",
    "dpkg-source": "dpkg-dev",
    "faketime": "faketime",
    "lintian": "lintian",
    "reuse": "reuse",
    "rpmbuild": "rpm",
    "rpmlint": "rpmlint",
}
# where a program is that is in no directory of PATH
PLACES = "/usr/sbin:/sbin:/usr/lib/pcp/bin"


def required_by(option):
    """The variable that says that the option was given."""
    return "SDTKIT_REQUIRE_" + option.lstrip("-").upper()


def left_out():
    """The rooms that do not run, since nobody asked for them."""
    return {room for room, option in ROOMS.items()
            if os.environ.get(required_by(option)) != "1"}


def program_path(name):
    """Where the program is, or None. A module of Debian's Python counts."""
    if name.startswith("python3-"):
        done = subprocess.run(["/usr/bin/python3", "-c", "import " + name[8:]],
                              stderr=subprocess.DEVNULL)
        return None if done.returncode else name
    return shutil.which(name) or shutil.which(name, path=PLACES)


def finder(option, packages):
    """need(program), for a fixture. `packages` has each program's package."""
    def find(name):
        path = program_path(name)
        if path:
            return path
        reason = "%s is not installed: it is in the package %s, which " \
            "./dev test %s installs" % (name, packages[name], option)
        if os.environ.get(required_by(option)) == "1":
            pytest.fail("required by %s=1: %s" % (required_by(option), reason))
        pytest.skip(reason)
    return find
