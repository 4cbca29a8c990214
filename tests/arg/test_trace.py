# SPDX-License-Identifier: BSD-2-Clause
"""What tracers read of marshalled arguments: values.c fires, bpftrace, gdb and
perf read."""

import os
import re
import subprocess

import pytest

from opt_in import rarely
from programs import has_sys_sdt, which
import arg_tool
from arg_tool import LIMIT

EVENTS = "/sys/kernel/tracing/uprobe_events"
TEXT = "from one page to the next"

# probe, argument, how bpftrace prints it, what it prints
EXPECTED = [
    ("peer", 0, "str", "[fe80::1%2]:445"),
    ("peer", 1, "str", "@abstract"),
    ("peer", 2, "str", "33323130-3534-3736-3839-616263646566"),
    ("peer", 3, "str", "30313233-3435-3637-3839-616263646566"),
    ("peer", 4, "str", "S-1-5-32-544"),
    ("bytes", 0, "str", "share\\x00\\xff"),
    ("bytes", 1, "str", "a.b"),
    ("bytes", 2, "str", "dead"),
    ("bytes", 3, "str", "grü\N{GRINNING FACE}"),
    ("bytes", 4, "", "7"),
    ("names", 0, "str", "NT_STATUS_ACCESS_DENIED"),
    ("names", 1, "str", "ENOENT"),
    ("names", 2, "str", "READ|WRITE|0x10"),
    ("names", 3, "str", TEXT),
    ("names", 4, "(int64)", "-3"),
    # declared `char *`: this is why marshallers exist
    ("names", 5, "str", ""),
    ("numbers", 0, "str", TEXT),
    ("numbers", 1, "", "68"),
    ("numbers", 2, "", "1700000000000000005"),
    ("numbers", 3, "", "12000034000"),
    ("numbers", 4, "", "100"),
    ("numbers", 5, "(int64)", "-7"),
    ("scaled", 0, "(int64)", "-1500"),
    ("scaled", 1, "", "250000"),
    ("scaled", 4, "", str(0x3ff8000000000000)),
    ("scaled", 5, "", str(0x3f000000)),
]


@pytest.fixture
def pages(tmp_path):
    """A file with TEXT across the end of its first page."""
    path = tmp_path / "pages"
    path.write_bytes(b"\0" * 4088 + TEXT.encode() + b"\0" * 4096)
    return path


