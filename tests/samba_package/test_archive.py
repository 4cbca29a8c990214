# SPDX-License-Identifier: BSD-2-Clause
"""Debian's real source packages, which make.py gets from the archive: all
probes find their place, and the series applies. ./dev test --packaging."""

import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       "samba"))

import package_tool  # noqa: E402
from package_tool import everything  # noqa: E402
from samba_tool import SAMBA  # noqa: E402

# suite: Samba's version there
SUITES = {"bookworm": "4.17.", "trixie": "4.22."}


@pytest.fixture(scope="module", params=sorted(SUITES))
def made(request, tmp_path_factory, need):
    """The directory of `make.py --source`."""
    need("dpkg-source")
    top = tmp_path_factory.mktemp(request.param)
    done = package_tool.make("--suite", request.param, "--source", top)
    assert done.returncode == 0, done.stderr
    assert "samba 2:%s" % SUITES[request.param] in done.stdout
    return top


def test_source_package_is_what_apply_makes_of_debians(made):
    ours, = made.glob("samba_*+sdtkit1.dsc")
    debians, = set(made.glob("samba_*.dsc")) - {ours}
    for dsc, name in ((ours, "ours"), (debians, "debians")):
        subprocess.run(["dpkg-source", "--no-check", "-x", str(dsc), name],
                       cwd=str(made), check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    done = subprocess.run(
        [sys.executable, "-B", str(SAMBA / "apply.py"),
         str(made / "debians")], stdout=subprocess.PIPE, check=True)
    assert b" places, " in done.stdout
    patched, applied = (everything(made / n) for n in ("ours", "debians"))
    differ = {name for name in set(patched) | set(applied)
              if patched.get(name) != applied.get(name)}
    assert all(name.startswith("debian/") for name in differ), differ


def test_patches_hold_no_line_of_sambas(made):
    tree, = (p.parent.parent for p in made.glob("samba-4*/debian/rules"))
    table = {line.lstrip("|") for line in
             (SAMBA / "sites.txt").read_text().split("\n")
             if line[:1] in ("\t", "|")}
    text = (tree / "debian/patches/sdtkit/lines.patch").read_text()
    for line in text[text.index("--- "):].split("\n")[:-1]:
        if line[:3] in ("---", "+++", "@@ "):
            continue
        assert line[0] == "+", line
        assert line[1:] in table or line.startswith('+#include "'), line
