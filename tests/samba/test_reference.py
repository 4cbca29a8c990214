# SPDX-License-Identifier: BSD-2-Clause
"""providers/NAME: the generated reference is that of the description, and the
README names each probe of it. SDTKIT_REGENERATE=1 writes the references anew."""

import json
import os
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
def test_reference_is_up_to_date(path):
    reference = path / "reference.md"
    text = emitted("markdown", path)
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        reference.write_text(text)
    assert reference.read_text() == text, \
        "probegen --emit markdown %s/%s.d" % (path, path.name)


def spelled_out(text):
    """Probes that a README names, `x_start`, `x_done`, `write_*` included."""
    found = set(re.findall(r"`(\w+\*?)`", text))
    return found, [name[:-1] for name in found if name.endswith("*")]


@pytest.mark.parametrize("path", PROVIDERS, ids=NAMES)
def test_readme_has_each_probe_and_links_to_both(path):
    text = (path / "README.md").read_text()
    names, prefixes = spelled_out(text)
    provider, = json.loads(emitted("json", path))["providers"]
    assert [p["name"] for p in provider["probes"]
            if p["name"] not in names
            and not p["name"].startswith(tuple(prefixes))] == []
    assert "(%s.d)" % path.name in text and "(reference.md)" in text
