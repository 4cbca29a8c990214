# SPDX-License-Identifier: BSD-2-Clause
"""What tracers read of values.c: the values themselves, not that it fired.

One row per probe: the arguments as bpftrace and gdb print them. bpftrace
before 0.24 reads only the first six.
"""

import os
import re
import subprocess

import pytest

from opt_in import rarely
import probe_tool

TIMES = 7
ROWS = {
    "pair": [0xfedcba9876543210, 0xfffe],
    "ints": [-1, -2, -3, -4, 0xff, 0xfffe, 0xfffffffd, 0xfffffffffffffffc,
             ord("A"), 1, 32, -1000000000000],
    "count": [TIMES],
    "a__b": [-TIMES],
}


BUILDS = [("gcc -O0", "native"), ("gcc -O2", "native"), ("clang -O2", "native"),
          ("g++ -O2", "native"), ("gcc -O0", "single"), ("gcc -O2", "single"),
          ("clang++ -O2", "single"), ("gcc -O2", "systemtap"),
          ("clang -O2", "systemtap"), ("musl-gcc -O2", "native"),
          ("musl-gcc -O2 -static", "native")]


@pytest.fixture(scope="module", ids="-".join, params=[
    pytest.param(row.values, marks=row.marks) for row in rarely(
        BUILDS, [("gcc -O2", "native"), ("clang++ -O2", "single")])])
def program(request, tmp_path_factory, unavailable):
    compiler, backend = request.param
    folder = tmp_path_factory.mktemp("program")
    probe_tool.need_backend(backend, unavailable)
    if not probe_tool.have(compiler.split()[0]):
        pytest.skip(compiler.split()[0] + " is not installed")
    probe_tool.generate(
        folder, single=probe_tool.PROBES if backend == "single" else ())
    return probe_tool.compile_c(folder, compiler, ["values.c"], "values",
                                *probe_tool.BACKENDS.get(backend, []))


def signed(value):
    """The value as a tracer prints it with %lld."""
    return value - (1 << 64) if value >= 1 << 63 else value


def test_bpftrace(program, unavailable):
    if not probe_tool.have("bpftrace"):
        unavailable("bpftrace is not installed")
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")
    script = "".join(
        'usdt:%s:t:%s { printf("%s%s\\n"%s); @%s = count(); }\n' % (
            program, name, name, " %lld" * len(row[:6]),
            "".join(", arg%d" % i for i in range(len(row[:6]))), name)
        for name, row in ROWS.items())
    script += ('usdt:%s:t:text { printf("text %%s|%%s|%%s\\n", '
               'str(arg0), str(arg1), str(arg2)); }' % program)
    run = subprocess.run(
        ["timeout", "300", "bpftrace", "-e", script, "-c",
         "%s %d" % (program, TIMES)], capture_output=True, text=True)
    lines = run.stdout.split("\n")
    for name, row in ROWS.items():
        expected = " ".join([name] + [str(signed(v)) for v in row[:6]])
        assert expected in lines, run.stdout + run.stderr
        assert "@%s: %d" % (name, TIMES) in lines
    assert lines.count("text jerry||rry") == TIMES


def test_gdb(program, tmp_path, unavailable):
    """All twelve arguments; gdb raises the semaphore through ptrace."""
    if not probe_tool.have("gdb"):
        unavailable("gdb is not installed")
    script = ["set pagination off"]
    for number, (name, row) in enumerate(ROWS.items(), 1):
        script += ["break -probe-stap t:" + name,
                   "ignore %d %d" % (number, TIMES - 1),
                   "commands", "silent",
                   'printf "value %s%s\\n"%s' % (
                       name, " %ld" * len(row), "".join(
                           ", $_probe_arg%d" % i for i in range(len(row)))),
                   "continue", "end"]
    script.append("run %d" % TIMES)
    (tmp_path / "script").write_text("\n".join(script) + "\n")
    run = subprocess.run(
        ["timeout", "300", "gdb", "-nx", "-batch", "-x", tmp_path / "script",
         program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    found = re.findall(r"^value (.*)$", run.stdout, re.M)
    assert sorted(found) == sorted(
        " ".join([name, *(str(signed(v)) for v in row)])
        for name, row in ROWS.items()), run.stdout


def test_bpftrace_on_a_running_program(program, unavailable):
    """A running program is traced from the moment of attaching."""
    if not probe_tool.have("bpftrace") or os.geteuid() != 0:
        unavailable("bpftrace is missing or not allowed")
    running = subprocess.Popen([program, str(TIMES), "wait"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdout.readline() == b"ready\n"
    tracer = subprocess.Popen(
        ["timeout", "300", "bpftrace", "-e",
         'BEGIN { printf("attached\\n"); } '
         "usdt:%s:t:count { @ = sum(arg0); if (arg0 == %d) { exit(); } }" % (
             program, TIMES)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    for line in tracer.stdout:
        if line == "attached\n":
            break
    running.stdin.write(b"\n")
    running.stdin.close()
    assert running.wait() == 0
    assert "@: %d" % sum(range(1, TIMES + 1)) in tracer.stdout.read()
    assert tracer.wait() == 0
