# SPDX-License-Identifier: BSD-2-Clause
"""examples/hello builds the ways that README.md names."""

import os
import shutil
import subprocess
import sys

import pytest

from opt_in import usual

@pytest.fixture
def hello(source, tmp_path):
    """A copy of the example, as a project of its own."""
    return shutil.copytree(
        source / "examples" / "hello", tmp_path / "hello",
        ignore=shutil.ignore_patterns("hello", "hello_probes.h"))


def check(program):
    """It runs, and its two probes are in it."""
    text = subprocess.run(["readelf", "-nW", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    assert text.count("Provider: hello") == 2
    with subprocess.Popen([program, "world"], text=True,
                          stdout=subprocess.PIPE) as run:
        said = run.stdout.readline()
        run.kill()      # it would say so each second
    assert said == "hello world\n"


def test_it_is_as_short_as_promised(source):
    folder = source / "examples" / "hello"
    lines = {path.name: len(path.read_text().splitlines())
             for path in folder.iterdir() if path.is_file()}
    assert lines["hello.c"] <= 22 and lines["Makefile"] <= 6
    assert lines["meson.build"] <= 5


@pytest.mark.parametrize("settings", usual(
    [[], ["CC=clang"], ["CFLAGS=-O2"]], []), ids=" ".join)
def test_make(hello, source, settings):
    subprocess.run(["make", "-s", "-C", hello, "SDTKIT=%s" % source,
                    *settings], check=True)
    check(hello / "hello")


def test_make_with_sdtkit_installed(hello, installed):
    """As an installed copy of the example is: no tree of sdtkit around it."""
    subprocess.run(["make", "-s", "-C", hello], check=True, env=installed)
    check(hello / "hello")


def test_make_is_done_once(hello, source):
    """A description that was touched and says the same is read once more, and
    then make has nothing to do."""
    make = ["make", "-s", "-C", hello, "SDTKIT=%s" % source]
    subprocess.run(make, check=True)
    written = (hello / "hello_probes.h").stat().st_mtime
    os.utime(hello / "hello_probes.h", (written - 60, written - 60))
    os.utime(hello / "hello_probes.d", (written - 30, written - 30))
    subprocess.run(make, check=True)
    subprocess.run([*make, "-q", "hello"], check=True)


@pytest.mark.parametrize("compiler, flag", usual(
    [(compiler, flag) for compiler in ("gcc", "clang")
     for flag in ("-MMD", "-MD")], ("gcc", "-MMD"), ("clang", "-MD")))
def test_dependencies_of_a_compiler(hello, source, compiler, flag):
    """They go to hello.d, and the description has another name. A description
    that they have overwritten is refused with the reason."""
    before = (hello / "hello_probes.d").read_text()
    for _ in range(2):
        subprocess.run(["make", "-s", "-C", hello, "SDTKIT=%s" % source,
                        "CC=" + compiler, "CFLAGS=" + flag], check=True)
        assert (hello / "hello_probes.d").read_text() == before
        check(hello / "hello")
        (hello / "hello.o").unlink()
    result = subprocess.run(
        [sys.executable, source / "probegen", "hello.d"], cwd=hello,
        stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith("hello.d:1:1: error DEPENDENCY_RULE: ")
    assert result.stderr.endswith(" hello_probes.d\n")


def test_meson_with_sdtkit_installed(hello, installed, tmp_path):
    subprocess.run(["meson", "setup", tmp_path / "build", hello], check=True,
                   env=installed, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", tmp_path / "build"], check=True,
                   env=installed, stdout=subprocess.DEVNULL)
    check(tmp_path / "build" / "hello")


def test_installed_commands(hello, installed):
    """By pkg-config, the installed probegen and a compiler; and the list."""
    script = ("probegen hello_probes.d && "
              "cc $(pkg-config --cflags sdtkit) -I. hello.c -o hello && "
              "sdtkit list -l hello")
    run = subprocess.run(["sh", "-euc", script],
                         cwd=hello, env=installed, check=True, text=True,
                         stdout=subprocess.PIPE)
    assert "hello:greet\n" in run.stdout
    assert "\nSPAN\nhello:greeting\n    One greeting\n" in run.stdout
    check(hello / "hello")
