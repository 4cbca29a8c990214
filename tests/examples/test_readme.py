# SPDX-License-Identifier: BSD-2-Clause
"""README.md is true: its ten lines, and the figures that it takes from other
pages. What it shows of the demo server is tested in tests/trace."""

import re
import subprocess

import pytest

from tracers import bpftrace


@pytest.fixture(scope="module")
def text(source):
    return (source / "README.md").read_text()


def section(text, heading):
    return re.search(r"^## %s\n(.*?)(?=^## |\Z)" % heading, text,
                     re.M | re.S)[1]


def plain(line):
    return " ".join(re.sub(r"\d+(\.\d+)?", "N", line).split())


@pytest.fixture(scope="module")
def example(text, tmp_path_factory):
    """A folder with the two files; the lines of commands and output."""
    folder = tmp_path_factory.mktemp("ten")
    ten = section(text, "In ten lines")
    blocks = re.findall(r"^```\w*\n(.*?)^```", ten, re.M | re.S)
    names = re.findall(r"^`(\w+\.\w)`", ten, re.M)
    assert names == ["server_probes.d", "server.c"]
    for name, block in zip(names, blocks):
        (folder / name).write_text(block)
    assert sum(block.count("\n") for block in blocks[:2]) <= 15
    return folder, blocks[2].splitlines()


def run(command, folder, environment):
    done = subprocess.run(["timeout", "300", "bash", "-ec", command],
                          cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return [plain(line) for line in done.stdout.splitlines()]


def test_ten_lines(example, installed):
    folder, lines = example
    said = []
    for line in lines:
        if line.startswith("$ "):
            said = run(line[2:], folder, installed)
        elif not line.startswith("# "):
            assert plain(line) in said


def test_ten_lines_with_bpftrace(example, installed, unavailable):
    if bpftrace.lacks():
        unavailable(bpftrace.lacks())
    test_ten_lines(example, installed)
    folder, lines = example
    command, = [line[2:] for line in lines if line.startswith("# ")]
    assert "a.txt" in run(command, folder, installed)


def test_comparison_is_what_was_measured(text, source):
    page = (source / "docs" / "consumers.md").read_text()
    every, *right = re.search(
        r"^\| \*\*all forms\*\* \| (\d+) \| \*\*all\*\* \| (\d+) \| (\d+) "
        r"\| (\d+) \| (\d+) \|", page, re.M).groups()
    for tracer, figure in zip(("bpftrace 0.17", "bcc", "perf", "gdb"), right):
        row = re.search(r"^\| arguments that %s reads rightly, of (\d+) "
                        r"\| (\d+) \| (\d+) \|" % tracer, text, re.M)
        assert row[1] == row[2] and row[3] == figure
        assert row[1] == every or tracer.startswith("bpftrace")


def test_report_is_out_of_a_page(text, source):
    page = (source / "docs" / "tsmbd.md").read_text().splitlines()
    block = re.search(r"^# tsmbd\n(.*?)^```", text, re.M | re.S)[1]
    shown = [line for line in block.splitlines() if line]
    assert len(shown) >= 8 and all(line in page for line in shown)
