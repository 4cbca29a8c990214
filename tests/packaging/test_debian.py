# SPDX-License-Identifier: BSD-2-Clause
"""examples/packaging/debian: packages that Debian's checker has nothing to say
about, that work where they are installed, and that leave nothing behind."""

import pathlib
import re
import subprocess

import pytest

from source_tree import run

ALL = {"libsdtkit-dev", "libsdtkit-notes0", "libsdtkit-recorder0", "sdtkit",
       "sdtkit-doc", "sdtkit-serve", "tsmbd"}


def field(package, name):
    return run("dpkg-deb", "-f", package, name).strip()


def contents(package):
    """Its files, without directories."""
    lines = run("dpkg-deb", "-c", package).splitlines()
    return {line.split(None, 5)[5].split(" -> ")[0][1:] for line in lines
            if not line.startswith("d")}


def test_version(source):
    """The changelog has the version that the code has."""
    said = run("dpkg-parsechangelog", "-S", "Version", "-l",
               source / "examples/packaging/debian/changelog")
    header = (source / "include/sdtkit/probe.h").read_text()
    version = re.search('SDTKIT_VERSION "(.*)"', header)[1]
    assert re.split("[-~+]", said.strip())[0] == version
    spec = (source / "examples/packaging/rpm/sdtkit.spec").read_text()
    assert re.search(r"^Version: +(.*)$", spec, re.M)[1] == version


def test_licence(source):
    """The copyright file has the text of LICENSE."""
    said = (source / "examples/packaging/debian/copyright").read_text()
    text = re.sub(r"^ \.$", "", said[said.rindex("License:"):], flags=re.M)
    given = (source / "LICENSE").read_text()
    assert text.split()[2:] == given[given.index("Redistribution"):].split()


def test_all_packages_are_made(packages):
    assert set(packages) == ALL


def test_lintian(need, debian):
    """No tag of E, W or I."""
    done = subprocess.run(
        [need("lintian"), "--allow-root", "--display-info",
         "--tag-display-limit", "0", *debian.glob("*.changes")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert [line for line in done.stdout.splitlines()
            if not line.startswith("N:")] == []


def test_no_interpreter_for_programs_with_probes(packages):
    for name in ALL - {"sdtkit"}:
        assert "python" not in field(packages[name], "Depends"), name
    assert "python3" in field(packages["sdtkit"], "Depends")


def test_no_file_is_in_two_packages(packages):
    files = [contents(package) for package in packages.values()]
    assert sum(map(len, files)) == len(set().union(*files))


@pytest.fixture(scope="module")
def other_machine(source, tmp_path_factory):
    """What an installation for another machine has in common directories."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "cross").write_text("""
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
""")
    run("meson", "setup", folder / "out", source, "--cross-file",
        folder / "cross", "--prefix=/usr", "--libdir=lib/aarch64-linux-gnu",
        "--buildtype=plain", "-Dtests=disabled", "-Dcomponents=headers,arg,tap")
    run("meson", "install", "-C", folder / "out", "--destdir",
        folder / "root")
    return folder / "root"


def test_multi_arch(packages, other_machine, tmp_path):
    """Packages of two machines lie side by side: what is not in a directory of
    the machine is the same on all. What is installed with libelf only (notes.h
    and recorder.h) comes from the tree as it is."""
    same = {name for name in packages
            if field(packages[name], "Multi-Arch") == "same"}
    assert same == {name for name in ALL if name.startswith("lib")}
    compared = 0
    for name in same:
        run("dpkg-deb", "-x", packages[name], tmp_path / name)
        for path in contents(packages[name]):
            if "/x86_64-linux-gnu/" in path or path.startswith(
                    "/usr/share/doc/%s/" % name):
                continue
            other = other_machine / path[1:]
            if re.search("/(notes.*|recorder)[.]h$", path):
                continue
            assert other.read_bytes() == (tmp_path / name /
                                          path[1:]).read_bytes(), path
            compared += 1
    assert compared > 20


def test_hardening(packages, tmp_path):
    """As Debian's checker sees it is in test_lintian; here, that all of it was
    compiled so."""
    for name, path in ("sdtkit", "usr/bin/sdtkit"), ("tsmbd", "usr/bin/tsmbd"):
        run("dpkg-deb", "-x", packages[name], tmp_path / name)
        said = run("readelf", "-Wdl", tmp_path / name / path)
        assert "BIND_NOW" in said and "GNU_RELRO" in said and "PIE" in said
        symbols = run("nm", "-D", tmp_path / name / path)
        assert "__stack_chk_fail" in symbols and "_chk@" in symbols


@pytest.mark.parametrize("test", ["probe", "library", "service"])
def test_autopkgtest(source, packages, root, test):
    """debian/tests, in a Debian that has the packages that the test names."""
    folder = source / "examples/packaging/debian/tests"
    control = (folder / "control").read_text()
    depends = re.search(r"^Tests: %s\nDepends: (.*)$" % test, control,
                        re.M)[1].split(", ")
    debs = root.put(*packages.values())
    wanted = [name if name not in packages else "/debs/" +
              packages[name].name for name in depends]
    ours = {name for name in depends if name in packages}
    if "libsdtkit-dev" in ours:     # what apt would take from an archive
        wanted += ["/debs/" + packages[name].name
                   for name in ("libsdtkit-notes0", "libsdtkit-recorder0")]
    assert debs
    root.run("apt-get", "install", "-y", "-q", *wanted)
    root.put(folder / test)
    root.run("sh", "-c", "mkdir /tmp/here && cd /tmp/here && "
             "AUTOPKGTEST_TMP=/tmp/here sh -e /debs/%s" % test)


def test_upgrade_and_purge_leave_nothing(packages, debian, root, tmp_path):
    """Installed, upgraded and purged: the files are those of before."""
    debs = root.put(*packages.values())
    depends = {word.strip().split(" ")[0] for name in packages
               for part in field(packages[name], "Depends").split(",")
               for word in part.split("|")[:1]} - {""} - ALL
    root.run("apt-get", "install", "-y", "-q",
             *sorted(name.replace(":any", "") for name in depends))
    before = root.files()
    root.run("dpkg", "-i", *debs)
    installed = root.files() - before
    assert {"/etc/tsmbd.conf", "/etc/sdtkit/serve.conf", "/usr/bin/sdtkit",
            "/usr/libexec/sdtkit/sdtkit-serve"} <= installed
    root.run("sh", "-c", "mkdir -p /var/lib/tsmbd && "
             "echo x >/var/lib/tsmbd/history && probegen --version")
    newer = [newer_package(package, tmp_path / name)
             for name, package in packages.items()]
    root.run("dpkg", "-i", *root.put(*newer))
    assert "0.1.0+upgraded" in root.run("dpkg-query", "-W", "tsmbd")
    assert root.files() - before - {"/var/lib/tsmbd",
                                    "/var/lib/tsmbd/history"} == installed
    root.run("dpkg", "--purge", *packages)
    assert root.files() == before
    # it may have files of its own elsewhere
    assert "tsmbd:" in (root.folder / "etc/passwd").read_text()


def newer_package(package, folder):
    """The same package under a greater version."""
    run("dpkg-deb", "-R", package, folder)
    control = folder / "DEBIAN" / "control"
    control.write_text(re.sub(r"0\.1\.0\b", "0.1.0+upgraded",
                              control.read_text()))
    newer = pathlib.Path(str(folder) + "_new.deb")
    run("dpkg-deb", "--root-owner-group", "-b", folder, newer)
    return newer
