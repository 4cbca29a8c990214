# SPDX-License-Identifier: BSD-2-Clause
"""The demo server under sdtkit trace, without privilege: the output has what
the client did, and agrees with bpftrace. And ./dev demo where there is no
BPF."""

import collections
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import time

import pytest

from ports import free_port
from trace_lines import LIMIT, Line
from programs import which

FILES = 12
# The values of these arguments differ from one run to the next.
VARYING = {"session_id", "remote", "elapsed_ns"}


class Demo:
    """demo-server under a tracer, and the traffic of one client."""

    def __init__(self, folder, prefix, **options):
        self.folder = folder
        self.share = folder / "share"
        shutil.rmtree(self.share, ignore_errors=True)
        self.share.mkdir()
        self.share.chmod(0o777)
        self.process = subprocess.Popen(
            prefix + [folder / "demo-server", "--port", "0", self.share],
            stdout=subprocess.PIPE, text=True, **options)
        line = self.process.stdout.readline()
        self.port = re.search(r"127\.0\.0\.1:(\d+)", line)[1]

    def drive(self):
        """Runs the client and returns its report."""
        done = subprocess.run(
            [self.folder / "demo-client", "--port", self.port, "--json",
             "--files", str(FILES), "--size", "3000"], check=True,
            stdout=subprocess.PIPE, timeout=LIMIT)
        return json.loads(done.stdout)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=LIMIT)
        return self.process.returncode


@pytest.fixture
def folder(build, public):
    """Returns a directory where every user may run the demo and sdtkit."""
    demo = build / "examples" / "demo"
    if not (demo / "demo-server").exists():
        pytest.skip("the demo is not built here")
    for name in ("demo-server", "demo-client"):
        os.chmod(shutil.copy(demo / name, public), 0o755)
    for name in ("tool/sdtkit", "trace/libsdtkit-trace.so"):
        (public / name).parent.mkdir()
        os.chmod(shutil.copy(build / "lib" / name, public / name), 0o755)
    public.chmod(0o777)
    return public


def traced(folder, nobody, *options):
    """Returns the client's report and the lines of the trace."""
    out = folder / "lines"
    demo = Demo(folder, [folder / "tool" / "sdtkit", "trace", *options, "-o",
                         out, "--"], **nobody)
    report = demo.drive()
    assert demo.stop() == 0
    return report, out.read_text().splitlines()


def test_hits_are_what_the_client_did(folder, nobody):
    report, texts = traced(folder, nobody)
    lines = [Line(text) for text in texts]
    sent = {row["opcode"]: row["sent"] for row in report["requests"].values()
            if row["sent"]}
    for name in ("request_start", "request_exec", "request_end"):
        seen = collections.Counter(
            int(re.search(r"opcode=[A-Z_]+\((\d+)\)", line.arguments)[1])
            for line in lines if line.name == "smb2:" + name)
        assert seen == sent
    names = collections.Counter(line.name for line in lines)
    assert names["smbd:child_start"] == names["smbd:child_exit"] == 1
    assert names["tevent:loop_once_begin"] > 0
    # the server and its process for the client
    assert len({line.pid for line in lines}) == 2
    assert {line.pid for line in lines if line.name.startswith("smb2:")} == {
        int(re.search(r"pid=(\d+)", line.arguments)[1]) for line in lines
        if line.name == "smbd:child_start"}


def test_counts_are_what_the_client_did(folder, nobody):
    report, texts = traced(folder, nobody, "--totals",
                           "smb2:request_*,!smb2:request_notes")
    total = sum(row["sent"] for row in report["requests"].values())
    assert texts == ["    HITS  PROBE"] + [
        "%8d  smb2:request_%s" % (total, when)
        for when in ("details", "end", "exec", "start", "summary")]


def probes(folder):
    """Returns {probe: [(name, wire) of arguments]} of the provider smb2, from
    the notes of the server."""
    listing = subprocess.run(
        [folder / "tool" / "sdtkit", "list", "--json", folder / "demo-server",
         "smb2:*"], check=True, stdout=subprocess.PIPE).stdout
    return {probe["probe"]: [(a["name"], a["wire"])
                             for a in probe["arguments"]]
            for probe in json.loads(listing)["files"][0]["probes"]}


def compared(arguments, most):
    """Returns (index, name, wire) of the arguments whose values must be the
    same in both outputs."""
    return [(index, name, wire)
            for index, (name, wire) in enumerate(arguments[:most])
            if wire != "p" and name not in VARYING]


def clause(program, probe, arguments):
    """Returns a clause of bpftrace that prints a probe as sdtkit trace
    does."""
    text, values = [], []
    for index, name, wire in arguments:
        text.append("%s=%s" % (name, '\\"%s\\"' if wire == "z" else
                               "%ld" if wire[0] == "s" else "%lu"))
        values.append("str(arg%d)" % index if wire == "z" else
                      "arg%d" % index)
    line = "smb2:%s(%s)\\n" % (probe, ", ".join(text))
    return "usdt:%s:smb2:%s { printf(%s); }" % (
        program, probe, ", ".join(['"%s"' % line] + values))


def renew(path):
    """Replaces a file by a copy. After the end of a tracer, the kernel may
    take a moment to remove the breakpoints from a file."""
    copy = path.with_name(path.name + ".copy")
    os.chmod(shutil.copy(path, copy), 0o755)
    os.replace(copy, path)


