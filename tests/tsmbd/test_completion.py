# SPDX-License-Identifier: BSD-2-Clause
"""The completion for bash: what it offers for a line that ends at the cursor."""

import os
import re
import subprocess

import pytest

SCRIPT = """
. "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
_tsmbd
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(program, source, tmp_path):
    """complete(line): the words that are offered."""
    (tmp_path / "map.svg").touch()

    def run(line):
        done = subprocess.run(
            ["bash", "-c", SCRIPT, "bash",
             source / "lib" / "tsmbd" / "tsmbd.bash", line],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True,
            env=dict(os.environ, PATH="%s:%s" % (program.parent,
                                                 os.environ["PATH"])))
        assert done.stderr == ""
        return sorted(done.stdout.split())
    return run


@pytest.mark.parametrize("line, words", [
    ("tsmbd --he", ["--heatmap=", "--help"]), ("tsmbd --sl", ["--slow="]),
    ("tsmbd --top=", ["clients", "files", "shares", "users"]),
    ("tsmbd --top=f", ["files"]), ("tsmbd -i 5 --top s", ["shares"]),
    ("tsmbd --top=files,", ["files," + kind for kind in
                            ("clients", "files", "shares", "users")]),
    ("tsmbd --top clients,u", ["clients,users"]),
    ("tsmbd --command=c", ["cancel", "close", "create"]),
    ("tsmbd --command=read,w", ["read,write"]),
    ("tsmbd --share=", []), ("tsmbd --client ", []), ("tsmbd --user=m", []),
    ("tsmbd --er", ["--errors"]), ("tsmbd --sh", ["--share="]),
    ("tsmbd --top=files --by=", ["bytes", "errors", "requests", "time"]),
    ("tsmbd --heatmap=m", ["map.svg"]), ("tsmbd --flame m", ["map.svg"]),
    ("tsmbd --html=m", ["map.svg"]),
    ("tsmbd -f m", ["map.svg"]), ("tsmbd --config=m", ["map.svg"]),
    ("tsmbd se", ["serve"]), ("tsmbd serve --pid-f", ["--pid-file="]),
    ("tsmbd --auth=m", ["map.svg"]), ("tsmbd --privacy=h", ["hash"]),
    ("tsmbd --listen=", []),
    ("tsmbd replay --li", ["--lines", "--list"]),
    ("tsmbd replay --fr", ["--from="]), ("tsmbd replay --his", ["--history="]),
    ("tsmbd replay --top=f", ["files"]), ("tsmbd merge m", ["map.svg"]),
    ("tsmbd merge --", ["--by=", "--distributions", "--from=", "--json",
                        "--lines=", "--to="]),
    ("tsmbd serve se", []), ("tsmbd -i ", []), ("tsmbd --slow=", []),
])
def test_offers(complete, line, words):
    assert complete(line) == words


def test_offers_users(complete):
    """Others may have names that begin like this one."""
    assert "root" in complete("tsmbd --run-as=roo")


def test_offers_every_command(complete, source):
    text = (source / "lib" / "tsmbd" / "names.c").read_text()
    names = {name.lower() for name in re.findall(r'"SMB2_OP_(\w+)"', text)}
    assert len(names) == 20 and complete("tsmbd --command=") == sorted(names)


def test_offers_every_option(complete, program):
    usage = subprocess.run([program, "--help"], stdout=subprocess.PIPE,
                           universal_newlines=True, check=True).stdout
    options = re.findall(r"(?:^ +|, )(-\w|--[a-z-]+=?)", usage, re.MULTILINE)
    assert len(options) > 20
    assert complete("tsmbd -") == sorted(options)
