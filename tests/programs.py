# SPDX-License-Identifier: BSD-2-Clause
"""Which programs a run of the tests may use: tests/packages.txt by level.

    which("valgrind")           # its path; None without ./dev test --all
    need = finder("packaging")
    need("lintian")             # its path; ends the test without it

The ordinary run uses what its own packages have and nothing else, whatever is
installed, so that it tests and takes the same everywhere. ./dev tells the
others by SDTKIT_ALL=1, SDTKIT_REQUIRE_SERVICES=1 and SDTKIT_REQUIRE_PACKAGING=1.
"""

import functools
import os
import pathlib
import shutil
import subprocess

LIST = pathlib.Path(__file__).resolve().with_name("packages.txt")
ALL = os.environ.get("SDTKIT_ALL") == "1"
WITHHELD = "only with ./dev test --all: "   # begins the reason to skip
# where a program is that is in no directory of PATH
PLACES = "/usr/sbin:/sbin:/usr/lib/pcp/bin"
# what the running test has asked for in vain, since --all alone has it
withheld = set()


def read(path=LIST):
    """[(level, package, [program...])]"""
    rows = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            level, package, programs, _ = line.split(None, 3)
            rows.append((level, package,
                         [] if programs == "-" else programs.split(",")))
    return rows


# program: (package, level) where it is first listed
PROGRAMS = {}
for _level, _package, _programs in read():
    for _program in _programs:
        PROGRAMS.setdefault(_program, (_package, _level))


def level(program):
    """The level that has a program or, by its name, a package."""
    name = os.path.basename(program)
    if name in PROGRAMS:
        return PROGRAMS[name][1]
    levels = [level for level, package, _ in read() if package == name]
    return levels[0] if levels else None


def asked(program):
    """Whether this run has the program's level."""
    if ALL or level(program) != "all":
        return True
    withheld.add(program)
    return False


def which(program):
    """Like shutil.which(), but None for what only ./dev test --all uses."""
    return shutil.which(program) if asked(program) else None


def once(function):
    """A decorator: the function is called once. What it has asked for in vain
    is so for each test that wants its result."""
    @functools.lru_cache(maxsize=None)
    def called(*arguments):
        before = set(withheld)
        withheld.clear()
        result = function(*arguments)
        found = frozenset(withheld)
        withheld.update(before)
        return result, found

    @functools.wraps(function)
    def remembered(*arguments):
        result, found = called(*arguments)
        withheld.update(found)
        return result
    return remembered


@once
def has_sys_sdt():
    """Whether programs may have SystemTap's <sys/sdt.h>, and the compiler
    finds it."""
    return asked("systemtap-sdt-dev") and subprocess.run(
        ["cc", "-fsyntax-only", "-xc", "-"], text=True,
        input="#include <sys/sdt.h>\n",
        stderr=subprocess.DEVNULL).returncode == 0


def program_path(name):
    """Where the program is, or None. A module of Debian's Python counts."""
    if name.startswith("python3-"):
        done = subprocess.run(["/usr/bin/python3", "-c", "import " + name[8:]],
                              stderr=subprocess.DEVNULL)
        return None if done.returncode else name
    return shutil.which(name) or shutil.which(name, path=PLACES)


def required_by(option):
    """The variable that says that the option was given."""
    return "SDTKIT_REQUIRE_" + option.lstrip("-").upper()


def given(option):
    """Whether ./dev test has this option."""
    name = {"--all-tracers": "SDTKIT_ALL_TRACERS"}.get(option,
                                                       required_by(option))
    return os.environ.get(name) == "1"


def finder(option):
    """need(program), for a fixture of tests that only an option runs. Without
    the program the test skips; with the option it fails."""
    import pytest   # count.py, which reads this file too, has none

    def find(name):
        path = program_path(name)
        if path:
            return path
        package = PROGRAMS.get(name, (name,))[0]
        reason = "%s is not installed: it is in the package %s, which " \
            "./dev test %s installs" % (name, package, option)
        if given(option):
            pytest.fail("required by %s=1: %s" % (required_by(option), reason))
        pytest.skip(reason)
    return find