def without_pid(lines):
    """Removes the process ID from the name of the client's directory."""
    return sorted(re.sub(r"demo-\d+", "demo-PID", line) for line in lines)


def digits_of_pid(lines):
    """How long the name of the client's directory is, and so its requests."""
    return {len(pid) for line in lines
            for pid in re.findall(r"demo-(\d+)", line)}


def bpftraced(folder, known, unavailable):
    """Returns the lines that bpftrace prints for the same traffic."""
    demo = Demo(folder, [])
    script = 'BEGIN { printf("attached\\n"); }\n' + "\n".join(
        clause(folder / "demo-server", probe, arguments)
        for probe, arguments in known.items())
    out = folder / "bpftrace"
    with out.open("w") as output:
        tracer = subprocess.Popen(
            ["timeout", str(LIMIT), "bpftrace", "-B", "none", "-e", script],
            stdout=output, stderr=subprocess.DEVNULL)
    try:
        if not until(lambda: "attached" in out.read_text(), tracer):
            unavailable("bpftrace does not trace here")
        demo.drive()
        until(lambda: "smb2:session_end" in out.read_text(), tracer)
    finally:
        while tracer.poll() is None:
            tracer.send_signal(signal.SIGINT)
            select.select([], [], [], 0.5)
        demo.stop()
    return [line for line in out.read_text().splitlines()
            if line.startswith("smb2:")]


def until(condition, process):
    end = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < end:
        if process.poll() is not None:
            return False
        time.sleep(0.05)
    return condition()


def test_values_are_those_of_bpftrace(folder, nobody, unavailable):
    if os.geteuid() != 0 or which("bpftrace") is None:
        unavailable("no bpftrace, or not root")
    known = {probe: compared(arguments, 6)
             for probe, arguments in probes(folder).items()
             # one more after each pause of the server's
             if probe != "request_notes"}
    theirs = bpftraced(folder, known, unavailable)
    for _ in range(5):
        renew(folder / "demo-server")
        _, texts = traced(folder, nobody, "--time", "none",
                          "smb2:*,!smb2:request_notes")
        if digits_of_pid(theirs) == digits_of_pid(texts):
            break
        theirs = bpftraced(folder, known, unavailable)
    ours = []
    for text in texts:
        name, arguments = re.fullmatch(r"\d+ +smb2:(\w+)\((.*)\)",
                                       text).groups()
        # names of values are not what bpftrace prints
        arguments = re.sub(r"=\w+\((-?\d+)\)", r"=\1", arguments)
        values = dict(re.findall(r'(\w+)=("[^"]*"|[^,]+)', arguments))
        ours.append("smb2:%s(%s)" % (name, ", ".join(
            "%s=%s" % (key, values[key]) for _, key, _ in known[name])))
    assert len(ours) > 10 * FILES
    assert without_pid(ours) == without_pid(theirs)


def test_first_commands_of_the_manual(source, build, tmp_path):
    """The commands of the page, with other directories and another port."""
    if not (build / "examples" / "demo" / "demo-server").exists():
        pytest.skip("the demo is not built here")
    manual = (source / "docs" / "trace.md").read_text()
    script = re.search(r"```\n(mkdir.*?)```\n", manual, re.DOTALL)[1]
    for old, new in (("/tmp/", "%s/" % tmp_path), ("build/", shlex.quote("%s/" % build)),
                     ("demo-server ", "demo-server --port %d "),
                     # until it listens, however long it takes to start
                     ("sleep 1\n", "until grep -q ':%04X 00000000:0000 0A' "
                      "/proc/net/tcp; do sleep 0.1; done\n"),
                     ("demo-client ", "demo-client --port %d ")):
        assert old in script
        script = script.replace(old, new)
    port = free_port()
    done = subprocess.run(["sh", "-c", script % (3 * (port,))], text=True,
                          stdout=subprocess.PIPE, timeout=LIMIT)
    lines = [line for line in done.stdout.splitlines() if "smb2:" in line]
    assert done.returncode == 0 and len(lines) >= 6
    assert all(re.search(r"  \d+ +smb2:create_(start|done)\(mid=", line)
               for line in lines)


def test_demo_without_bpf(build, source, tmp_path):
    """Without BPF, ./dev demo shows the output of sdtkit trace and says so."""
    if not (build / "examples" / "demo" / "demo-server").exists():
        pytest.skip("the demo is not built here")
    bpftrace = tmp_path / "bpftrace"
    bpftrace.write_text("#!/bin/sh\necho ERROR: forbidden >&2\nexit 1\n")
    bpftrace.chmod(0o755)
    environment = dict(os.environ, SDTKIT_BUILD=str(build), DEMO_FILES="20",
                       PATH="%s:%s" % (tmp_path, os.environ["PATH"]))
    done = subprocess.run(
        ["bash", source / "examples" / "demo" / "run.sh"], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        timeout=LIMIT)
    assert done.returncode == 0, done.stdout
    assert re.search(
        "^No bpftrace: (not root|bpftrace cannot trace here: ERROR: forbidden)"
        "\\.\nTraced by sdtkit trace instead", done.stdout, re.M)
    counts = dict(re.findall(r"(\w+) +(\d+) requests, average +\d+ us",
                             done.stdout))
    sent = dict(re.findall(r"^   ([A-Z_]+) +(\d+) +\d+ +0 ", done.stdout,
                           re.M))
    assert counts and counts == sent
