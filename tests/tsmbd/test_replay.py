# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd --history records, and tsmbd replay tells the same again."""

import json
import os
import re
import signal
import subprocess
import xml.etree.ElementTree

import pytest

from demo_server import LIMIT, Server
from tsmbd_run import Tsmbd, is_same, validate


@pytest.fixture
def replay(program):
    """replay(option...): its output; fails if it prints to stderr."""
    def run(*args, fails=False):
        result = subprocess.run(
            [program, "replay", *args], timeout=LIMIT, capture_output=True,
            text=True)
        assert result.returncode == (1 if fails else 0), result.stderr
        return result.stderr if fails else result.stdout

    return run


@pytest.fixture(scope="module")
def recorded(build, program, privileged, tmp_path_factory):
    """A history, and the reports that were printed meanwhile."""
    top = tmp_path_factory.mktemp("recorded")
    server = Server(build, top / "served", top / "log")
    tracer = Tsmbd(program, "-p", str(server.pid), "--json", "-i", "1",
                   "--slow=0", "--oplocks", "--top=clients,shares",
                   "--lines=100", "--history=%s" % (top / "history.db"))
    assert server.client("--files", "10").returncode == 0
    reports, events = tracer.reports()
    server.stop()
    server.process.stdout.close()
    return top / "history.db", reports, events


def lines(output):
    found = [json.loads(line) for line in output.splitlines()]
    for line in found:
        validate(line)
    return found


def without_names(report):
    return {key: value for key, value in report.items() if key != "top"}


def total(reports, member):
    return sum(report[member] for report in reports)


def test_each_report_again(recorded, replay):
    history, reports, _ = recorded
    again = lines(replay("--history", str(history), "-j", "-i", "1",
                         "--oplocks"))
    # the last one is shorter and may be a part of the one before
    assert len(again) >= len(reports) - 2
    assert all(is_same(without_names(one), without_names(report))
               for one, report in zip(again, reports[:-2]))


def test_sum(recorded, replay):
    history, reports, _ = recorded
    report, = lines(replay("--history", str(history), "-j",
                           "--top=clients,shares", "--lines=100"))
    for member in ("requests", "bytes_in", "bytes_out", "events"):
        assert report[member] == total(reports, member)
    assert report["processes"] == 1
    counts = {}
    for row in (row for each in reports for row in each["operations"]):
        counts[row["name"]] = counts.get(row["name"], 0) + row["count"]
    assert {row["name"]: row["count"]
            for row in report["operations"]} == counts
    for kind in ("clients", "shares"):
        assert (total(report["top"][kind], "requests") ==
                sum(total(each["top"][kind], "requests") for each in reports))


def test_merged_with_itself_elsewhere(recorded, replay, program, tmp_path):
    """A history and a file are merged as well; sums equal both."""
    history, _, _ = recorded
    report, = lines(replay("--history", str(history), "-j"))
    other = tmp_path / "beta.json"
    other.write_text(json.dumps(dict(report, host="beta")))
    output = subprocess.run([program, "merge", "-j", history, other],
                            timeout=LIMIT, stdout=subprocess.PIPE, check=True,
                            universal_newlines=True).stdout
    both, = lines(output)
    assert both["host"] == report["host"] + ",beta"
    for member in ("requests", "bytes_in", "events", "processes"):
        assert both[member] == 2 * report[member]
    assert ({row["name"]: row["slots"] for row in both["operations"]} ==
            {row["name"]: {least: 2 * count
                           for least, count in row["slots"].items()}
             for row in report["operations"]})


def test_slow_requests(recorded, replay):
    history, _, events = recorded
    slow = [line for line in lines(replay("--history", str(history), "-j",
                                          "--slow=0")) if "event" in line]
    assert slow
    assert all(line in events for line in slow)


def test_list_and_pictures(recorded, replay, tmp_path):
    history, _, _ = recorded
    listed = replay("--history=%s" % history, "--list").splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  .{19}  second  .*",
                        listed[1])
    picture = tmp_path / "map.svg"
    text = replay("--history=%s" % history, "-d",
                  "--heatmap=%s" % picture, "--from", "-1h")
    assert "SMB2_OP_CREATE distribution" in text
    assert "SMB2_OP_CREATE" in xml.etree.ElementTree.tostring(
        xml.etree.ElementTree.parse(str(picture)).getroot(),
        encoding="unicode")


