# SPDX-License-Identifier: BSD-2-Clause
"""rclone as a client: another implementation of SMB2 (go-smb2, in Go) than
Samba's own, which logs in by name and signs what it sends.

    drive(port, top)	# files there and back, and what has to fail
    check(requests)	# the failures were on the wire, see relay.py

Some of it fails on purpose. What it asks for then is not there, so the reply
has no share, no file and no user: NOTHING and NOBODY are in the request only.
"""

import os
import shutil
import subprocess
import time

import server
import source

FILES = 20
NOTHING = "no such file"
NOBODY = "noshare"
# what has to be on the wire for the three, [MS-ERREF] 2.3.1
FAILURES = {
    ("CREATE", 0xc0000034): "a file that is not there",
    ("TREE_CONNECT", 0xc00000cc): "a share that is not there",
    ("SESSION_SETUP", 0xc000006d): "a wrong password",
}


def lacking():
    """Returns why rclone cannot be used, or None."""
    if not shutil.which("rclone"):
        return "rclone is not installed"
    said = subprocess.run(
        ["rclone", "help", "backends"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    if not any(line.split()[:1] == ["smb"] for line in said.split("\n")):
        return "this rclone has no smb: it needs 1.60 or later"
    return None


def _environment(port, top, password):
    """The remote "it", and an empty file in place of the user's."""
    configuration = top / "rclone.conf"
    configuration.write_text("")
    obscured = subprocess.run(
        ["rclone", "obscure", password], stdout=subprocess.PIPE, check=True,
        universal_newlines=True).stdout.strip()
    settings = {"TYPE": "smb", "HOST": "127.0.0.1", "PORT": str(port),
                "USER": server.USER, "PASS": obscured}
    return dict(os.environ, RCLONE_CONFIG=str(configuration),
                **{"RCLONE_CONFIG_IT_" + name: value
                   for name, value in settings.items()})


def _run(environment, *words):
    """Runs rclone; returns its exit status and its output."""
    done = subprocess.run(
        ["timeout", "120", "rclone", "--retries=1", "--low-level-retries=1"] +
        [str(word) for word in words], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    return done.returncode, done.stdout


def _call(environment, *words):
    status, said = _run(environment, *words)
    if status:
        raise source.Failed("rclone %s: %s" % (words[0], said[-1000:]))
    return said


def _fail(environment, *words):
    status, said = _run(environment, *words)
    if status in (0, 124):	# 124: timeout(1) has ended it
        raise source.Failed(
            "rclone %s should have failed: exit status %d: %s" % (
                words, status, said[-1000:]))


def _exchange(environment, there, back):
    """Uploads, lists, renames, downloads and deletes files, and compares."""
    # else the copies, which run side by side, would all try to make it
    _call(environment, "mkdir", "it:share/r")
    _call(environment, "copy", there, "it:share/r")
    _call(environment, "moveto", "it:share/r/f0", "it:share/r/g")
    names = sorted(_call(environment, "lsf", "it:share/r").split())
    wanted = sorted(["g"] + ["f%d" % n for n in range(1, FILES)])
    if names != wanted:
        raise source.Failed(
            "rclone lists other files than were copied: %s" % names)
    _call(environment, "copy", "it:share/r", back)
    (back / "g").rename(back / "f0")
    server.compare(there, back)
    _call(environment, "deletefile", "it:share/r/g")
    _call(environment, "purge", "it:share/r")


def drive(port, top):
    there, back = server.make_files(top, FILES)
    begun = time.time()
    right = _environment(port, top, server.PASSWORD)
    _exchange(right, there, back)
    _fail(right, "copyto", "it:share/" + NOTHING, back / "nothing")
    _fail(right, "lsf", "it:" + NOBODY)
    _fail(_environment(port, top, "not " + server.PASSWORD), "lsf", "it:share")
    print("rclone: %d files there and back, %d failures: %.1f s" % (
        FILES, len(FAILURES), time.time() - begun))


def check(requests):
    """Raises Failed unless each expected failure was seen on the wire."""
    found = {(r.name, r.status) for r in requests}
    missed = [what for key, what in FAILURES.items() if key not in found]
    if missed:
        raise source.Failed("rclone: no error on the wire for " +
                            ", ".join(missed))
