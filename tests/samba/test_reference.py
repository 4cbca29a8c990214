# SPDX-License-Identifier: BSD-2-Clause
"""providers/NAME: the build makes a reference of the description, and the
README names each probe of it."""

import json
import re
import subprocess
import sys

import pytest

from samba_tool import SOURCE

PROVIDERS = sorted(p for p in (SOURCE / "providers").iterdir() if p.is_dir())
NAMES = [p.name for p in PROVIDERS]


def emitted(what, path):
    return subprocess.run(
        [sys.executable, str(SOURCE / "probegen"), "--emit", what,
         str(path / (path.name + ".d")), "-o", "-"], check=True,
        stdout=subprocess.PIPE).stdout.decode()


@pytest.mark.parametrize("path", PROVIDERS, ids=NAMES)
def test_reference_is_that_of_the_description(path, build):
    text = (build / "providers" / (path.name + ".md")).read_text()
    assert text == emitted("markdown", path)
    # it is made, not kept
    assert sorted(p.name for p in path.glob("*.md")) == ["README.md"]


def spelled_out(text):
    """Probes that a README names, `x_start`, `x_done`, `write_*` included."""
    found = set(re.findall(r"`(\w+\*?)`", text))
    return found, [name[:-1] for name in found if name.endswith("*")]


@pytest.mark.parametrize("path", PROVIDERS, ids=NAMES)
def test_readme_has_each_probe_and_links_to_the_description(path):
    text = (path / "README.md").read_text()
    names, prefixes = spelled_out(text)
    provider, = json.loads(emitted("json", path))["providers"]
    assert [p["name"] for p in provider["probes"]
            if p["name"] not in names
            and not p["name"].startswith(tuple(prefixes))] == []
    assert "(%s.d)" % path.name in text and "(../README.md)" in text


def test_how_to_make_a_reference_is_said():
    text = (SOURCE / "providers" / "README.md").read_text()
    assert "probegen --emit markdown" in text
