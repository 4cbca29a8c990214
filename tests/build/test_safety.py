# SPDX-License-Identifier: BSD-2-Clause
"""No description is overwritten by the dependencies that gcc -MMD writes, and
what happens where sdtkit is missing."""

import os
import shutil
import subprocess

import pytest

from project_tool import Project, run



@pytest.fixture
def copied(source, tmp_path, prefix):
    """copied(build): a project with a copy of sdtkit."""
    return lambda build: Project(build, "copied", source, tmp_path, prefix)


def test_make_with_dependencies(copied):
    """In the tree, with objects beside their sources."""
    project = copied("make")
    project.out = project.folder
    with open(project.folder / "Makefile", "a") as file:
        file.write("CPPFLAGS += -MMD\n-include $(wildcard *.d)\n")
    project.build = ["make", "-j32", "MAKEFLAGS="]
    project.make()
    project.make()
    assert (project.folder / "server.d").read_text().startswith("server.o:")
    for path in (project.folder / "probes").glob("*.d"):
        assert "provider" in path.read_text()


def test_make_stops_before(copied):
    """A description beside the source of the object which depends on it."""
    project = copied("make")
    shutil.copy(project.folder / "probes" / "server_probes.d", project.folder)
    (project.folder / "server_probes.c").write_text("int unused;\n")
    before = (project.folder / "server_probes.d").read_text()
    done = subprocess.run(
        ["make", "CFLAGS=-MMD", "server_probes.h", "server_probes.o"],
        cwd=project.folder, env=project.env, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode != 0
    assert "'gcc -MD' overwrites this file" in done.stdout
    assert (project.folder / "server_probes.d").read_text() == before
    run("make", "CFLAGS=-MMD -MF server.dep", "server_probes.h",
        "server_probes.o", cwd=project.folder, env=project.env)
    assert (project.folder / "server_probes.d").read_text() == before


def test_make_without_sdtkit(source, tmp_path):
    """It says what is missing, before it calls anything."""
    shutil.copy(str(source / "lib/build/sdtkit.mk"), str(tmp_path))
    (tmp_path / "shop_probes.d").write_text(
        "provider shop { probe sold(); };\n")
    done = subprocess.run(
        ["make", "-f", "sdtkit.mk", "PKG_CONFIG=false", "shop_probes.h"],
        cwd=str(tmp_path), capture_output=True, text=True)
    assert done.returncode == 2 and "always" not in done.stdout + done.stderr
    assert "shop_probes.h: probegen is not found: install" in done.stderr


@pytest.mark.parametrize("build", ["cmake", "cmake-ninja"])
def test_cmake_in_the_tree(build, copied):
    """server.d beside server.c, built where the sources are; two targets with
    one description, one of which has plain target_link_libraries()."""
    project = copied(build)
    project.out = project.folder
    path = project.folder / "probes" / "server_probes.d"
    text = path.read_text()
    path.rename(project.folder / "server.d")
    lists = project.folder / "CMakeLists.txt"
    lists.write_text(lists.read_text().replace(
        "probes/server_probes.d", "server.d") + """
add_executable(other server.c)
add_library(store STATIC store.c)
target_link_libraries(other store)
sdtkit_add_provider(other server.d)
sdtkit_add_provider(store probes/store_probes.d)
""")
    project.config = [word.replace("..", ".") for word in project.config]
    project.configure()
    project.make()
    assert (project.folder / "server.d").read_text() == text
    for name in "server", "other":
        assert run("readelf", "-n", project.folder / name).count(
            "Provider: ") == 3
    assert "is overwritten" not in project.make()


def test_cmake_says_what_is_wrong(copied):
    project = copied("cmake")
    lists = project.folder / "CMakeLists.txt"
    text = lists.read_text()
    for line, says in (
            ("sdtkit_add_provider(nobody a.d)", "'nobody' is not a target"),
            ("sdtkit_add_provider(server a.d b.d)", "unknown arguments 'b.d'"),
            ("find_package(sdtkit 99 REQUIRED)", "99")):
        lists.write_text(text.replace(
            "find_package(sdtkit REQUIRED", line.replace(")", "")
            if "find" in line else "find_package(sdtkit REQUIRED")
            + ("" if "find" in line else line + "\n"))
        done = subprocess.run(
            ["cmake", "-S", project.folder, "-B", project.folder / "wrong"],
            env=project.env, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        assert done.returncode != 0
        assert says in " ".join(done.stdout.split())


@pytest.fixture
def alone(copied):
    """A configured-to-be project with autoconf that has lost its sdtkit."""
    project = copied("autoconf")
    for command in project.prepare:
        run(*command, cwd=project.folder, env=project.env)
    project.prepare = []
    for name in "server", "store":
        run(project.generator / "__main__.py", "--emit", "noop",
            project.folder / "probes" / (name + "_probes.d"), "-o",
            project.folder / "probes" / (name + "_probes.noop.h"),
            env=project.env)
    shutil.rmtree(project.folder / "sdtkit")
    return project


@pytest.mark.parametrize("option", [[], ["--enable-probes=auto"],
                                    ["--disable-probes"]])
def test_autoconf_without_sdtkit(option, alone):
    """Headers that were committed compile the program without probes."""
    alone.configure(*option)
    alone.make()
    assert alone.probes() == []
    assert run(alone.program(), "a") == "a\n"
    alone.cleaned()
    (alone.folder / "probes" / "store_probes.noop.h").unlink()
    done = subprocess.run(alone.build, cwd=alone.out, env=alone.env,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode != 0
    assert "store_probes.noop.h: install sdtkit" in done.stdout


@pytest.mark.parametrize("option, says", [
    ("--enable-probes", "sdtkit or python3 is missing"),
    ("--enable-probes=maybe", "use auto, yes or no")])
def test_autoconf_refuses(option, says, alone):
    done = subprocess.run([*alone.config, option], cwd=alone.out,
                          env=alone.env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    assert done.returncode != 0 and says in done.stdout


@pytest.fixture
def headers_only(prefix, tmp_path):
    """An installation without probegen, as a package of headers has it."""
    root = tmp_path / "headers only"
    shutil.copytree(prefix, root, ignore=shutil.ignore_patterns(
        "bin", "probegen", "providers", "doc", "man"))
    return root


@pytest.mark.parametrize("build", ["cmake", "autoconf"])
def test_without_probegen(build, source, tmp_path, prefix, headers_only):
    """Headers that were committed need no generator, and so no Python."""
    project = Project(build, "installed", source, tmp_path, prefix)
    project.env.update(CMAKE_PREFIX_PATH=str(headers_only), PATH="/bin")
    for path in headers_only.rglob("*.pc"):
        path.write_text(path.read_text().replace(
            "prefix=%s" % prefix, "prefix=%s" % headers_only))
    project.env["PKG_CONFIG_PATH"] = ":".join(
        str(path) for path in headers_only.rglob("pkgconfig"))
    for name in "server", "store":
        run(prefix / "bin" / "probegen", "--emit", "standalone",
            project.folder / "probes" / (name + "_probes.d"), "-o",
            project.folder / "probes" / (name + (
                "_probes.h" if build == "cmake" else "_probes.noop.h")))
    if build == "cmake":
        lists = project.folder / "CMakeLists.txt"
        text = lists.read_text()
        done = subprocess.run(project.config, cwd=project.out, text=True,
                              env=project.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        assert done.returncode != 0
        assert "probegen or python3 is missing" in done.stdout
        lists.write_text(text.split("sdtkit_add_provider")[0] + (
            "target_include_directories(server PRIVATE probes)\n"
            "target_link_libraries(server sdtkit::arg)\n"))
    project.configure()
    project.make()
    assert project.probes() == ([] if build == "autoconf" else [
        "request_end", "request_start", "written"])


@pytest.mark.thorough
def test_a_distribution(source, tmp_path, prefix):
    """make distcheck: a read-only source tree, and nothing left behind."""
    project = Project("automake", "installed", source, tmp_path, prefix)
    project.configure()
    project.make("distcheck")


def test_the_wrap_is_that_of_the_readme(source):
    text = (source / "examples/build/meson/subprojects/sdtkit.wrap")
    readme = (source / "README.md").read_text().replace("\n  ", "\n")
    assert text.read_text() in readme
    assert os.path.isfile(source / "examples" / "build" / "README.md")


def test_the_same_for_all_architectures(prefix):
    """No file of a build names the directory of one machine's libraries, so
    packages of two machines can be installed together."""
    share = prefix / "share"
    names = [*(share / "cmake").rglob("*.cmake"), share / "sdtkit/sdtkit.mk",
             share / "aclocal/sdtkit.m4", share / "pkgconfig/sdtkit.pc"]
    assert len(names) == 6
    folder = next(prefix.rglob("libsdtkit.a")).parent
    for path in names:
        assert str(folder) not in path.read_text()
        assert (folder.name in ("lib", "lib64") or
                folder.name not in path.read_text())
