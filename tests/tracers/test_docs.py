# SPDX-License-Identifier: BSD-2-Clause
"""docs/tracing.md: its blocks of commands are run as they stand, on a program
that fires what they trace; its table is what the tracers' files say."""

import concurrent.futures
import os
import re
import shutil
import subprocess

import pytest

import tracers
from . import (bcc, bcc_argdist, bpftrace, builds, conftest, ftrace, gdb,
               libbpf, perf, sdtkit_trace, valgrind)

TEXT = (builds.SOURCE / "docs" / "tracing.md").read_text()
SMB2 = builds.SOURCE / "providers" / "smb2" / "smb2.d"

# heading of the document: (tracers that it needs, what its commands show)
SHOWN = {
    "bpftrace": ([bpftrace], [
        r"^usdt:.*:smb2:request_exec$", r"^@\[5, dir/file.txt\]: \d+$"]),
    "bcc": ([bcc, bcc_argdist], [
        r" smb2:request_exec$", r" smb2:request_exec +5 dir/file.txt$",
        r"^\t\d+ +arg2 = 5, arg5 = b'dir/file.txt'$"]),
    "libbpf": ([libbpf], [r"^CREATE: [1-9]\d*$"]),
    "perf": ([perf], [
        r" sdt_smb2:request_exec: .* arg2=5 .* arg7=120 "]),
    "ftrace": ([perf, ftrace], [
        r" request_exec: .* arg2=5 .*file=\"dir/file.txt\"",
        r" mine\d+:request_exec: .* arg2=5 .*file=\"dir/file.txt\""]),
    "gdb": ([gdb], [r"5 dir/file.txt$"]),
    "sdtkit trace": ([sdtkit_trace], [
        r"^ +1  yes +smb2:request_exec\(uint64_t mid, uint16_t opcode, ",
        r" smb2:request_exec\(mid=0, opcode=CREATE\(5\), req=NULL, "
        r"share=\"data\", ",
        r"\"name\":\"opcode\",\"type\":\"uint16_t\",\"value\":5,"
        r"\"value_name\":\"CREATE\"}",
        r"^ +[1-9]\d+  smb2:request_exec$"]),
    "valgrind": ([valgrind], [r"^5 dir/file.txt$"]),
}

# How often a command fires before it ends; else it is ended.
ROUNDS = {"sdtkit trace": 20}

# Those whose last command runs until ^C.
UNTIL_STOPPED = {"bcc"}


def blocks(heading):
    """[(language, text), ...] below a heading."""
    section = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % heading, TEXT,
                        re.M | re.S)[1]
    return re.findall(r"^```(\w+)\n(.*?)^```", section, re.M | re.S)


def headings():
    return [name for name in re.findall(r"^## (.*)$", TEXT, re.M)
            if any(language == "sh" for language, _ in blocks(name))]


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A folder with the program that the document traces."""
    folder = tmp_path_factory.mktemp("server")
    builds.must(folder, [builds.PYTHON, builds.SOURCE / "probegen",
                         "-Wno-all", SMB2, "-o", "smb2.h"])
    builds.must(folder, ["gcc", "-O2", "-I.", "-I", builds.SOURCE / "include",
                         builds.PROGRAM / "server.c", "-o", "server"])
    return folder


def patient(commands):
    """A busy machine takes more than a second to start a program: then those
    that are ended after one have to end by themselves. Events and files that
    belong to the machine get names of this process."""
    commands = re.sub("^timeout 1 ", "timeout %d " % tracers.LIMIT, commands,
                      flags=re.M)
    commands = re.sub(r"\bmine\b", "mine%d" % os.getpid(), commands)
    for old, new in ((" --wait=60 ", " --wait=%d " % tracers.LIMIT),
                     (" sleep 1", " sleep 5"),
                     ("/tmp/perf.data", "$HOME/perf.data")):
        commands = commands.replace(old, new)
    return commands


def say(heading, folder):
    """What the commands below a heading say; other blocks are files, named in
    the order of the text."""
    section = TEXT.split("\n## %s\n" % heading)[1]
    names = iter(re.findall(r"^`(\w[\w.]*)`.*:$", section, re.M))
    for language, text in blocks(heading):
        if language != "sh":
            (folder / next(names)).write_text(text)
    commands = "".join(text for language, text in blocks(heading)
                       if language == "sh")
    program = folder / "server"
    process = subprocess.Popen([program])
    try:
        with tracers.Running(
                ["bash", "-c", patient(commands)], cwd=folder,
                HOME=str(folder),
                PATH="%s:%s" % (ftrace.SDTKIT.parent, os.environ["PATH"]),
                PAGER="cat", PROGRAM=str(program), PID=str(process.pid),
                COMMAND="%s %d" % (program, ROUNDS.get(heading, 100000)),
                **bcc.headers() or {}) as shell:
            if heading not in UNTIL_STOPPED:
                return shell.end()
            for pattern in SHOWN[heading][1]:
                shell.until(pattern)
            process.kill()      # as long as it fires, bcc overlooks ^C
            return shell.stop()
    finally:
        process.kill()
        process.wait()


def safely(heading, folder):
    """perf's events, of which ftrace's are made, are named for the probe."""
    if perf in SHOWN[heading][0]:
        with perf.events(folder / ".debug", ["smb2"]):
            text = say(heading, folder)
            assert not perf.left(folder), text
            return text
    return say(heading, folder)


@pytest.fixture(scope="session")
def said(request, server, reading, tmp_path_factory):
    """said(heading), all of which start at once, and all readings with them:
    they are slow, and tests of other files want them soon."""
    wanted = [item.callspec.params["heading"] for item in request.session.items
              if "said" in getattr(item, "fixturenames", ())]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        futures = {}
        for heading in wanted:
            folder = tmp_path_factory.mktemp("copy") / "server"
            shutil.copytree(server, folder)
            if not any(one.lacks() for one in SHOWN[heading][0]):
                futures[heading] = pool.submit(safely, heading, folder)
        yield lambda heading: futures[heading].result()


@pytest.mark.parametrize("heading", SHOWN)
def test_block(heading, said, need):
    for tracer in SHOWN[heading][0]:
        need(tracer)
    text = said(heading)
    for pattern in SHOWN[heading][1]:
        assert re.search(pattern, text, re.M), (pattern, text)


def test_every_block_is_run():
    assert set(headings()) - conftest.OPT_IN_HEADINGS == set(SHOWN)


def test_blocks_are_short():
    for heading in headings():
        for language, text in blocks(heading):
            assert language != "sh" or text.count("\n") <= 5, heading


def test_table():
    """What each reads is what its file says."""
    rows = re.findall(r"^\| (?:\[(.*?)\]\(.*?\))(.*?) \|.*\| (\w+) \| (\w+) "
                      r"\| (\w+) \|$", TEXT, re.M)
    stated = {name: dict(zip(("numbers", "strings", "members"), cells))
              for name, _, *cells in rows}
    for tracer in tracers.every():
        assert stated[tracer.NAME] == {
            kind: "yes" if kind in tracer.READS else "no"
            for kind in ("numbers", "strings", "members")}, tracer.NAME