@pytest.fixture(scope="session")
def bpftrace(unavailable):
    """bpftrace(script, command): its standard output."""
    def trace(script, *command):
        done = subprocess.run(
            ["bpftrace", "-q", "-e", script, "-c",
             " ".join(map(str, command))], capture_output=True, timeout=LIMIT,
            text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    if os.geteuid() != 0 or not which("bpftrace"):
        unavailable("bpftrace, as root, is needed")
    try:
        trace("BEGIN { exit(); }", "/bin/true")
    except AssertionError as error:
        unavailable("bpftrace does not run here: %s" % error)
    return trace


def clauses(program):
    """A clause for each three arguments: more strings do not fit the stack of
    a BPF program."""
    script = ""
    for probe in sorted({row[0] for row in EXPECTED}):
        rows = [row for row in EXPECTED if row[0] == probe]
        for first in range(0, len(rows), 3):
            three = " ".join(map(statement, rows[first:first + 3]))
            script += "usdt:%s:every:%s { %s }\n" % (program, probe, three)
    return script


def statement(row):
    probe, index, form, _ = row
    if form == "str":
        return 'printf("%s %d %%s\\n", str(arg%d));' % (probe, index, index)
    return 'printf("%s %d %%ld\\n", %sarg%d);' % (probe, index, form, index)


# the last are the other backend, and the plain call of other machines
@pytest.mark.parametrize("compiler,flags", rarely([
    ("gcc", "-O2"), ("clang", "-O2"),
    ("gcc", "-O1 -DSDTKIT_USE_SYS_SDT -DSDTKIT_ARG_SANITIZE")],
    [("gcc", "-O2")]))
def test_bpftrace_reads_all(compiler, flags, bpftrace, pages, tmp_path,
                            unavailable):
    if "SYS_SDT" in flags and not has_sys_sdt():
        unavailable("<sys/sdt.h> is missing (systemtap-sdt-dev)")
    program = arg_tool.compile_program(tmp_path, compiler, "values.c",
                                       *flags.split())
    lines = bpftrace(clauses(program), program, pages).splitlines()
    expected = ["%s %d %s" % (probe, index, text)
                for probe, index, _, text in EXPECTED]
    # the probe that fires twice has NULL for each pointer the second time
    expected += ["numbers %d %s" % (index, text) for index, text in enumerate(
        ["", "0", "0", "0", "0", "-8"])]
    assert sorted(line for line in lines if line) == sorted(expected)


def test_clocks_are_those_of_bpftrace(bpftrace, pages, tmp_path):
    program = arg_tool.compile_program(tmp_path, "gcc", "values.c", "-O2")
    out = bpftrace('usdt:%s:every:scaled { printf("%%lu %%lu %%lu\\n", arg2, '
                   'nsecs, arg3); }' % program, program, pages)
    monotonic, nsecs, boottime = map(int, out.split())
    # with the program's wait for a processor in between
    assert 0 <= nsecs - monotonic < 300e9
    assert boottime >= monotonic


def test_gdb_reads_text_and_finds_the_caller(unavailable, pages, tmp_path):
    if not which("gdb"):
        unavailable("gdb is not installed")
    program = arg_tool.compile_program(
        tmp_path, "gcc", "values.c", "-O2", "-g", "-fomit-frame-pointer")
    commands = ["break -probe-stap every:names", "run %s" % pages,
                *['printf "%s\\n", (char *)$_probe_arg' + str(i)
                  for i in range(4)],
                "print (long)$_probe_arg4", "backtrace"]
    out = arg_tool.run("gdb", "-nx", "-batch", "-ex", "set width 0",
                       *[word for c in commands for word in ("-ex", c)],
                       program, stderr=subprocess.STDOUT)
    lines = out.splitlines()
    assert "NT_STATUS_ACCESS_DENIED" in lines and "ENOENT" in lines
    assert "READ|WRITE|0x10" in lines and TEXT in lines
    assert "$1 = -3" in lines
    assert re.search(r"^#\d+ .* main \(", out, re.M)


def event_of(program, probe):
    """Where perf is to look: file offset, that of the semaphore, and the
    operands, of the one site of a probe."""
    notes = arg_tool.run("readelf", "-nW", program)
    found = re.search(
        r"Provider: every\s+Name: %s\s+Location: (0x\w+), Base: \S+, "
        r"Semaphore: (0x\w+)\s+Arguments: ([^\n]*)" % probe, notes)
    segments = re.findall(
        r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) (0x\w+)",
        arg_tool.run("readelf", "-lW", program))

    def offset(address):
        for at, start, size, _ in segments:
            if int(start, 16) <= address < int(start, 16) + int(size, 16):
                return address - int(start, 16) + int(at, 16)
        raise AssertionError("no segment has %#x" % address)
    return (offset(int(found[1], 16)), offset(int(found[2], 16)),
            [text.split("@")[1] for text in found[3].split()])


def tell_kernel(line):
    """Adds a line to a file of tracefs, which cannot seek."""
    file = os.open(EVENTS, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)


def test_perf_reads_text(unavailable, pages, tmp_path):
    """perf follows a pointer where the event says so: `+0(%ax):ustring`."""
    if os.geteuid() != 0 or not which("perf"):
        unavailable("perf, as root, is needed")
    if not os.access(EVENTS, os.W_OK):
        unavailable("no uprobe events here")
    program = arg_tool.compile_program(tmp_path, "gcc", "values.c", "-O2")
    where, semaphore, operands = event_of(program, "names")
    fields = ["text%d=+0(%s):ustring" % (i, re.sub(
        r"^%r(?=[a-z])", "%", operands[i])) for i in range(4)]
    group = "sdtkit_arg_%d" % os.getpid()
    tell_kernel("p:%s/names %s:%#x(%#x) %s\n" % (
        group, program, where, semaphore, " ".join(fields)))
    try:
        data = tmp_path / "perf.data"
        arg_tool.run("perf", "--buildid-dir", tmp_path / "debug", "record",
                     "-q", "-e", group + ":names", "-o", data, program, pages,
                     stderr=subprocess.STDOUT)
        out = arg_tool.run("perf", "--buildid-dir", tmp_path / "debug",
                           "script", "-i", data, stderr=subprocess.DEVNULL)
    finally:
        tell_kernel("-:%s/names\n" % group)
    assert re.search(r'text0="NT_STATUS_ACCESS_DENIED" text1="ENOENT" '
                     r'text2="READ\|WRITE\|0x10" text3="%s"' % TEXT, out), out
