# SPDX-License-Identifier: BSD-2-Clause
"""examples/hello builds the ways that README.md names."""

import os
import shutil
import subprocess

import pytest


@pytest.fixture
def hello(source, tmp_path):
    """A copy of the example, as a project of its own."""
    return shutil.copytree(
        source / "examples" / "hello", tmp_path / "hello",
        ignore=shutil.ignore_patterns("hello", "hello.h"))


@pytest.fixture(scope="module")
def installed(source, tmp_path_factory):
    """An environment in which sdtkit is installed below a prefix."""
    root = tmp_path_factory.mktemp("installed")
    subprocess.run(["meson", "setup", root / "build", source, "-Dprefix=%s" %
                    (root / "usr"), "-Dtests=false", "-Ddemo=disabled",
                    "-Dtsmbd=disabled", "-Doptimization=0"],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", root / "build", "install"], check=True,
                   stdout=subprocess.DEVNULL)
    pkgconfig = subprocess.run(["find", root / "usr", "-name", "pkgconfig"],
                               stdout=subprocess.PIPE, text=True).stdout
    return dict(os.environ, PATH="%s:%s" % (root / "usr/bin",
                                            os.environ["PATH"]),
                PKG_CONFIG_PATH=":".join(pkgconfig.split()))


def check(program):
    """It runs, and its one probe is in it."""
    text = subprocess.run(["readelf", "-nW", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    assert text.count("Provider: hello") == 1
    run = subprocess.run(["timeout", "0.5", program, "world"], text=True,
                         stdout=subprocess.PIPE)
    assert run.stdout == "hello world\n"


def test_it_is_as_short_as_promised(source):
    folder = source / "examples" / "hello"
    lines = {path.name: len(path.read_text().splitlines())
             for path in folder.iterdir() if path.is_file()}
    assert lines["hello.c"] <= 22 and lines["Makefile"] <= 5
    assert lines["meson.build"] <= 5


@pytest.mark.parametrize("settings", [[], ["CC=clang"], ["CFLAGS=-O2"]],
                         ids=" ".join)
def test_make(hello, source, settings):
    subprocess.run(["make", "-s", "-C", hello, "SDTKIT=%s" % source,
                    *settings], check=True)
    check(hello / "hello")


def test_meson_with_sdtkit_installed(hello, installed, tmp_path):
    subprocess.run(["meson", "setup", tmp_path / "build", hello], check=True,
                   env=installed, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", tmp_path / "build"], check=True,
                   env=installed, stdout=subprocess.DEVNULL)
    check(tmp_path / "build" / "hello")


WRAP = """[wrap-file]
directory = sdtkit
[provide]
program_names = probegen, sdtkit
dependency_names = sdtkit, sdtkit-arg, sdtkit-notes, sdtkit-tap
"""


def test_meson_with_sdtkit_as_subproject(hello, source, tmp_path):
    """What the meson.build says is the same; and `sdtkit check` can be a
    test of the project, as in docs/check.md."""
    (hello / "subprojects").mkdir()
    (hello / "subprojects" / "sdtkit.wrap").write_text(WRAP)
    with open(hello / "meson.build", "a") as file:
        file.write("find_program('sdtkit')\n")
    shutil.copytree(source, hello / "subprojects" / "sdtkit",
                    ignore=shutil.ignore_patterns(".git", "build", "tests"))
    subprocess.run(["meson", "setup", tmp_path / "build", hello], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", tmp_path / "build", "hello"], check=True,
                   stdout=subprocess.DEVNULL)
    check(tmp_path / "build" / "hello")


def test_installed_commands(hello, installed):
    """By pkg-config, the installed probegen and a compiler; and the list."""
    script = ("probegen hello.d -o hello.h && "
              "cc $(pkg-config --cflags sdtkit) -I. hello.c -o hello && "
              "sdtkit list hello")
    run = subprocess.run(["sh", "-euc", script],
                         cwd=hello, env=installed, check=True, text=True,
                         stdout=subprocess.PIPE)
    assert "hello:greet" in run.stdout
    check(hello / "hello")
