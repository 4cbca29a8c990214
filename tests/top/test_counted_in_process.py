# SPDX-License-Identifier: BSD-2-Clause
"""Spans that the recorder of a process counts: the numbers are those of the
kernel, and need no privilege."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] /
                    "examples" / "samba"))

import ways                     # noqa: E402
from demo_server import Server
from top_run import LIMIT, Acts, Top

LINES = [
    "start 1 1 100", "start 2 2 7", "end 2 0 5", "end 1 -5 50",
    "start 3 -3 1", "cancel 3", "begin 7;begin 8;begin 9",
    "tell 7 1 0 5000 20", "tell 8 1 3 70000 2", "brief 9 2 900", "start 4 1 0;wait 4;nap 5;go 4;end 4 0 0", "many 200",
    "start 5 1 0;part 9 5;whole 9;end 5 0 0", "loop 3000", "files 5",
    "thread start 6 2 9", "thread end 6 1 4", "fork start 7 1 1;end 7 0 1",
    "recurse 4", "start 8 1 0"]


@pytest.fixture
def counted(acts, build, tmp_path):
    """counted(): the acts, with a recorder that counts or, without patterns,
    can count. They end after the test."""
    started = []

    def start(patterns="acts:*", program=None, library=None, folder=tmp_path,
              options="", **more):
        library = library or build / "lib/record/libsdtkit-recorder.so"
        name = "SDTKIT_RECORDER_COUNT" if patterns else "SDTKIT_RECORDER"
        started.append(Acts(program or acts(), env=dict(
            os.environ, LD_PRELOAD=library.name,
            LD_LIBRARY_PATH=str(library.parent),
            SDTKIT_RECORDER_OPTIONS="traps,dir=%s%s" % (folder, options),
            **{name: patterns or "acts:tick"}), **more))
        started[-1].do("tick 1")
        return started[-1]
    yield start
    for actor in started:
        if actor.process.poll() is None:
            actor.end()


def exact(rows):
    return {name: [row.get(key) for key in ("count", "errors", "sums")]
            for name, row in rows.items()}


@pytest.mark.parametrize("patterns", ["acts:*", None])
def test_both_ways_at_once(sdtkit, counted, privileged, patterns):
    actor = counted(patterns)
    actor.do("start 1 1 1000", "end 1 0 5")     # before both
    tops = [Top(sdtkit, "-p", str(actor.pid), "--json", "--via=" + via)
            for via in ("kernel", "recorder")]
    actor.do(*LINES)
    (kernel, in_kernel), (recorder, totals) = [top.report() for top in tops]
    assert exact(recorder) == exact(kernel)
    assert kernel["request", "ACTS_READ"]["count"] > 1000
    assert {row["span"] for row in kernel.values()} == {
        "request", "part", "call", "file", "told", "brief"}
    for span in totals:
        for key in "started", "ended", "under_way", "restarted", "lost":
            assert totals[span][key] == in_kernel[span][key], (span, key)
    assert totals["request"]["under_way"] == 1
    # these spans tell how long they took
    for name in ("told", "ACTS_READ"), ("brief", "ACTS_WRITE"):
        for key in "sum_us", "max_us", "p50_us", "p99_us":
            assert recorder[name][key] == kernel[name][key]


class Counted(Server):
    """A demo server whose recorder counts all of its spans."""

    def __init__(self, build, folder):
        self.environment = dict(os.environ, **ways.preloaded(
            build, folder, "*:*"))
        super().__init__(build, folder / "served", folder / "log",
                         "demo-ways")

    def start(self, **more):
        super().start(env=self.environment, **more)


@pytest.mark.thorough
def test_a_server_both_ways_at_once(sdtkit, build, privileged, tmp_path):
    """All spans but those in which its parent waits for a client, which begin
    before it is watched: only the recorder has seen that."""
    if not (build / "examples" / "demo" / "demo-server").exists():
        pytest.skip("the demo server was not built: it needs libtevent")
    server = Counted(build, tmp_path)
    try:
        tops = [Top(sdtkit, "-p", str(server.pid), "--json", "-d",
                    "--via=" + way, "smb2:*", "smbd:*", "smbnet:*", "vfs:*",
                    "tevent:fd") for way in ways.WAYS]
        assert server.client("--files", "100").returncode == 0
        server.stop()       # its child lives longer than the client
        kernel, recorder = [top.lines()[-1] for top in tops]
    finally:
        server.end()
    assert ways.differences(kernel, recorder) == []
    counts = {(row["span"], row["name"]): row["count"]
              for row in kernel["spans"]}
    assert counts["request", "READ"] == counts["read", None] == 100
    assert len({row["span"] for row in kernel["spans"]}) > 10


FILTERS = ["request/status!=0 out<50/", 'call/function=="ho*k"/',
           "told/op==ACTS_READ elapsed_ns>10us/", "part", "brief", "file"]


@pytest.mark.parametrize("patterns", ["acts:*", None])
def test_filters(sdtkit, counted, privileged, patterns):
    """A process that counts already counts once more, by the filters."""
    actor = counted(patterns)
    tops = [Top(sdtkit, "-p", str(actor.pid), "--json", "--via=" + via,
                *FILTERS) for via in ("kernel", "recorder")]
    actor.do(*LINES, "tell 9 1 0 70000 3", "start 9 1 1", "end 9 -1 7",
             *("%s %s" % (verb, name) for name in ("home", "homework", "hok")
               for verb in ("enter", "leave")))
    (kernel, in_kernel), (recorder, totals) = [top.report() for top in tops]
    assert exact(recorder) == exact(kernel)
    assert {name for span, name in kernel if span == "call"} == {
        "homework", "hok"}
    assert kernel["told", "ACTS_READ"]["count"] == 2
    assert kernel["request", "ACTS_READ"]["count"] == 1
    assert ("part", None) in kernel
    for span in totals:
        for key in "started", "ended", "under_way", "restarted", "lost":
            assert totals[span][key] == in_kernel[span][key], (span, key)


def test_a_filter_of_the_environment(sdtkit, counted):
    actor = counted("acts:told/status!=0/,acts:request")
    run = subprocess.run(
        [sdtkit, "top", "-p", str(actor.pid), "-w", "0.1"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        universal_newlines=True, timeout=LIMIT)
    assert run.stderr.startswith(
        "sdtkit top: process %d: a filter of its recorder leaves out some of "
        "acts:told\n" % actor.pid)


def test_a_filter_needs_one_that_listens(sdtkit, counted):
    actor = counted("acts:*", options=",nolisten")
    run = subprocess.run(
        [sdtkit, "top", "-p", str(actor.pid), "--via=recorder",
         "told/status!=0/"], stderr=subprocess.PIPE, universal_newlines=True,
        timeout=LIMIT)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: process %d: it has no recorder that listens, which a "
        "filter needs\n" % actor.pid)


def test_reports_are_of_their_time(sdtkit, counted):
    actor = counted("acts:told")
    actor.do("tell 1 1 0 900000 1")
    top = Top(sdtkit, "-p", str(actor.pid), "--json", "-i", "1", "told")
    actor.do("tell 1 1 0 5000 10")
    first = line = top.next_line()
    while not json.loads(line)["spans"]:
        line = top.next_line()
        first += line
    actor.do("tell 1 1 0 70000 3")
    reports = top.lines(before=first)
    assert {report["via"] for report in reports} == {"recorder"}
    rows = [row for report in reports for row in report["spans"]]
    assert [(row["count"], row["sum_us"], row["sums"]) for row in rows] == [
        (1, 5.0, {"bytes": 10}), (1, 70.0, {"bytes": 3})]
    # the longest of all time is not that of a report
    for row, longest in zip(rows, (5, 70)):
        assert longest <= row["max_us"] <= longest * 9 / 8


def test_a_process_that_ends(sdtkit, counted):
    actor = counted()
    top = Top(sdtkit, "-p", str(actor.pid), "request", "--plain")
    actor.do("start 1 1 100;end 1 0 50", "start 2 1 1;end 2 0 1")
    actor.end()
    text = top.process.communicate(timeout=LIMIT)[0]
    assert text.startswith("counted by recorders, without the kernel\nSPAN ")
    assert "  bytes=101 out=51\n" in text


@pytest.mark.parametrize("words, message", [
    (["--slow", "1"], "--via=recorder and --slow cannot be used together"),
    (["--flame", "x.svg"], "--via=recorder and --flame cannot be used"),
    (["--by", "bytes", "request"], "--via=recorder and --by cannot be used"),
    (["acts:tick"], "and probes without a span cannot be used together"),
    (["--span", "own: request_start..request_end key=key", "own"],
     "not counted by a recorder: acts:own\n")])
def test_what_a_recorder_cannot_do(sdtkit, counted, tmp_path, words, message):
    run = subprocess.run(
        [sdtkit, "top", "-p", str(counted().pid), "--via=recorder", "-w",
         "0.1", *words], capture_output=True, text=True, timeout=LIMIT,
        cwd=tmp_path)
    assert message in run.stderr and run.returncode in (1, 2)


def test_a_child_has_the_numbers_of_all(sdtkit, build, tmp_path, privileged):
    """By default, the kernel counts what is the child's own."""
    with subprocess.Popen(
            [build / "tests/count/test-count", "work", "fork", "wait"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(
                os.environ, SDTKIT_RECORDER_COUNT="counted:*",
                SDTKIT_RECORDER_OPTIONS="traps,dir=%s" % tmp_path,
                LD_PRELOAD="libsdtkit-recorder.so",
                LD_LIBRARY_PATH=str(build / "lib/record"))
            ) as parent:
        child = parent.stdout.readline().decode().strip()
        runs = [subprocess.run(
            [sdtkit, "top", "-p", child, "-w", "0.1", "--json", *words],
            capture_output=True, text=True, timeout=LIMIT)
                for words in ([], ["--via=recorder"])]
        parent.communicate(b"\n\n", timeout=LIMIT)
    assert [json.loads(run.stdout)["via"] for run in runs] == [
        "kernel", "recorder"]
    assert ("process %s counts together with process %d" %
            (child, parent.pid)) in runs[1].stderr


def test_no_recorder(sdtkit, acts):
    actor = Acts(acts())
    run = subprocess.run(
        [sdtkit, "top", "-p", str(actor.pid), "--via=recorder"],
        stderr=subprocess.PIPE, universal_newlines=True, timeout=LIMIT)
    actor.end()
    assert run.returncode == 2 and "recorder" in run.stderr


@pytest.mark.parametrize("option", ["-p", "-n"])
def test_an_ordinary_user(sdtkit, acts, build, counted, option):
    nobody = {"user": "nobody", "group": "nogroup", "extra_groups": []}
    with tempfile.TemporaryDirectory(prefix="sdtkit-top-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o777)
        for path in (sdtkit, acts(),
                     build / "lib/record/libsdtkit-recorder.so"):
            os.chmod(shutil.copy(path, folder / path.name), 0o755)
        user = nobody if os.geteuid() == 0 else {}
        actor = counted(program=folder / acts().name, folder=folder,
                        library=folder / "libsdtkit-recorder.so", **user)
        top = Top(folder / "sdtkit", option, str(actor.pid) if option == "-p"
                  else acts().name, "--json", **user)
        actor.do(*LINES)
        rows, _ = top.report()
        actor.end()
    told = rows["told", "ACTS_READ"]
    assert (told["count"], told["errors"], told["sums"]) == (
        2, 1, {"bytes": 22})


def test_more_names_than_the_kernel_has(sdtkit, acts, counted, tmp_path):
    """What comes at a time in ten processes, while the command is stopped: the
    names that are too many are one row."""
    program = shutil.copy(str(acts()), str(tmp_path / "many-names"))
    actors = [counted("acts:told", program) for _ in range(10)]
    top = Top(sdtkit, "-n", "many-names", "--via=recorder", "--json", "told")
    top.process.send_signal(signal.SIGSTOP)
    for number, actor in enumerate(actors):
        actor.do(*("tell 1 %d 0 5000 1" % name
                   for name in range(number * 900, (number + 1) * 900)))
    top.process.send_signal(signal.SIGCONT)
    rows, totals = top.report()
    assert totals["told"]["ended"] == sum(
        row["count"] for row in rows.values()) == 9000
    assert rows["told", "(other)"]["count"] == 9000 - 8192


def test_a_text_of_two_processes(sdtkit, acts, counted, tmp_path):
    """Each recorder has its own number for a text."""
    program = shutil.copy(str(acts()), str(tmp_path / "same-texts"))
    actors = [counted("acts:call", program) for _ in range(2)]
    top = Top(sdtkit, "-n", "same-texts", "--via=recorder", "--json", "call")
    for actor in actors:
        actor.do("enter f;leave f")
    (row,) = top.lines()[-1]["spans"]
    assert (row["name"], row["count"]) == ("f", 2)
