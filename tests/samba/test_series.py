# SPDX-License-Identifier: BSD-2-Clause
"""series.py: each place of the table is in one commit of the series, and all
commits together are what apply.py does."""

import shutil
import subprocess
import sys

import pytest

import samba_tool
from samba_tool import SAMBA, apply

import series
import sites

TABLE = """\
file queue.c
include lib/static_probes/samba_probes.h

in queue_push
before q->length++;
\tSMBD_SCAVENGE(item, 1);

in queue_pop
after q->length--;
\tCTDB_WAIT_START(q, q->length);
"""
FIRST = "places: SMBD_*\n\nqueue: probes for push\n\nWhy.\n"
SECOND = "places: CTDB_*\n\nqueue: probes for pop\n\nWhy, too.\n"


@pytest.fixture
def top(tmp_path):
    path = tmp_path / "tree"
    path.mkdir()
    return samba_tool.tree(path)


def run(top, *options, commits=(FIRST, SECOND)):
    folder, table = top.parent / "series", top.parent / "table.txt"
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(commits, 1):
        (folder / ("%02d-step.txt" % number)).write_text(text)
    table.write_text(TABLE)
    return subprocess.run(
        [sys.executable, "-B", str(SAMBA / "series.py"), "--series",
         str(folder), "--table", str(table), str(top), *map(str, options)],
        universal_newlines=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)


def everything(top):
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*")
            if p.is_file() and ".git" not in p.parts}


def git(top, *words):
    return subprocess.run(
        ["git", "-C", str(top), "-c", "user.name=a", "-c", "user.email=a@b",
         *words], check=True, universal_newlines=True,
        stdout=subprocess.PIPE).stdout


def whole(top, tmp_path):
    """The tree as apply.py leaves it, without what no place here needs."""
    other = tmp_path / "whole" / "tree"
    shutil.copytree(str(top), str(other))
    assert apply(other, table=TABLE).returncode == 0
    return everything(other)


def check(top, expected):
    files = everything(top)
    assert files["queue.c"] == expected["queue.c"]
    for path in files:
        if path.endswith((".d", "_off.h", "wscript")):
            assert files[path] == expected[path], path
    assert sorted(p for p in files if p.endswith(".d")) == [
        "lib/static_probes/ctdb.d", "lib/static_probes/smbd.d"]
    header = files["lib/static_probes/samba_probes.h"].decode()
    assert "smbd_on.h" in header and "ctdb_off.h" in header
    assert "smblock" not in header


def test_patches_make_what_apply_makes(top, tmp_path):
    expected = whole(top, tmp_path)
    before = everything(top)
    done = run(top, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stdout
    assert everything(top) == before
    patches = sorted((tmp_path / "out").iterdir())
    assert [p.name for p in patches] == ["01-step.patch", "02-step.patch"]
    first = patches[0].read_text()
    assert "Subject: [PATCH] queue: probes for push" in first
    assert "smbd.d" in first and "ctdb.d" not in first
    for patch in patches:
        text = patch.read_text()
        assert not [line for line in text.partition("\n---\n")[2].split("\n")
                    if line.startswith(("-", " ")) and
                    not line.startswith("--- ")]
        subprocess.run(["patch", "-p1", "-s", "-i", str(patch)], check=True,
                       cwd=str(top))
    check(top, expected)


def test_commits(top, tmp_path, monkeypatch):
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv("GIT_%s_NAME" % name, "a")
        monkeypatch.setenv("GIT_%s_EMAIL" % name, "a@b")
    expected = whole(top, tmp_path)
    git(top, "init", "-q")
    git(top, "add", "queue.c")
    git(top, "commit", "-q", "-m", "base")
    (top / "queue.c").write_text("edited\n")
    done = run(top, "--commit")
    assert done.returncode == 2 and "not committed" in done.stdout
    git(top, "checkout", "-q", "queue.c")
    done = run(top, "--commit")
    assert done.returncode == 0, done.stdout
    assert git(top, "log", "--format=%s").split("\n")[:3] == [
        "queue: probes for pop", "queue: probes for push", "base"]
    assert git(top, "status", "--porcelain") == ""
    check(top, expected)


@pytest.mark.parametrize("commits, text", [
    ((FIRST,), "line 9 of the table: no commit of the series"),
    ((FIRST, "queue: no places\n"), "02-step.txt: begins with `places:`"),
])
def test_mistakes(top, commits, text):
    before = everything(top)
    done = run(top, "--list", commits=commits)
    assert done.returncode == 2
    assert text in done.stdout
    assert everything(top) == before


def test_series_of_samba():
    """Its messages, and that no commit is large."""
    table = sites.read((SAMBA / "sites.txt").read_text())
    commits = series.read_commits(SAMBA / "series")
    order = series.assign(table, commits)
    assert len(commits) <= 15
    for number, commit in enumerate(commits):
        lines = sum(max(len(point.lines) for point in site.points)
                    for index, site in enumerate(table)
                    if order[index] == number)
        assert 0 < lines <= 60, commit.name
        subject, empty = commit.message.split("\n")[:2]
        assert ": " in subject and empty == ""
        assert all(len(line) < 76 for line in commit.message.split("\n"))
