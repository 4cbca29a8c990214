# SPDX-License-Identifier: BSD-2-Clause
"""What the build of ./dev does: each file is compiled once."""

import collections
import re
import shlex

from build_tool import run

MOST = 664
# With the functions in them and sanitizers, once more: tests/arg.
TWICE = re.compile(r"tests/arg/(arg_check|test_\w+)\.c$")


def test_no_file_is_compiled_again(build):
    """For another program: what several need is in a library."""
    commands = run("ninja", "-C", build, "-t", "commands").splitlines()
    compiled = collections.Counter()
    for line in commands:
        words = shlex.split(line)
        if "-c" in words and "-MF" in words:
            compiled[words[words.index("-c") + 1]] += 1
    assert len(compiled) > 100
    assert [name for name, count in sorted(compiled.items())
            if count > 1 + bool(TWICE.search(name))] == []
    assert len(commands) <= MOST
