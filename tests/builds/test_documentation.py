# SPDX-License-Identifier: BSD-2-Clause
"""What a manual page, a help text or a page names is there: in the tree as
docs/NAME, in an installation where it was installed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from build_tool import run
from opt_in import rarely
from programs import which

COMMANDS = [["probegen"], ["sdtkit", "list"], ["sdtkit", "check"],
            ["sdtkit", "diff"], ["sdtkit", "trace"]]
# with its directory: a bare server_probes.md is a file that probegen makes
NAME = r"[\w./-]*/[\w-]+\.(?:md|schema\.json)\b"


def names(text):
    """The pages and schemas that a text names, without mdoc's macros."""
    return re.findall(NAME, text.replace("\\-", "-"))


def test_in_the_tree(build, source):
    pages = {path.name for path in (source / "docs").iterdir()}
    for page in (source / "docs").glob("*.[18]"):
        text = page.read_text()
        found = names(text)
        assert found
        # a page of the documentation is named with its directory
        assert not pages & set(re.findall(r"(?<![/\w-])[\w-]+\.(?:md|json)\b",
                                          text)), page.name
        for name in found:
            assert name.startswith("docs/") and (source / name).is_file(), \
                (page.name, name)
    def named(*command):
        """In a help text; the tree's directory may have blanks."""
        return names(run(*command, "--help").replace("%s/" % source, ""))

    for command in COMMANDS[1:]:
        found = named(build / "lib" / "tool" / command[0], command[1])
        assert found and all((source / name).is_file() for name in found)
    assert named(source / "probegen" / "__main__.py") == ["docs/language.md"]


def test_manual_pages(installed):
    root, _, files = installed()
    pages = [path for path in files if "/man/man" in path]
    assert len(pages) >= 2
    for page in pages:
        found = names((root / page[1:]).read_text())
        assert found
        assert set(found) <= set(files), page


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help(installed, command):
    root, _, files = it = installed()
    found = names(run(it.usr / "bin" / command[0], *command[1:], "--help"))
    assert found
    assert {name.replace(str(root), "", 1) for name in found} <= set(files)


def test_hints(build, source, installed, tmp_path):
    """A finding whose hint names a page."""
    it = installed()
    (tmp_path / "p.d").write_text("provider p { probe q(int a); };\n")
    (tmp_path / "p.c").write_text('#include "p.h"\nvoid f(void);\n'
                                  'void f(void) { P_Q(1); }\n')
    run(source / "probegen" / "__main__.py", tmp_path / "p.d", "-o",
        tmp_path / "p.h")
    if not which("riscv64-linux-gnu-gcc"):
        pytest.skip("riscv64-linux-gnu-gcc is missing")
    run("riscv64-linux-gnu-gcc", "-shared", "-nostdlib", "-fPIC", "-I",
        source / "include", tmp_path / "p.c", "-o", tmp_path / "p.so")
    for command, before in (build / "lib/tool/sdtkit", "docs"), \
            (it.usr / "bin/sdtkit", str(it.usr / "share/doc/sdtkit")):
        for option in "--color=never", "--json":
            done = subprocess.run([command, "check", option, tmp_path / "p.so"],
                                  stdout=subprocess.PIPE, text=True)
            assert before + "/consumers.md" in done.stdout
    assert it.prefix + "/share/doc/sdtkit/consumers.md" in it.files


def test_all_pages(installed, source):
    it = installed()
    folder = it.prefix + "/share/doc/sdtkit/"
    pages = [path for path in it.files if path.startswith(folder)]
    assert {path.name for path in (source / "docs").glob("*.md")} == {
        path[len(folder):] for path in pages if path.endswith(".md")
        and "/" not in path[len(folder):]}


LINK = r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)"


def dead_links(root, _, files):
    """(page, link) of each link in an installed page that leads nowhere."""
    folders = {str(parent) for path in files
               for parent in pathlib.PurePosixPath(path).parents}
    pages = [path for path in files if path.endswith(".md")]
    assert len(pages) > 20
    return [(page, link) for page in pages
            for link in re.findall(LINK, (root / page[1:]).read_text())
            if os.path.normpath(os.path.join(os.path.dirname(page), link))
            not in folders.union(files)]


@pytest.mark.parametrize("options", rarely([
    "", "-Dcomponents=headers", "-Ddocdir=/opt/doc -Dcomponents=headers",
    "-Ddatadir=common -Dincludedir=inc -Dcomponents=headers"],
    ["", "-Ddocdir=/opt/doc -Dcomponents=headers"]))
def test_no_link_is_dead(installed, options):
    assert dead_links(*installed(*options.split())) == []


def test_links_to_examples(installed):
    """They lead to those that are installed; of the others there is text."""
    docs = installed().usr / "share/doc/sdtkit"
    assert "](examples/build/waf/wscript)" in (
        docs / "building.md").read_text()
    assert "](../../check.md#as-a-test-program)" in (
        docs / "examples/ci/README.md").read_text()
    assert "](../../../include/sdtkit/notes.h)" in (
        docs / "tracing.md").read_text()
    text = (docs / "packaging.md").read_text()
    assert ("examples/samba/debian/README.md (in the source of sdtkit) turns"
            in text)
    assert "The README (README.md in the source of sdtkit) has" in text


def test_an_installation_is_made_again(installed, source, tmp_path):
    """Over itself: links stay as they are."""
    prefix = installed().prefix
    run("cp", "-a", installed().root, tmp_path / "root")
    places = ["docs=share/doc/sdtkit", "examples=share/doc/sdtkit/examples",
              "providers=share/sdtkit/providers", "include=include"]
    usr = tmp_path / "root" / prefix.lstrip("/")
    page = usr / "share/doc/sdtkit/building.md"
    before = page.read_text()
    run(sys.executable, source / "docs/links.py", *places, env=dict(
        os.environ, MESON_INSTALL_DESTDIR_PREFIX=str(usr)))
    assert page.read_text() == before


def test_pages_of_others_stay_as_they_are(installed, source, tmp_path):
    """Below the directory of all headers, say."""
    shutil.copytree(installed().usr, tmp_path / "usr", symlinks=True)
    text = "See [this](missing.md), or [that](../examples/demo/README.md).\n"
    others = [tmp_path / "usr" / name for name in (
        "include/other/README.md", "share/doc/sdtkit/other.md")]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run(sys.executable, source / "docs/links.py", "docs=share/doc/sdtkit",
        "include=include", env=dict(
            os.environ, MESON_INSTALL_DESTDIR_PREFIX=str(tmp_path / "usr")))
    assert [path.read_text() for path in others] == [text, text]


def test_links_of_providers(installed):
    folder = installed().usr / "share/sdtkit/providers"
    pages = [folder / "README.md", *folder.glob("*/README.md")]
    assert len(pages) >= 8
    for page in pages:
        found = re.findall(r"\]\(([\w.][^)#:]*)\)", page.read_text())
        assert found
        for link in found:
            assert (page.parent / link).is_file(), (page, link)


def test_another_directory(installed):
    root, _, files = installed("-Ddocdir=/opt/doc", "-Dcomponents=headers")
    assert "/opt/doc/language.md" in files
    assert not any(path.startswith("/usr/share/doc/") for path in files)
    assert names(run(root / "usr/bin/probegen", "--help")) == [
        "/opt/doc/language.md"]
    page = (root / "usr/share/man/man1/probegen.1").read_text()
    assert set(names(page)) <= set(files)