REFUSED = [
    (["--flame=x.svg"], "--flame is not possible with replay"),
    (["-s"], "recorded without -s"),
    (["--errors"], "recorded without --errors"),
    (["--from", "yesterday"], "invalid value 'yesterday' for --from"),
    (["--from=now", "--to=-1h"], "--from is not before --to"),
    (["--to", "@1000000000"], "nothing was recorded in this time"),
]


def test_refuses(recorded, replay):
    history, _, _ = recorded
    for args, words in REFUSED:
        assert words in replay("--history=%s" % history, *args, fails=True)


def test_killed(tsmbd, server, replay, tmp_path):
    """What was printed before is there, also for somebody else."""
    history = tmp_path / "history.db"
    tracer = tsmbd("--json", "-i", "1", "--history=%s" % history)
    assert server.client("--files", "10").returncode == 0
    printed = json.loads(tracer.process.stdout.readline())
    again = lines(replay("--history=%s" % history, "-j", "-i", "1"))
    assert is_same(without_names(again[0]), without_names(printed))
    tracer.process.send_signal(signal.SIGKILL)
    tracer.process.wait()
    again = lines(replay("--history=%s" % history, "-j", "-i", "1"))
    assert is_same(without_names(again[0]), without_names(printed))
    for path in tmp_path.glob("history.db*"):
        assert os.stat(str(path)).st_mode & 0o007 == 0


def test_a_damaged_file_is_said(recorded, program, tmp_path):
    history = tmp_path / "history.db"
    content = bytearray(recorded[0].read_bytes())
    content[len(content) // 2:] = b"\xff" * (len(content) // 2)
    history.write_bytes(content)
    (tmp_path / "text").write_text("{}\n")
    for path, words in ((history, "is damaged: "),
                        (tmp_path / "text", "not a history of tsmbd"),
                        (tmp_path, "is a directory: give the name of a file"),
                        (tmp_path / "none", "cannot open ")):
        result = subprocess.run(
            [program, "replay", "--history=%s" % path, "-j"], timeout=LIMIT,
            capture_output=True, text=True)
        assert result.returncode == 1
        assert words in result.stderr and str(path) in result.stderr


@pytest.mark.thorough
def test_only_one_writes(tsmbd, server, program, tmp_path):
    history = tmp_path / "history.db"
    tsmbd("--history=%s" % history)
    result = subprocess.run(
        [program, "-p", str(server.pid), "--history=%s" % history],
        timeout=LIMIT, capture_output=True, text=True)
    assert result.returncode == 1
    assert "another tsmbd writes to" in result.stderr


@pytest.mark.parametrize("mode, words", [
    (0o777, "everybody can write to"), (None, "cannot create"),
])
def test_directory_is_refused(program, server, tmp_path, mode, words):
    if os.geteuid() != 0:
        pytest.skip("tsmbd needs root")
    history = tmp_path / "folder"
    if mode is not None:
        history.mkdir()
        history.chmod(mode)
    history = history / "history.db"
    result = subprocess.run(
        [program, "-p", str(server.pid), "--history=%s" % history],
        timeout=LIMIT, capture_output=True, text=True)
    assert result.returncode == 1
    assert words in result.stderr


def test_hints_of_usage(program):
    """They name the help of the command that was called."""
    for command, wrong in (("replay", ["--from", "never"]),
                           ("replay", ["--zzz"]), ("merge", []),
                           ("merge", ["--lines=0", "x"])):
        done = subprocess.run([program, command, *wrong], timeout=LIMIT,
                              stderr=subprocess.PIPE, universal_newlines=True)
        assert done.returncode == 1
        assert done.stderr.endswith("\nTry 'tsmbd %s --help'.\n" % command)


@pytest.mark.parametrize("options", [
    ("replay", "--html=%s"), ("replay", "--heatmap=%s"),
    ("--html=%s",), ("--textfile=%s",),
    ("serve", "--check-config", "--html=%s")])
def test_nothing_is_written_over_the_history(program, tmp_path, options):
    path = tmp_path / "history.db"
    path.write_text("kept")
    done = subprocess.run(
        [program, *[option.replace("%s", str(path)) for option in options],
         "--history=%s" % path],
        timeout=LIMIT, stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 1
    assert "cannot write to the same file" in done.stderr
    assert path.read_text() == "kept"
