# SPDX-License-Identifier: BSD-2-Clause
"""docs/tutorial.md, to the letter: each block is a file or is run, and what is
shown behind it is what comes out.

A block below "`NAME`, ...:" is the file NAME. Other blocks of the language sh
are run, one behind the other, with the directory and the variables of the one
before; one that is followed by "In another terminal" runs until the text says
Ctrl-C. A block of the language text is the output of the one before it, but
for numbers. A section whose heading names a tracer skips where that is
missing. What is installed is what was built already; only with --all it is what
the page builds.
"""

import collections
import os
import re
import shlex
import subprocess

import pytest

import tracers
from installed import install
from ports import free_port
from programs import ALL
from tracers import bpftrace

PAGE = os.path.join(os.path.dirname(__file__), "../../docs/tutorial.md")
PORT = "4460"
TRACERS = {"bpftrace": bpftrace}

Block = collections.namedtuple("Block", "before language text")


def sections():
    """{heading: [Block, ...]}, in their order; only those with blocks."""
    with open(PAGE) as file:
        parts = re.split(r"^## (.*)\n", file.read(), flags=re.M)
    found = collections.OrderedDict()
    for heading, text in zip(parts[1::2], parts[2::2]):
        blocks = re.findall(r"(.*?)^```(\w*)\n(.*?)^```\n", text, re.M | re.S)
        if blocks:
            found[heading] = [Block(*block) for block in blocks]
    return found


SECTIONS = sections()
HEADINGS = list(SECTIONS)


def tracer_of(heading):
    return next((tracer for name, tracer in TRACERS.items()
                 if name in heading), None)


class Reader:
    """Somebody who does what the page says, with a home of their own, and
    begins in the source tree. prefix: an installation that takes the place of
    the one that the page makes, or None."""

    def __init__(self, source, home, prefix):
        self.home, self.state = home, home / ".state"
        self.port = str(free_port())
        self.state.write_text("cd %s\n" % shlex.quote(str(source)))
        self.env = {"HOME": str(home), "MAKEFLAGS": "", "MAKELEVEL": "0",
                    "LC_ALL": "C"}
        self.prefix, self.done = prefix, []
        self.said = self.running = None

    def follow(self, heading):
        """A section, after those that it builds on."""
        for name in HEADINGS[:HEADINGS.index(heading) + 1]:
            if name not in self.done and (
                    name == heading or not tracer_of(name)):
                self.section(name)
                self.done.append(name)

    def section(self, heading):
        blocks = SECTIONS[heading]
        try:
            for block, behind in zip(blocks, blocks[1:] + [None]):
                self.block(block, behind, tracer_of(heading))
        finally:
            if self.running:
                self.running.__exit__()
                self.running = None

    def block(self, block, behind, tracer):
        if self.running and "Ctrl-C" in block.before:
            self.said = self.running.stop()
            self.running.__exit__()
            self.running = None
        name = re.search(r"^`([\w.]+)`.*:\n\Z", block.before, re.M)
        if name:
            folder = shlex.split(re.search(r"^cd (.*)$", self.state.read_text(),
                                           re.M)[1])[0]
            with open(os.path.join(folder, name[1]), "w") as file:
                file.write(block.text)
        elif block.language == "text":
            self.shown(block.text, whole=not tracer)
        else:
            assert block.language == "sh", block
            self.run(block.text, behind)

    def shown(self, text, whole):
        """The output, digits and widths of columns aside."""
        def plain(lines):
            return [re.sub(r"\d+(\.\d+)?", "N", " ".join(line.split()))
                    for line in lines.strip().split("\n")]
        if whole:
            assert plain(self.said) == plain(text), self.said
        for line in plain(text):
            assert line in plain(self.said), self.said

    def run(self, text, behind):
        if self.prefix and text.startswith("meson setup ~/sdtkit-build"):
            assert text.endswith("\nninja -C ~/sdtkit-build install\n")
            assert '--prefix="$HOME/sdtkit" -Dlibdir=lib ' in text
            text = "ln -s %s ~/sdtkit" % shlex.quote(str(self.prefix))
        state = shlex.quote(str(self.state))
        keep = "{ export -p; printf 'cd %%q\\n' \"$PWD\"; } >%s" % state
        commands = ["bash", "-c", ". %s; trap %s EXIT; set -e\n%s" % (
            state, shlex.quote(keep), text.replace(PORT, self.port))]
        if behind and "In another terminal" in behind.before:
            self.running = tracers.Running(commands, **self.env)
            self.running.until("^listening$")
            return
        done = subprocess.run(commands, env=dict(os.environ, **self.env),
                              stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, timeout=600,
                              stderr=subprocess.STDOUT)
        self.said = done.stdout
        wanted = behind.text if behind and behind.language == "text" else ""
        assert (done.returncode != 0) == ("Error" in wanted), self.said


@pytest.fixture(scope="module")
def reader(source, build, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return Reader(source, home, None if ALL else install(
        build, tmp_path_factory.mktemp("installed"), "lib"))


@pytest.mark.parametrize("heading", HEADINGS)
def test_section(heading, reader, unavailable):
    tracer = tracer_of(heading)
    reason = tracer.lacks() if tracer else None
    if reason:
        unavailable(reason)
    reader.follow(heading)


def test_every_command_is_run():
    """All that the page has in blocks: but the first, which installs packages,
    each is a file, is run or is output."""
    with open(PAGE) as file:
        fences = len(re.findall(r"^```", file.read(), re.M))
    assert fences / 2 == sum(map(len, SECTIONS.values())) + 1
    assert len(HEADINGS) >= 6 and any(map(tracer_of, HEADINGS))
