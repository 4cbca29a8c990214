# SPDX-License-Identifier: BSD-2-Clause
"""The blocks of docs/building.md build examples/hello.

A block begins with "# FILE: sdtkit is FORM"; FILE is the file that it is, or
that it goes into. Here its project is built out of tree, then in the ways that
the page promises.
"""

import os
import re
import shutil
import subprocess

import pytest

BLOCK = re.compile(r"^```\w+\n(# (\S+): sdtkit is ([\w ]+)\n.*?)^```",
                   re.M | re.S)
# What a project has around its block.
AROUND = {
    "configure.ac": ("AC_INIT([hello], [1])\n%sAC_PROG_CC\n",
                     "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n"),
    "CMakeLists.txt": ("cmake_minimum_required(VERSION 3.15)\n"
                       "project(hello C)\n", ""),
    "meson.build": ("project('hello', 'c')\n", ""),
}
AUTOMAKE = "AM_INIT_AUTOMAKE([foreign])\n"
MESON_OPTION = "option('probes', type: 'boolean', value: true)\n"
MAKE = ["make", "-j4", "--no-print-directory"]
PLAIN = [*MAKE, "-f", "../Makefile", "srcdir=.."]
NINJA = ["ninja"]

# build: its files, how it is prepared, without probes too, how it builds, and
# what has to be installed
BUILDS = {
    "make": (["Makefile"], [], ["PROBES=no"], PLAIN, ["make"]),
    "autoconf": (["configure.ac", "Makefile.in"],
                 ["../configure", "--cache-file=cache"], ["--disable-probes"],
                 MAKE, ["autoconf", "aclocal"]),
    "automake": (["configure.ac", "Makefile.am"],
                 ["../configure", "--cache-file=cache"], ["--disable-probes"],
                 MAKE, ["autoconf", "automake"]),
    "cmake": (["CMakeLists.txt"], ["cmake", ".."], ["-DPROBES=OFF"], MAKE,
              ["cmake", "make"]),
    "cmake-ninja": (["CMakeLists.txt"], ["cmake", "-GNinja", ".."],
                    ["-DPROBES=OFF"], NINJA, ["cmake"]),
    "meson": (["meson.build"], ["meson", "setup", "..", "."],
              ["--reconfigure", "-Dprobes=false"], NINJA, []),
}
# each block once, and each generator
CASES = ["make-installed", "make-copied", "autoconf-installed",
         "automake-copied", "cmake-installed", "cmake-ninja-copied",
         "meson-installed", "meson-copied"]


def test_every_block_is_built(source):
    built = set()
    for case in CASES:
        build, form = case.rsplit("-", 1)
        built |= {(name, form) for name in BUILDS[build][0]}
    there = set(blocks(source))
    # these two are the same for both forms, and tried with one of them
    assert there - built == {("Makefile.in", "copied"),
                             ("Makefile.am", "installed")}
    assert built <= there


def blocks(source):
    """(file, form): the text of the block."""
    found = {}
    for text, name, forms in BLOCK.findall(
            (source / "docs" / "building.md").read_text()):
        for form in forms.split(" or "):
            found[name, form] = text
    return found


def run(*command, **options):
    """What a command says; where it fails, the test fails with that."""
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Project:
    """hello, in a project with the blocks of one build."""

    def __init__(self, build, form, source, folder):
        self.files, self.prepare, self.without, self.build, _ = BUILDS[build]
        self.folder, self.out = folder, folder / "out"
        self.env = dict(os.environ, MAKEFLAGS="", CFLAGS="-O0")
        (folder / "probes").mkdir()
        self.out.mkdir()
        hello = source / "examples" / "hello"
        shutil.copy(hello / "hello.c", folder)
        # an argument that needs libsdtkit, which no span can add up
        text = (hello / "hello_probes.d").read_text()
        used = " \\\n\terror=written<0 sum=written"
        assert "int written" in text and used in text
        self.description = folder / "probes" / "hello_probes.d"
        self.description.write_text(
            text.replace("int written", "sdtkit_errno_t written").replace(
                used, ""))
        texts = blocks(source)
        for name in self.files:
            before, after = AROUND.get(name, ("", ""))
            if "%s" in before:
                before %= AUTOMAKE if build == "automake" else ""
            (folder / name).write_text(before + texts[name, form] + after)
        if build == "meson":
            (folder / "meson_options.txt").write_text(MESON_OPTION)

    def copy(self, source):
        """What the page says that a copy needs; the module to touch."""
        for name in "include", "probegen":
            shutil.copytree(source / name, self.folder / "sdtkit" / name,
                            ignore=shutil.ignore_patterns("__pycache__"))
        return self.folder / "sdtkit" / "probegen" / "emit" / "header.py"

    def install(self, environment):
        """Uses an installation; the file to touch."""
        self.env.update(environment)
        assert len(environment["PKG_CONFIG_PATH"].split(":")) == 2
        return shutil.which("probegen", path=environment["PATH"])

    def configure(self, *options):
        if self.prepare:
            run(*self.prepare, *options, cwd=self.out, env=self.env)

    def make(self, *options):
        return run(*self.build, *options, cwd=self.out, env=self.env)

    def made(self, *options):
        """Whether a build runs probegen."""
        verbose = "-v" if self.build == NINJA else "VERBOSE=1"
        return "hello_probes.d" in self.make(verbose, *options)

    def probes(self):
        return run("readelf", "-n", self.out / "hello").count(
            "Provider: hello")


@pytest.fixture
def project(request, source, tmp_path, unavailable):
    build, form = request.param.rsplit("-", 1)
    for command in BUILDS[build][-1]:
        if not shutil.which(command):
            unavailable(command + " is missing")
    made = Project(build, form, source, tmp_path)
    if form == "copied":
        made.generator = made.copy(source)
    else:
        made.generator = made.install(request.getfixturevalue("installed"))
    if "configure.ac" in made.files:
        run("aclocal", cwd=tmp_path)
        run("autoconf", cwd=tmp_path)
    if "Makefile.am" in made.files:
        run("automake", "--add-missing", cwd=tmp_path)
    made.configure()
    return made


@pytest.mark.parametrize("project", CASES, indirect=True)
def test_build(project):
    assert project.made()
    assert project.probes() == 2
    assert not project.made()
    touched_makes_once(project, project.description)
    touched_makes_once(project, project.generator)
    without_probes(project)
    cleaned(project)


def touched_makes_once(project, path):
    os.utime(path)
    assert project.made(), path
    assert not project.made(), path


def without_probes(project):
    project.make("clean")
    project.configure(*project.without)
    project.make(*[] if project.prepare else project.without)
    assert project.probes() == 0


def cleaned(project):
    project.make("clean")
    left = {path.name for path in project.out.rglob("hello*")
            if path.is_file()}
    assert not left & {"hello", "hello.o", "hello_probes.h"}
    assert project.description.exists()
