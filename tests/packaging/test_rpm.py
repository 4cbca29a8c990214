# SPDX-License-Identifier: BSD-2-Clause
"""examples/packaging/rpm: rpmbuild builds the packages, here without Fedora's
names of what they need."""

import re
import subprocess
import tarfile

import pytest

from source_tree import copy, run

# What rpmlint calls errors, and why it may. This version of it is Debian's, with
# no distribution's rules.
ACCEPTED = {
    "hardcoded-library-path": "units are in lib on every machine",
    "lib-package-without-%mklibname": "Mageia's macro",
    "library-without-ldconfig-postin": "glibc's triggers do that",
    "library-without-ldconfig-postun": "glibc's triggers do that",
    "missing-hash-section": "a loader before 2006",
    "no-dependency-on": "a package of locales, which there is not",
    "no-group-tag": "distributions have given that up",
    "no-packager-tag": "the packager's configuration has it",
    "no-signature": "nor a key",
    "outside-libdir-files": "the licence",
    "static-library-without-debuginfo": "debug symbols are a macro's work",
}
ALL = {"sdtkit", "sdtkit-libs", "sdtkit-devel", "sdtkit-doc", "sdtkit-serve",
       "tsmbd"}


@pytest.fixture(scope="module")
def packages(need, source, tmp_path_factory):
    """{name: file}"""
    rpmbuild = need("rpmbuild")
    folder = tmp_path_factory.mktemp("rpm")
    spec = source / "examples" / "packaging" / "rpm" / "sdtkit.spec"
    version = re.search(r"^Version: +(\S+)", spec.read_text(), re.M)[1]
    (folder / "SOURCES").mkdir()
    tree = copy(source, folder / ("sdtkit-" + version))
    with tarfile.open(folder / "SOURCES" / (tree.name + ".tar.gz"),
                      "w:gz") as tar:
        tar.add(tree, tree.name)
    run(rpmbuild, "-bb", "--nodeps", "-D", "_topdir %s" % folder, spec)
    return {path.name[:path.name.index("-" + version)]: path
            for path in (folder / "RPMS").rglob("*.rpm")}


def contents(package):
    return set(run("rpm", "-qpl", package).split())


def test_all_packages_are_made(packages):
    assert {name for name in packages if "debug" not in name} == ALL


def test_no_interpreter_for_programs_with_probes(packages):
    for name in ALL - {"sdtkit"}:
        assert "python" not in run("rpm", "-qpR", packages[name]), name


def test_same_files_as_the_packages_of_debian(packages, debian):
    """But for the directories of libraries, compression, and what debhelper
    adds."""
    def common(path):
        path = re.sub("^/usr/lib(64|/[a-z0-9_]+-linux-gnu)?/", "/LIB/", path)
        path = re.sub("^(/usr)?(/LIB|/lib)/(systemd|sysusers)", r"/\3", path)
        return path.replace("/zsh/vendor-completions/", "/zsh/site-functions/"
                            ).replace(".gz", "")

    theirs = set()
    for package in debian.glob("*.deb"):
        if "-dbgsym_" not in package.name:
            theirs |= {common(line.split(None, 5)[5].split(" -> ")[0][1:])
                       for line in run("dpkg-deb", "-c",
                                       package).splitlines()
                       if not line.startswith("d")}
    ours = {common(path) for name in ALL for path in contents(packages[name])}
    added = re.compile("/usr/share/(lintian|python3)/"
                       "|/usr/share/doc/[a-z0-9-]+/(changelog|copyright)")
    assert {path for path in theirs - ours if not added.match(path)} == set()


def test_rpmlint(need, packages, source):
    done = subprocess.run(
        [need("rpmlint"), source / "examples/packaging/rpm/sdtkit.spec",
         *(packages[name] for name in ALL)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert "packages and 1 specfiles checked" in done.stdout
    assert [line for line in done.stdout.splitlines() if ": E: " in line
            and line.split(": E: ")[1].split()[0] not in ACCEPTED] == []
