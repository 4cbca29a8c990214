# SPDX-License-Identifier: BSD-2-Clause
"""Programs that use libsdtkit-tap as others would: the examples and those in
docs/tap.md, by several compilers, linked in several ways; and programs that
have lost their notes."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from opt_in import rarely
from programs import which

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
            "-Werror"]
COMPILERS = {
    "gcc": ["gcc", "-std=c99"],
    "clang": ["clang", "-std=c99"],
    "g++": ["g++", "-std=c++11", "-Wold-style-cast", "-xc++"],
    "clang++": ["clang++", "-std=c++11", "-xc++"],
}
WAYS = {
    "static": ["-static"],
    "static PIE": ["-fPIE", "-static-pie"],
    "no PIE": ["-fno-pie", "-no-pie"],
    "LTO": ["-O2", "-flto"],
    "gc": ["-O2", "-ffunction-sections", "-Wl,--gc-sections"],
    "lld": ["-fuse-ld=lld"],
    "mold": ["-fuse-ld=mold"],
    "ASan": ["-fsanitize=address,undefined"],
    "TSan": ["-fsanitize=thread"],
    "CET": ["-fcf-protection=full"],
}
PRINTED = 'shop:order(id=9, item="tea", price=2.5)\n'


def run(*command, **options):
    return subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)


def must(*command, **options):
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


def generate(source, description, folder):
    must(sys.executable, source / "probegen", description, "-o",
         folder / (description.stem + ".h"))


@pytest.fixture(scope="module")
def flags(build):
    """What pkg-config says of the library, in the build directory."""
    said = must("pkg-config", "--cflags", "--libs", "--static",
                "sdtkit-tap-uninstalled",
                env=dict(os.environ,
                         PKG_CONFIG_PATH=str(build / "meson-uninstalled")))
    return shlex.split(said)


@pytest.fixture(scope="module")
def shop(source, flags, tmp_path_factory):
    """A function that compiles the plain example and returns its path."""
    folder = tmp_path_factory.mktemp("shop")
    generate(source, source / "examples/tap/shop_probes.d", folder)
    files = [source / "examples/tap" / name for name in ("plain.c", "shop.c")]

    def make(name, command, more=()):
        must(*command, *more, *WARNINGS, "-I", folder, *files, "-xnone",
             *flags, "-o", folder / name)
        return folder / name
    return make


@pytest.mark.parametrize("compiler", COMPILERS)
def test_plain_example(compiler, shop):
    assert must(shop(compiler, COMPILERS[compiler])) == PRINTED


@pytest.mark.parametrize("way", rarely(WAYS, [
    "static PIE", "no PIE", "LTO", "lld", "mold", "ASan"]))
def test_linked(way, shop):
    assert must(shop(way, ["gcc"], WAYS[way])) == PRINTED


def test_cmocka_example(source, flags, tmp_path):
    generate(source, source / "examples/tap/shop_probes.d", tmp_path)
    must("gcc", "-std=c99", *WARNINGS, "-I", tmp_path,
         source / "examples/tap/with_cmocka.c",
         source / "examples/tap/shop.c", "-lcmocka", *flags, "-o",
         tmp_path / "cmocka")
    assert "[  PASSED  ] 2 test(s)." in must(tmp_path / "cmocka")


def test_program_of_the_docs(source, flags, tmp_path):
    """What it prints is what the page says."""
    texts = re.findall(r"^```\w*\n(.*?)^```",
                       (source / "docs/tap.md").read_text(), re.M | re.S)
    description, program, session = texts[:3]
    (tmp_path / "shop_probes.d").write_text(description)
    (tmp_path / "test.c").write_text(program)
    generate(source, tmp_path / "shop_probes.d", tmp_path)
    must("gcc", *WARNINGS, "-I.", "test.c", *flags, "-o", "test",
         cwd=tmp_path)
    assert run(tmp_path / "test").stdout == session.split("\n", 1)[1]


def test_stripped(shop):
    path = shop("stripped", ["gcc"])
    must("strip", path)
    assert must(path) == PRINTED


@pytest.mark.parametrize("command, said", [
    (["objcopy", "-R", ".note.stapsdt"], "there is no probe at all"),
    (["llvm-strip", "--strip-sections"], "its section headers, and with them "
                                         "the notes, were stripped"),
], ids=["notes", "sections"])
def test_without_notes(command, said, shop, unavailable):
    if not which(command[0]):
        unavailable(command[0] + " is not installed")
    path = shop(command[-1], ["gcc"])
    must(*command, path)
    done = run(path)
    assert done.returncode == 1
    assert 'no probe matches "shop:*"' in done.stdout
    assert said in done.stdout


def test_without_descriptions(shop):
    """Names and types are gone, and an expectation by name says so."""
    path = shop("bare", ["gcc"], ["-DSDTKIT_NO_DESCRIBE"])
    done = run(path)
    assert done.returncode == 1
    assert ("shop:refused has no argument id; it has 2: (no name), (no name)"
            in done.stdout)


def test_disabled(shop):
    done = run(shop("disabled", ["gcc"], ["-DSDTKIT_DISABLE"]))
    assert done.returncode == 1
    assert "were they compiled with SDTKIT_DISABLE" in done.stdout


def test_valgrind(shop, unavailable):
    if not which("valgrind"):
        unavailable("valgrind is not installed")
    done = run("valgrind", "-q", "--smc-check=all", "--error-exitcode=9",
               "--leak-check=full", shop("valgrind", ["gcc"], ["-g"]))
    assert (done.returncode, done.stdout) == (0, PRINTED)


def test_needs_no_other_library(flags):
    assert [flag for flag in flags if flag.startswith("-l")] == [
        "-lsdtkit-tap"]


def test_only_its_own_names(build):
    """What a test's program gets with it begins with sdtkit_."""
    names = must("nm", "-g", "--defined-only", "-A",
                 build / "lib/tap/libsdtkit-tap.a").split("\n")
    names = [name.split()[-1] for name in names if " " in name]
    assert "sdtkit_tap_open" in names
    assert [name for name in names if not name.startswith("sdtkit_")] == []
