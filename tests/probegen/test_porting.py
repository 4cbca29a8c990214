# SPDX-License-Identifier: BSD-2-Clause
"""docs/porting.md: its steps from the drop-in header to the native one work as
they stand. (Its script for bcc is run in tests/tracers/test_porting.py.)"""

import os
import pathlib
import re
import subprocess

import pytest

from dropin_tool import (       # noqa: F401  (fixtures are used by name)
    gcc, notes, folder, user)
from probegen_tool import SOURCE
from programs import which

TEXT = (SOURCE / "docs/porting.md").read_text()
BEFORE, AFTER, NAMES = re.findall(r"^```sh\n(.*?)^```", TEXT, re.M | re.S)
NOTES = [("closed", True), ("order__placed", True)]


@pytest.fixture
def shop(user, build, monkeypatch):
    """Returns a directory with the files of the document and the commands of
    this checkout."""
    for name in "shop.d", "server.c":
        block = re.search(r"`%s`:\n\n```\w+\n(.*?)^```" % re.escape(name), TEXT,
                          re.M | re.S)[1]
        (user / name).write_text(block)
    os.unlink(str(user / "shop.h"))
    monkeypatch.setenv("PATH", "%s:%s" % (build / "lib/tool",
                                          os.environ["PATH"]))
    installed = user.parent / "bin/pkg-config"
    # where no name has a blank, as in an installation
    (user.parent / "include").symlink_to(SOURCE / "include")
    installed.write_text("#!/bin/sh\necho -I%s\n" % (user.parent / "include"))
    installed.chmod(0o755)
    return user


def shell(folder, text, status=0):
    """Runs commands, and returns what they print."""
    done = subprocess.run(["sh", "-ec", text], cwd=str(folder),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    assert done.returncode == status, done.stdout
    return done.stdout


def found(folder):
    return sorted((name, int(semaphore, 16) != 0)
                  for name, semaphore in notes(folder, "server"))


def test_steps(shop):
    shell(shop, BEFORE)
    gcc(shop, "7", "./server")
    assert found(shop) == NOTES
    said = shell(shop, "probegen -C shop.d -o shop_probes.h", 1)
    assert said.count("error") == 1 and "unknown type 'account_t'" in said
    said = shell(shop, AFTER)
    assert said == "server: 2 probes, 2 sites: good\n"
    gcc(shop, "7", "./server")
    assert found(shop) == NOTES
    listed = shell(shop, "sdtkit list -s server")
    assert "order__placed(string arg0, long arg1, pid_t arg2, void * arg3)" in (
        re.sub(r"\* *arg", "* arg", listed))
    assert "Who ordered" in listed


def test_object_may_still_be_linked(shop):
    shell(shop, BEFORE.replace("cc -O2", ": cc -O2") + AFTER.replace(
        "server.c", "server.c shop_semaphores.o"))
    assert found(shop) == NOTES
    assert gcc(shop, "server", "nm").count("_semaphore\n") == 2


@pytest.mark.parametrize("commands", [
    BEFORE, AFTER, AFTER.replace("probegen", "probegen --emit standalone", 1)])
def test_names_in_lower_case(shop, commands):
    server = (shop / "server.c").read_text()
    server = server.replace('probes.h"', 'probes.h"\n#include "shop_names.h"')
    for name in "SHOP_ORDER_PLACED_ENABLED", "SHOP_ORDER_PLACED", "SHOP_CLOSED":
        server = server.replace(name + "(", name[5:].lower() + "(")
    (shop / "server.c").write_text(server)
    shell(shop, commands.replace("cc -O2", NAMES + "cc -O2 -Wall -Werror"))
    assert "order_placed_enabled()" in server and "SHOP" not in server
    assert found(shop) == NOTES
    gcc(shop, "7", "./server")


def test_what_is_refused(shop):
    """probegen prints the messages that the table quotes."""
    rows = dict(re.findall(r"^\| [^|]*? \| `([^`|]+)` \| ([^|]+) \|$", TEXT,
                           re.M))
    assert set(rows) == {"unexpected 'extra'", "error NAME_TOO_LONG"}
    (shop / "long.d").write_text("provider x { probe %s(); };" % ("p" * 64))
    for said, line in zip(sorted(rows), ["-h -s long.d",
                                         "-h -s shop.d extra"]):
        assert said in shell(shop, "probegen %s || true" % line)


@pytest.mark.parametrize("name", sorted(
    path.name for path in (SOURCE / "providers").glob("*/*.d")))
def test_systemtaps_dtrace_parses_the_providers(name, unavailable, tmp_path):
    """It warns where its grammar ends, and then guesses at the arguments: a
    comment with the word "provider", behind an enum, is such a place."""
    tool = which("dtrace")
    if tool is None or b"pyparsing" not in pathlib.Path(tool).read_bytes():
        unavailable("SystemTap's dtrace is missing")
    path, = (SOURCE / "providers").glob("*/" + name)
    said = subprocess.run([tool, "-h", "-s", path, "-o", tmp_path / "x.h"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, timeout=300)
    assert (said.returncode, said.stdout) == (0, "")
