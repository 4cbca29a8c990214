# SPDX-License-Identifier: BSD-2-Clause
"""Which Samba is meant by --samba=VERSION, and where it comes from."""

import subprocess
import sys

import pytest

from samba_tool import SAMBA, SOURCE

import source
from programs import which


@pytest.mark.parametrize("word, suite, ref", [
    ("", None, None),
    (None, None, None),
    ("4.17", "bookworm", None),
    ("4.22", "trixie", None),
    ("sid", "sid", None),
    ("master", None, "master"),
    ("4.24", None, "v4-24-stable"),
    ("4.24.5", None, "samba-4.24.5"),
])
def test_words(word, suite, ref):
    found = source.wanted(word)
    assert (found.suite, found.ref) == (suite, ref)


@pytest.mark.parametrize("word", ["4", "x", "4.22.", "../4.22", "Sid", "-v"])
def test_other_words_are_refused(word):
    with pytest.raises(source.Failed, match="not a version"):
        source.wanted(word)


def test_each_has_a_directory_of_its_own():
    words = ["", "4.17", "4.22", "sid", "master", "4.24", "4.24.5"]
    assert len({source.wanted(w).name for w in words}) == len(words)


def test_rolling_suites_have_no_updates():
    assert source.lists("sid").split("\n") == [
        "deb-src http://deb.debian.org/debian sid main", ""]
    text = source.lists("trixie")
    assert "/debian trixie-updates main" in text
    assert "/debian-security trixie-security main" in text


@pytest.mark.skipif(not which("git"), reason="git is not installed")
def test_a_repository_is_cloned_once(tmp_path, monkeypatch):
    origin = tmp_path / "origin"
    origin.mkdir()
    (origin / "wscript").write_text("")
    for words in (["init", "-q", "-b", "v4-24-stable"], ["add", "wscript"],
                  ["-c", "user.name=x", "-c", "user.email=x@example.org",
                   "commit", "-q", "-m", "x"]):
        subprocess.run(["git"] + words, cwd=str(origin), check=True)
    monkeypatch.setenv("SDTKIT_SAMBA_GIT", "file://%s" % origin)
    wanted = source.wanted("4.24")
    top, tree = source.get(tmp_path / "cache", wanted)
    assert top == tmp_path / "cache" / "4.24"
    assert (tree / "wscript").exists()
    (tree / "built").write_text("")
    assert source.get(tmp_path / "cache", wanted) == (top, tree)
    assert (tree / "built").exists()


def run(*words):
    return subprocess.run(
        [sys.executable, "-B", str(SAMBA / "run.py")] + list(words),
        capture_output=True, text=True)


def test_run_says_which_words_it_takes():
    done = run("--samba=4.x")
    assert done.returncode == 1 and done.stdout == ""
    assert "--samba=4.x: is not a version such as 4.22" in done.stderr
    assert run("--samba=4.22", "--tree=x").returncode == 2


def dev(*words):
    return subprocess.run([str(SOURCE / "dev"), "--no-install"] + list(words),
                          capture_output=True, text=True)


@pytest.mark.parametrize("words, message", [
    (["--samba=4.22", "demo"], "--samba is for samba"),
    (["--samba=", "samba"], "--samba= needs a version"),
    (["--kernels", "build"], "build does not take this option"),
    (["server"], "server needs a name"),
    ([], "no command is given"),
])
def test_dev_says_what_is_wrong_with_its_words(words, message):
    done = dev(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("dev: " + message)
    assert "usage" in done.stderr


def test_dev_refuses_another_version_before_it_builds():
    done = dev("samba", "--samba=4.x")
    assert done.returncode == 1 and done.stdout == ""
    assert "--samba=4.x: is not a version" in done.stderr
