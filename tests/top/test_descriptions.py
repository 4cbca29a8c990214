# SPDX-License-Identifier: BSD-2-Clause
"""examples/spans: descriptions of servers that Debian builds with probes."""

import glob
import json
import re
import subprocess

import pytest

LIBRARIES = "/usr/lib/x86_64-linux-gnu/"
FILES = {
    "postgresql": "/usr/lib/postgresql/15/bin/postgres",
    "python": "/usr/bin/python3.11",
    "ruby": LIBRARIES + "libruby-3.1.so.3.1",
    "libvirt": LIBRARIES + "libvirt.so.0",
    "libstdcxx": LIBRARIES + "libstdc++.so.6",
}
# What a description cannot help: operands that some tracer cannot read, sites
# of one probe that differ, probes that nobody needs.
HARMLESS = {"OPERAND_UNREADABLE", "OPERAND_MISREAD", "OPERAND_UNTRIED",
            "TOO_MANY_ARGUMENTS", "MIXED_SITES", "UNDECLARED_PROBE",
            "SEMAPHORE_MISSING"}
# Where sites of one probe disagree, the description is that of the others.
DISAGREE = {"lwlock__wait__start", "lwlock__wait__done", "sort__start",
            "array__create", "hash__create", "string__create"}


def test_each_is_tested(source):
    found = glob.glob(str(source / "examples/spans/*.d"))
    assert {path.split("/")[-1][:-2] for path in found} == set(FILES)


def test_each_is_installed(build):
    """As a manifest, for what may not execute probegen."""
    manifests = (build / "lib/tool/serve/spans").glob("*.json")
    assert {path.stem for path in manifests} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_fits_the_file(build, source, name):
    try:
        open(FILES[name]).close()
    except FileNotFoundError:
        pytest.skip("%s is not installed" % FILES[name])
    done = subprocess.run(
        [str(build / "lib/tool/sdtkit"), "check", FILES[name], "--description",
         str(source / "examples/spans" / (name + ".d"))], capture_output=True,
        text=True)
    assert done.stderr == "" and done.returncode in (0, 1)
    probe = None
    for line in done.stdout.split("What to do:")[0].split("\n"):
        heading = re.match(r"  (\w+):(\w+)$", line)
        finding = re.match(r"    (?:error|warning) (\w+)", line)
        if heading:
            probe = heading.group(2)
        if finding and probe not in DISAGREE:
            assert finding.group(1) in HARMLESS, (probe, line)


def test_what_its_page_says(source):
    """The table of the page has each of them."""
    page = (source / "examples/spans/README.md").read_text()
    for name in FILES:
        assert "| `%s.d` |" % name in page


def test_spans_reach_the_manifest(source):
    done = subprocess.run(
        ["/usr/bin/python3", "-m", "probegen", "--emit", "json", "-o", "-",
         str(source / "examples/spans/postgresql.d")], cwd=str(source),
        stdout=subprocess.PIPE, check=True)
    (provider,) = json.loads(done.stdout.decode())["providers"]
    spans = {span["name"]: span for span in provider["spans"]}
    assert {"query", "transaction", "plan", "execute"} <= set(spans)
    assert spans["query"]["is_by_thread"]
    assert all(span["doc"] for span in spans.values())
