# SPDX-License-Identifier: BSD-2-Clause
"""What upstream projects need of CMake and meson: a build that goes without
sdtkit, as examples/build/optional has it, and OBJECT libraries."""

import os
import shutil
import subprocess
import sys

import pytest

from programs import which


def run(*command, **options):
    result = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=600, **options)
    assert result.returncode == 0, result.stdout
    return result.stdout


def optional(folder, source):
    """Makes the project, with the headers that it commits."""
    shutil.copytree(source / "examples/build/program", folder,
                    dirs_exist_ok=True)
    shutil.copytree(source / "examples/build/optional", folder,
                    dirs_exist_ok=True)
    (folder / "probes/noop").mkdir()
    for name in "server_probes", "store_probes":
        run(sys.executable, source / "probegen", "--emit", "noop",
            folder / ("probes/%s.d" % name), "-o",
            folder / ("probes/noop/%s.h" % name))


def check(program, source, has_probes):
    assert run(program, "a") == "a\n"
    notes = run("readelf", "-nW", program)
    assert ("Provider: server" in notes) == has_probes


@pytest.mark.parametrize("has_sdtkit", [True, False])
def test_cmake_without_sdtkit(has_sdtkit, source, tmp_path, unavailable):
    if not which("cmake"):
        unavailable("cmake is not installed")
    optional(tmp_path, source)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "out", "-Dsdtkit_DIR=" + (
        str(source / "lib/build/cmake") if has_sdtkit else "nowhere"))
    run("cmake", "--build", tmp_path / "out")
    check(tmp_path / "out/server", source, has_sdtkit)


def test_meson_without_sdtkit(source, tmp_path):
    """With sdtkit it is the example of meson, which test_examples.py builds."""
    optional(tmp_path, source)
    run("meson", "setup", tmp_path, tmp_path / "out", env=dict(
        os.environ, PKG_CONFIG_LIBDIR=str(tmp_path / "none"),
        CMAKE_PREFIX_PATH=str(tmp_path / "none")))
    run("ninja", "-C", tmp_path / "out")
    check(tmp_path / "out/server", source, False)


PEER = """
#include <sys/socket.h>
#include "peer_probes.h"
int use(void);
int use(void)
{
	struct sockaddr_storage peer = { .ss_family = AF_UNIX };

	PEER_CAME(&peer);
	return 0;
}
"""
PEER_CMAKE = """
cmake_minimum_required(VERSION 3.15)
project(peer C)
find_package(sdtkit REQUIRED)
add_library(part OBJECT part.c)
sdtkit_add_provider(part peer_probes.d)
set_property(TARGET part PROPERTY POSITION_INDEPENDENT_CODE ON)
add_library(whole SHARED $<TARGET_OBJECTS:part>)
target_link_options(whole PRIVATE -Wl,-z,defs)
add_library(linked SHARED whole.c)
target_link_libraries(linked PRIVATE part)
target_link_options(linked PRIVATE -Wl,-z,defs)
"""


def test_object_library_marshals(source, build, tmp_path, unavailable):
    """The objects link with nothing beside them, though there is a library."""
    if not which("cmake"):
        unavailable("cmake is not installed")
    library = build.resolve() / "lib/arg/libsdtkit.a"
    assert library.exists()
    (tmp_path / "peer_probes.d").write_text(
        "provider peer { probe came(sdtkit_sockaddr_t peer); };\n")
    (tmp_path / "part.c").write_text(PEER)
    (tmp_path / "whole.c").write_text("extern int nothing;\n")
    (tmp_path / "CMakeLists.txt").write_text(PEER_CMAKE)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "out", "-Dsdtkit_DIR=%s" % (
        source / "lib/build/cmake"), "-DSDTKIT_ARG_LIBRARY=%s" % library)
    run("cmake", "--build", tmp_path / "out")
    for name in "whole", "linked":
        notes = run("readelf", "-nW", tmp_path / ("out/lib%s.so" % name))
        assert "Name: came" in notes
