# SPDX-License-Identifier: BSD-2-Clause
"""rclone.py sees to it that files come back, that what has to fail does, and
says if rclone cannot be used."""

import os

import pytest

import samba_tool  # noqa: F401, finds rclone
import rclone
import relay
import run
import source

# Stands for rclone: "it:share" is a directory. It fails as a server would, and
# is wrong in the way that FAKE names.
FAKE = """#!/bin/sh
root=$(dirname "$0")/remote
status=0
while [ "${1#--}" != "$1" ]; do shift; done
verb=$1
shift
locate() {
	case $1 in it:*) echo "$root/${1#it:}" ;; *) echo "$1" ;; esac
}
case $verb in
obscure)
	echo "obscured $1"
	exit ;;
help)
	[ "$FAKE" = old ] || echo "  smb          SMB / CIFS"
	exit ;;
esac
[ "$FAKE" != "mute $verb" ] || exit 0
[ "$RCLONE_CONFIG_IT_PASS" = "obscured password" ] || exit 9
[ "$RCLONE_CONFIG_IT_PORT" = 4450 ] || exit 8
from=$(locate "$1")
to=$(locate "$2")
case $verb in
mkdir) mkdir "$from" ;;
copy)
	cp "$from"/* "$to"
	[ "$FAKE" != changed ] || echo more >>"$to/f3"
	[ "$FAKE" != less ] || rm -f "$to/f3" ;;
moveto) mv "$from" "$to" ;;
copyto) cp "$from" "$to" ;;
lsf)
	[ -d "$from" ] || exit 3
	ls "$from" ;;
deletefile) rm "$from" ;;
purge) rm -r "$from" ;;
esac
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A function that makes the fake one wrong; it is right at first."""
    program = tmp_path / "bin" / "rclone"
    (tmp_path / "bin" / "remote" / "share").mkdir(parents=True)
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "%s:%s" % (program.parent, os.environ["PATH"]))
    monkeypatch.delenv("FAKE", raising=False)
    return lambda wrong: monkeypatch.setenv("FAKE", wrong)


def test_files_are_exchanged_and_nothing_is_left(fake, tmp_path, capsys):
    rclone.drive(4450, tmp_path)
    assert "rclone: %d files there and back, 3 failures" % rclone.FILES in \
        capsys.readouterr().out
    assert list((tmp_path / "bin" / "remote" / "share").iterdir()) == []


@pytest.mark.parametrize("wrong, said", [
    ("changed", "f3: not what was written"),
    ("less", "rclone lists"),
    ("mute copy", "rclone moveto: "), ("mute moveto", "rclone lists"),
    ("mute copyto", "should have failed"), ("mute lsf", "rclone lists"),
])
def test_what_goes_wrong_is_told(fake, tmp_path, wrong, said):
    fake(wrong)
    with pytest.raises(source.Failed, match=said):
        rclone.drive(4450, tmp_path)


def test_it_is_there_or_not(fake, monkeypatch, tmp_path):
    assert rclone.lacking() is None
    fake("old")
    assert "1.60" in rclone.lacking()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert rclone.lacking() == "rclone is not installed"


def test_without_it_the_run_says_so(fake, monkeypatch, capsys):
    monkeypatch.delenv("SDTKIT_REQUIRE_TRACERS", raising=False)
    assert run.has_rclone()
    fake("old")
    assert not run.has_rclone()
    assert "left out: rclone's work: " in capsys.readouterr().out
    monkeypatch.setenv("SDTKIT_REQUIRE_TRACERS", "1")
    with pytest.raises(source.Failed, match="1.60"):
        run.has_rclone()


def failed():
    """A request for each failure that there has to be."""
    found = []
    for name, status in rclone.FAILURES:
        found.append(relay.Request(name, 64, False))
        found[-1].status = status
    return found


def test_all_failures_have_to_be_on_the_wire():
    rclone.check(failed())


@pytest.mark.parametrize("at", range(len(rclone.FAILURES)))
def test_one_that_is_not_is_told(at):
    requests = failed()
    requests[at].status = 0
    what = list(rclone.FAILURES.values())[at]
    with pytest.raises(source.Failed, match=what):
        rclone.check(requests)
