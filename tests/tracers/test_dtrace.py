# SPDX-License-Identifier: BSD-2-Clause
"""DTrace, beyond test_values.py: the D script that probegen writes, and the
lines of docs/tracing.md."""

import os
import re
import subprocess

import pytest

from tracers import dtrace, ftrace, run
from . import builds, expect, test_docs
from .vm import lines

COMMAND = ["-x", "switchrate=20hz", "-s"]


@pytest.fixture(autouse=True)
def nothing_is_left(need):
    """No mount, and no event of a DTrace that has ended, outlives a test."""
    need(dtrace)
    dtrace.sweep()
    before = mounts()
    yield
    assert not dtrace.left()
    assert mounts() == before


def mounts():
    with open("/proc/mounts") as lines_of_it:
        return re.findall(r"^\S+ /sys/kernel/\S+", lines_of_it.read(), re.M)


@pytest.fixture(params=["executable", "shared library"])
def program(request, programs):
    it = programs.copy(request.param)
    builds.must(it.folder, [builds.PYTHON, builds.SOURCE / "probegen",
                            "--emit", "d", builds.PROGRAM / "store.d", "-o",
                            "script.d"])
    return it


def said(program):
    """What the program's script says, which starts the program itself."""
    status, text = run([*dtrace.command(), *COMMAND,
                        program.folder / "script.d", "-c",
                        " ".join(program.command)])
    assert status == 0, text
    return text


def test_script_counts_as_it_stands(program):
    counts = {probe: int(count) for probe, count in
              re.findall(r"^ +store:(\S+) +(\d+)$", said(program), re.M)}
    assert counts == {probe.replace("__", "-"): len(hits)
                      for probe, (_, hits) in expect.ROWS.items()}


def test_script_prints_what_it_read(program):
    """With its printf() statements, every value is that of the table."""
    path = program.folder / "script.d"
    path.write_text(path.read_text().replace("// printf", "printf").replace(
        "\t//        ", "\t"))
    text = said(program)
    told = program.told()
    for probe in expect.asked(dtrace):
        wanted = expect.expressions(probe, program.members)
        read = lines.hits(text, probe.replace("__", "-"), lines.names(
            program, wanted, probe, "."), wanted)
        assert not expect.missed(dtrace, probe, program.members, told, read)


def test_sweep(program):
    """Events that a killed DTrace has left are removed."""
    with subprocess.Popen(["true"]) as process:
        pass
    name = "dt_%d_dtrace/BEGIN" % process.pid
    ftrace.append("p:%s %s:0" % (name, program.probes))
    assert name in dtrace.left()
    dtrace.sweep()
    assert name not in dtrace.left()


@pytest.fixture
def server(tmp_path):
    """The program of docs/tracing.md."""
    builds.must(tmp_path, [builds.PYTHON, builds.SOURCE / "probegen",
                           "--alias", "smb2=smb", test_docs.SMB2, "-o",
                           "smb2.h"])
    builds.must(tmp_path, ["gcc", "-O2", "-I.", "-I",
                           builds.SOURCE / "include",
                           builds.PROGRAM / "server.c", "-o", "server"])
    return tmp_path / "server"


def test_no_pattern_in_the_name_of_a_probe(server):
    """As docs/porting.md says; all of a provider, and one by its name."""
    with subprocess.Popen([server]) as process:
        try:
            listed = [run([*dtrace.command(), "-ln", "smb$target:::" + name,
                           "-p", str(process.pid)])[1]
                      for name in ("", "request_exec", "request_*")]
        finally:
            process.kill()
    assert [" request_exec" in said for said in listed] == [True, True, False]
    assert "No probe matches" in listed[2]


def test_lines_of_the_document(server):
    program = server
    start = "dtrace() { %s \"$@\"; }\n" % " ".join(dtrace.command())
    (_, text), = test_docs.blocks("DTrace")
    with subprocess.Popen([program]) as process:
        try:
            _, said = run(["bash", "-c", start + text], env=dict(
                os.environ, PROGRAM=str(program), PID=str(process.pid),
                COMMAND="%s 100000" % program))
        finally:
            process.kill()
    for pattern in (r"^ *\d+ +smb\d+ +server +main\S* request_exec$",
                    r"^5 dir/file.txt [1-9]\d*$",
                    r"^mid=\d+ file=dir/file.txt$"):
        assert re.search(pattern, said, re.M), (pattern, said)


PLAIN = ["tests/probe/site.d", "examples/tap/shop_probes.d",
         "examples/spans/postgresql.d"]


def made(tmp_path, words, description):
    (tmp_path / "made.h").write_text("")
    status, text = run([*words, "-s", description, "-o", tmp_path / "made.h"])
    return (set(re.findall(r"^#define\s+([A-Z]\w*)\(",
                           (tmp_path / "made.h").read_text(), re.M)), text)


@pytest.mark.parametrize("description", PLAIN)
def test_header_has_the_names_of_probegen(description, tmp_path):
    path = builds.SOURCE / description
    theirs, text = made(tmp_path, [*dtrace.command(), "-h"], path)
    ours, _ = made(tmp_path, [builds.PYTHON, builds.SOURCE / "probegen",
                              "-Wno-all"], path)
    assert theirs == ours != set(), text


def test_header_of_what_is_not_plain(tmp_path):
    """As docs/consumers.md says."""
    for text in ("#pragma sdtkit span a start=a end=a \\\n key=x\n",
                 "provider q { probe b(sdtkit_str_t s); };\n"):
        (tmp_path / "p.d").write_text(text +
                                      "provider p { probe a(int x); };\n")
        names, said = made(tmp_path, [*dtrace.command(), "-h"],
                           tmp_path / "p.d")
        assert not names and "syntax error" in said
