# SPDX-License-Identifier: BSD-2-Clause
"""The completion for bash: which words it offers at the end of a line."""

import os
import subprocess

import pytest

from test_list import PROBES

SCRIPT = """
. "$1"
COMP_LINE=$2
COMP_POINT=${#COMP_LINE}
COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
_sdtkit
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def complete(build, source, tmp_path):
    """complete(line): returns the words that are offered."""
    def run(line):
        done = subprocess.run(
            ["bash", "-c", SCRIPT, "bash",
             str(source / "lib" / "tool" / "sdtkit.bash"), line],
            cwd=str(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True,
            env=dict(os.environ, PATH="%s:%s" % (build / "lib" / "tool",
                                                 os.environ["PATH"])))
        assert done.stderr == ""
        return sorted(done.stdout.split())
    return run


@pytest.fixture
def server(assembled, tmp_path):
    assembled(*PROBES).rename(tmp_path / "server")
    (tmp_path / "include").mkdir()


@pytest.mark.parametrize("line, words", [
    ("sdtkit ", ["--help", "--version", "bt", "check", "diff", "gen", "init",
                 "list", "merge", "replay", "serve", "top", "trace"]),
    ("sdtkit ch", ["check"]),
    ("sdtkit list --tr", ["--traced"]),
    ("sdtkit list --p", ["--pid="]),
    ("sdtkit check --", ["--color=", "--description=", "--for=", "--help",
                         "--ignore=", "--json", "--output=", "--quiet",
                         "--rules", "--version", "--werror", "--width="]),
    ("sdtkit gen --depf", ["--depfile"]),
    ("sdtkit init --", ["--build=", "--dry-run", "--help", "--provider=",
                        "--version"]),
    ("sdtkit init --build=a", ["autoconf", "automake"]),
    ("sdtkit init --build=w", ["waf"]),
    ("sdtkit check --for=", ["bcc", "bpftrace", "dtrace", "gdb", "perf",
                             "stap"]),
    ("sdtkit check --for=perf,b", ["perf,bcc", "perf,bpftrace"]),
    ("sdtkit check -C", ["-C"]),
    ("sdtkit check -I ", ["include"]),
    ("sdtkit diff -I ", ["include"]),
    ("sdtkit list -I ", ["include"]),
    ("sdtkit check -D ", []),
    ("sdtkit check -o s", ["server"]),
    ("sdtkit check server smb", ["smb2:request_end", "smb2:request_start"]),
    ("sdtkit check --ignore MISSING_", ["MISSING_ALIAS", "MISSING_PROBE"]),
    ("sdtkit list --color=a", ["always", "auto"]),
    ("sdtkit list --de", ["--description="]),
    ("sdtkit list --w", ["--width="]),
    ("sdtkit list --description s", ["server"]),
    ("sdtkit list s", ["server"]),
    ("sdtkit check --description=s", ["server"]),
    ("sdtkit list server smb", ["smb2:request_end", "smb2:request_start"]),
    ("sdtkit list server smb2:request_s", ["request_start"]),
    ("sdtkit diff server n", ["notes.s"]),
    ("sdtkit bt --p", ["--pid=", "--print"]),
    ("sdtkit bt -e 'a:b' s", ["server"]),
    ("sdtkit bt -e ", []),
    ("sdtkit bt --target ", []),
    ("sdtkit top --fl", ["--flame="]),
    ("sdtkit top --flame=s", ["server"]),
    ("sdtkit top -F ", []),
    ("sdtkit top --via=r", ["recorder"]),
    ("sdtkit list --columns=probe,add", ["probe,address"]),
    ("sdtkit top --columns=count,p", ["count,p50", "count,p99"]),
    ("sdtkit replay --history s", ["server"]),
    ("sdtkit replay --from ", []),
    ("sdtkit merge --sort=", ["count", "errors", "max", "sum"]),
    ("sdtkit merge -j s", ["server"]),
    ("sdtkit trace --t", ["--time=", "--totals"]),
    ("sdtkit trace --time e", ["epoch"]),
    ("sdtkit trace --time=d", ["delta"]),
    ("sdtkit trace -o s", ["server"]),
    ("sdtkit trace --snapshot s", ["server"]),
    ("sdtkit trace --snapshot server --js", ["--json"]),
    ("sdtkit trace --ct", ["--ctf="]),
    ("sdtkit trace --via=", ["kernel", "recorder"]),
    ("sdtkit trace --via=kernel s", ["server"]),
    ("sdtkit trace 'a:*' ./se", ["./server"]),
    ("sdtkit trace 'a:*' -- ./se", ["./server"]),
    ("sdtkit trace --time clock server n", ["notes.s"]),
    ("sdtkit trace -c 3 'a:*' server n", ["notes.s"]),
    ("sdtkit trace -p 1 -", ["--color=", "--count=", "--ctf=",
                             "--description=", "--help", "--json", "--name=", "--no-children",
                             "--output=", "--patience=", "--pid=", "--quiet",
                             "--snapshot", "--strings=", "--time=", "--totals",
                             "--version", "--via=", "--wait=", "-V", "-c",
                             "-h", "-j", "-n", "-o", "-p", "-q", "-w"]),
    ("sdtkit trace -- server -", []),
])
def test_offers(complete, server, line, words):
    assert complete(line) == words


def test_processes(complete, server):
    assert str(os.getpid()) in complete("sdtkit list -p ")
