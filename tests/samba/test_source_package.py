# SPDX-License-Identifier: BSD-2-Clause
"""make.py --tree on a small source package: what it adds, that the series
applies as dpkg-source applies it, and what it says if it cannot."""

import re
import shutil
import subprocess
import sys

import pytest

import package_tool
from package_tool import FILES, VERSION, everything
from samba_tool import SAMBA, SOURCE

import source
import source_package
from programs import which


@pytest.fixture
def small(tmp_path):
    return package_tool.small_package(tmp_path)


@pytest.fixture
def prepared(small):
    tree, table = small
    source_package.prepare(tree, table=table)
    return tree


def patches(tree):
    return [(tree / "debian/patches" / name).read_text()
            for name in ("sdtkit/files.patch", "sdtkit/lines.patch")]


def push(tree):
    """Applies our part of the series with the options of dpkg-source."""
    for name in source_package.names(
            (tree / "debian/patches/series").read_text())[1:]:
        done = subprocess.run(
            ["patch", "-t", "-F", "0", "-N", "-p1", "-u", "-V", "never",
             "-E", "-i", str(tree / "debian/patches" / name)], cwd=str(tree),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout.decode()
        assert b"fuzz" not in done.stdout and b"offset" not in done.stdout


def test_only_debian_is_changed(prepared):
    now = everything(prepared)
    changed = {name for name in now
               if name not in FILES or now[name].decode() != FILES[name]}
    assert all(name.startswith("debian/") for name in changed)
    assert {n for n in changed if not n.startswith("debian/sdtkit/")} == {
        "debian/changelog", "debian/copyright", "debian/rules",
        "debian/patches/series", "debian/patches/sdtkit/files.patch",
        "debian/patches/sdtkit/lines.patch"}


def test_series_gives_what_apply_gives(small, tmp_path):
    tree, table = small
    other = tmp_path / "other"
    shutil.copytree(str(tree), str(other))
    source_package.prepare(tree, table=table)
    push(tree)
    subprocess.run([sys.executable, "-B", str(SAMBA / "apply.py"), "--table",
                    str(table), str(other)], check=True,
                   stdout=subprocess.DEVNULL)
    patched, applied = everything(tree), everything(other)
    for name in list(patched) + list(applied):
        if not name.startswith("debian/"):
            assert patched[name] == applied[name], name


def test_patches_hold_our_lines_only(prepared):
    files, lines = patches(prepared)
    for text in (files, lines):
        body = text[text.index("--- "):].split("\n")[:-1]
        assert {line[:1] for line in body} == {"-", "+", "@"}
        assert all(line == "--- /dev/null" or line.startswith("--- a/")
                   for line in body if line[0] == "-")
    assert re.findall("^--- (.*)", files, re.M) == \
        ["/dev/null"] * files.count("\n+++ ")
    added = [line[1:] for line in lines.split("\n")
             if line[:1] == "+" and line[:3] != "+++"]
    assert added == ['#include "probes.h"', "\tQUEUE_PUSH(item);",
                     "\tQUEUE_POP(q->length);"]
    assert set(re.findall("^@@ -\\d+,(\\d+) ", lines, re.M)) == {"0"}


def test_version_has_a_suffix_that_an_update_outranks(prepared):
    text = (prepared / "debian/changelog").read_text()
    assert text.startswith(
        "samba (%s+sdtkit1) bookworm; urgency=medium\n" % VERSION)
    assert text.endswith(FILES["debian/changelog"])
    if which("dpkg"):
        newer = VERSION.replace("u4", "u5")
        for low, high in ((VERSION, VERSION + "+sdtkit1"),
                          (VERSION + "+sdtkit1", newer)):
            assert subprocess.call(
                ["dpkg", "--compare-versions", low, "lt", high]) == 0


def test_changelog_entry_is_one_that_dpkg_reads(small, monkeypatch):
    tree, table = small
    monkeypatch.setenv("DEBFULLNAME", "O. Perator")
    monkeypatch.setenv("DEBEMAIL", "o@example.org")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    source_package.prepare(tree, 3, table=table)
    text = (tree / "debian/changelog").read_text()
    assert "+sdtkit3) " in text
    assert ("\n -- O. Perator <o@example.org>  "
            "Tue, 14 Nov 2023 22:13:20 +0000\n") in text
    if which("dpkg-parsechangelog"):
        said = subprocess.run(
            ["dpkg-parsechangelog", "-S", "Timestamp"], cwd=str(tree),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        assert said == b"1700000000\n"


def test_rules_pass_the_options(prepared):
    said = subprocess.run(
        ["make", "-s", "-f", "debian/rules", "configure"], cwd=str(prepared),
        stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    assert said == ("--prefix=/usr --with-static-probes "
                    "--with-sdtkit=%s/debian/sdtkit\n" % prepared)


def test_copy_makes_a_header_and_leaves_no_bytecode(prepared, tmp_path):
    copy = prepared / "debian/sdtkit"
    header = tmp_path / "smb2_on.h"
    subprocess.run([sys.executable, "-B", str(copy / "probegen"),
                    str(SOURCE / "providers/smb2/smb2.d"), "-o", str(header)],
                   check=True)
    (tmp_path / "use.c").write_text('#include "smb2_on.h"\n')
    subprocess.run(["gcc", "-Werror", "-fsyntax-only", "-I",
                    str(copy / "include"), "use.c"], cwd=str(tmp_path),
                   check=True)
    assert (copy / "LICENSE").exists()
    assert not list(copy.rglob("*.pyc"))


def test_installed_sdtkit_is_a_build_dependency(small):
    tree, table = small
    source_package.prepare(tree, installed=True, table=table)
    assert not (tree / "debian/sdtkit").exists()
    control = (tree / "debian/control").read_text()
    assert "\nBuild-Depends-Arch: libsdtkit-dev, sdtkit,\n\tbison," in control
    rules = (tree / "debian/rules").read_text()
    assert "--with-static-probes\n" in rules and "with-sdtkit" not in rules


def test_dpkg_source_takes_it_and_gives_it_back(small, tmp_path):
    if not which("dpkg-source"):
        pytest.skip("dpkg-source is not installed (package dpkg-dev)")
    tree, table = small
    # the original is without Debian's patch
    shutil.rmtree(str(tree / ".pc"))
    (tree / "queue.h").write_text("struct queue;\n")
    subprocess.run(["tar", "-cJf", "samba_4.17.12+dfsg.orig.tar.xz",
                    "--exclude=debian", tree.name], cwd=str(tmp_path),
                   check=True)
    subprocess.run(["dpkg-source", "--before-build", tree.name],
                   cwd=str(tmp_path), check=True, stdout=subprocess.DEVNULL)
    source_package.prepare(tree, table=table)
    subprocess.run(["dpkg-source", "-b", tree.name], cwd=str(tmp_path),
                   check=True, stdout=subprocess.DEVNULL)
    dsc, = tmp_path.glob("*.dsc")
    subprocess.run(["dpkg-source", "-x", str(dsc), "again"],
                   cwd=str(tmp_path), check=True, stdout=subprocess.DEVNULL)
    again = everything(tmp_path / "again")
    assert "\tQUEUE_POP(q->length);" in again["queue.c"].decode()
    assert "lib/static_probes/wscript" in again
    assert again == everything(tree)


def wrong(tree, table, **more):
    before = everything(tree)
    with pytest.raises(source_package.Wrong) as raised:
        source_package.prepare(tree, table=table, **more)
    assert everything(tree) == before
    return str(raised.value)


def test_second_time_is_refused(small):
    tree, table = small
    source_package.prepare(tree, table=table)
    assert "has the probes already" in wrong(tree, table)


@pytest.mark.parametrize("name, text, told", [
    (".pc/applied-patches", "", "0 of Debian's 1 patches are applied"),
    ("debian/source/format", "1.0\n", "is not 3.0 (quilt)"),
    ("debian/rules", "build:\n", "debian/rules has no config-args"),
    ("debian/changelog", "tevent (1-1) sid; urgency=low\n",
     "is not one of Debian's samba"),
])
def test_tree_that_does_not_fit_is_named_and_left_alone(
        small, name, text, told):
    tree, table = small
    (tree / name).write_text(text)
    assert told in wrong(tree, table)


def test_missing_place_is_named_and_nothing_changed(small, capfd):
    tree, table = small
    table.write_text(table.read_text() + "\nin gone\nafter x;\n\tLOST(1);\n")
    assert "does not find all places" in wrong(tree, table)
    assert "no place for `LOST(1);`" in capfd.readouterr().err


@pytest.mark.parametrize("arguments, status, told", [
    ((), 2, "name either a DIRECTORY or a --tree"),
    (("a", "--tree", "b"), 2, "name either a DIRECTORY or a --tree"),
    (("--number", "0", "a"), 2, "take a number above 0"),
    (("--tree", "/nonexistent"), 1, "not an unpacked Debian source package"),
])
def test_wrong_usage_is_told(arguments, status, told):
    done = package_tool.make(*arguments)
    assert done.returncode == status
    assert told in done.stderr and "Traceback" not in done.stderr


def test_help_names_each_option():
    said = package_tool.make("--help").stdout
    for option in ("--tree", "--suite", "--source", "--installed", "--number",
                   "--profiles", "--jobs"):
        assert option in said


# As apt says it: the archive that make.py makes has neither origin nor suite,
# and a company's has a key of its own.
TARGETS = """\
Debian|deb-src http://deb.debian.org/debian/ bookworm main
Debian Backports|deb-src http://deb.debian.org/debian/ bookworm-backports main
Debian|deb-src http://deb.debian.org/debian/ bookworm main
Example|deb-src https://apt.example.com/ bookworm stable
$(ORIGIN)|deb-src file:/srv/samba-probes/ $(CODENAME) $(COMPONENT)
"""


@pytest.mark.parametrize("said, lines", [
    (TARGETS, ["http://deb.debian.org/debian/ bookworm main",
               "http://deb.debian.org/debian/ bookworm-backports main"]),
    (TARGETS.replace("Debian", "Other"),
     ["http://deb.debian.org/debian/ bookworm main",
      "http://deb.debian.org/debian/ bookworm-backports main",
      "https://apt.example.com/ bookworm stable"]),
    ("", ["http://deb.debian.org/debian bookworm main"]),
], ids=["debian", "derivative", "none"])
def test_archives_of_others_are_left_out(said, lines, tmp_path, monkeypatch):
    """What apt-get would not read, or has no samba, must not end make.py."""
    apt = tmp_path / "apt-get"
    apt.write_text("#!/bin/sh\ncase $* in *ORIGIN*) cut=1;; *) cut=2;; esac\n"
                   "cut -d'|' -f$cut- <<'END'\n%sEND\n" % said)
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    found = source.lists_of_apt()
    assert sorted(found.split("\n")[:-1]) == [
        "deb-src " + line for line in lines]
