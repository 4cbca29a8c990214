# SPDX-License-Identifier: BSD-2-Clause
"""The installed libraries: which there are for each -Ddefault_library, and who
can link them."""

import os
import re

import pytest

from build_tool import run
from programs import which

USE = """
#include <stdio.h>
#include <sdtkit/notes.h>

int main(int argc, char **argv)
{
	const struct sdtkit_site *site;
	struct sdtkit_notes *notes;

	if (argc != 2 || sdtkit_notes_open(argv[1], &notes) < 0)
		return 1;
	while (sdtkit_notes_next(notes, &site) > 0)
		printf("%s:%s\\n", site->provider, site->probe);
	sdtkit_notes_close(notes);
	return 0;
}
"""
pytestmark = pytest.mark.usefixtures("all_builds")

SHARED = ["libsdtkit-notes.so", "libsdtkit-notes.so.0",
          "libsdtkit-notes.so.0.1.0"]


def libraries(files):
    return [os.path.basename(path) for path in files
            if re.search(r"/libsdtkit[^/]*$", path)]


def flags(root, package, *options):
    """What pkg-config says of the installation."""
    folders = [str(path) for path in root.rglob("pkgconfig")]
    return run("pkg-config", "--cflags", "--libs", *options, package,
               env=dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(root),
                        PKG_CONFIG_PATH=":".join(folders))).split()


@pytest.fixture
def user(tmp_path):
    """A program that lists probes, to be compiled."""
    (tmp_path / "use.c").write_text(USE)
    return tmp_path / "use.c"


@pytest.mark.parametrize("value, expected", [
    ("both", ["libsdtkit-notes.a", *SHARED]),
    ("shared", SHARED),
    ("static", ["libsdtkit-notes.a"]),
])
def test_notes(installed, user, tmp_path, value, expected):
    """A program links what there is, and runs with it."""
    root, _, files = installed("-Dcomponents=notes", "-Ddefault_library=" + value)
    assert libraries(files) == expected
    words = flags(root, "sdtkit-notes")
    program = tmp_path / "use"
    run("cc", user, *words, "-o", program)
    needed = "libsdtkit-notes.so.0" in run("readelf", "-d", program)
    assert needed == (value != "static")
    folder = os.path.dirname(next(path for path in files
                                  if "libsdtkit-notes" in path))
    run(program, program, env=dict(os.environ,
                                   LD_LIBRARY_PATH=str(root) + folder))


def test_notes_statically(installed, user, tmp_path):
    """If both libraries are installed, -Wl,-Bstatic and pkg-config --static
    take the archive."""
    root, _, _ = installed("-Dcomponents=notes", "-Ddefault_library=both")
    words = flags(root, "sdtkit-notes", "--static")
    assert "-lelf" in words
    at = words.index("-lsdtkit-notes")
    words[at:at + 1] = ["-Wl,-Bstatic", "-lsdtkit-notes", "-Wl,-Bdynamic"]
    run("cc", user, *words, "-o", tmp_path / "use")
    assert "libsdtkit" not in run("readelf", "-d", tmp_path / "use")


def test_soname_and_symbols(installed, source):
    """What is exported is what the headers declare, and nothing else."""
    root, _, files = installed("-Dcomponents=notes", "-Ddefault_library=both")
    library = root / next(path for path in files
                          if path.endswith(".so.0.1.0"))[1:]
    assert "soname: [libsdtkit-notes.so.0]" in run("readelf", "-d", library)
    headers = [path.read_text() for path in
               (source / "include/sdtkit").glob("notes*.h")]
    declared = re.findall(r"^SDTKIT_NOTES_PUBLIC\n[^;]*?\b(sdtkit_\w+)\(",
                          "".join(headers), re.M)
    exported = [line.split()[-1] for line in run(
        "nm", "-D", "--defined-only", library).splitlines() if " T " in line]
    assert declared and sorted(exported) == sorted(
        name + "@@SDTKIT_NOTES_0.1" for name in declared)


@pytest.mark.parametrize("value", ["both", "shared", "static"])
def test_others_are_static(installed, value):
    """docs/packaging.md has the reasons."""
    _, _, files = installed("-Dcomponents=arg,tap", "-Ddefault_library=" + value)
    assert libraries(files) == ["libsdtkit-tap.a", "libsdtkit.a"]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_archives_of_a_build_with_lto(installed, user, tmp_path, compiler):
    """Whole archives, by a compiler that knows nothing of gcc's LTO."""
    if not which(compiler):
        pytest.skip(compiler + " is missing")
    root, _, files = installed("-Dcomponents=arg,notes,tap", "-Db_lto=true",
                            "-Ddefault_library=static")
    archives = [str(root) + path for path in files if path.endswith(".a")]
    assert len(archives) == 3
    for archive in archives:
        run(compiler, "-fno-lto", "-fuse-ld=bfd", user, "-I",
            root / "usr/include", "-Wl,--whole-archive", archive,
            "-Wl,--no-whole-archive", *flags(root, "sdtkit-notes"),
            "-Wl,--allow-multiple-definition", "-o", tmp_path / "use")
        assert "gnu.lto" not in run("readelf", "-SW", archive)
