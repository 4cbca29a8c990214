# SPDX-License-Identifier: BSD-2-Clause
"""Incidents: when they are saved, what is in the files, and how many remain."""

import fcntl
import json
import os
import pwd
import re
import resource
import signal
import stat
import subprocess
import xml.etree.ElementTree

import pytest

import demo_wire as w
from demo_server import LIMIT
from test_counts import run_clients
from test_pictures import boxes, read, texts
from test_serve import NAME as SERVED, serve    # noqa: F401
from tsmbd_run import validate

FILES = ["heatmap.svg", "incident.json", "report.json", "report.txt",
         "slow.json", "slow.txt", "waits.txt"]
NAME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ-"
WHEN = "p99(CREATE) > 50ms for 3s"
SLOW, FAST = "5:10x60000", "5:10x100"


@pytest.fixture
def program_fed(build, program):
    return build / "tests" / "tsmbd" / "tsmbd-incident"


@pytest.fixture
def feed(program_fed, tmp_path):
    """feed(second..., option=): the messages of tsmbd; save is the directory."""
    def run(*seconds, when=(WHEN,), options=(), save="save", status=0,
            **kwargs):
        args = ["--when=" + one for one in when]
        if save is not None:
            args.append("--save=%s" % (tmp_path / save))
        done = subprocess.run(
            [program_fed, *args, *options], cwd=tmp_path,
            input="".join(second + "\n" for second in seconds),
            capture_output=True, text=True, timeout=LIMIT, **kwargs)
        assert done.returncode == status, done.stderr
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        return [line.partition(": ")[2] for line in lines
                if line.startswith("tsmbd-incident: ")]
    return run


@pytest.fixture
def saved(tmp_path):
    """saved(): the directories, the oldest first."""
    def run(save="save"):
        return sorted((tmp_path / save).iterdir())
    return run


def load(path):
    return json.loads(path.read_text())


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def requests(report):
    return sum(op["count"] for op in report["operations"])


def test_one_incident(feed, saved):
    messages = feed("40*" + FAST, "5*%s slow" % SLOW, SLOW + " waits",
                    "20*" + FAST)
    one, = saved()
    assert re.fullmatch(NAME + "p99-CREATE", one.name)
    assert messages == [
        "incident: %s: p99(CREATE) is 60.0 ms" % WHEN,
        "incident is over after 6 s: %s: p99(CREATE) reached 60.0 ms; saved "
        "in %s" % (WHEN, one)]
    assert sorted(path.name for path in one.iterdir()) == FILES
    assert stat.S_IMODE(one.stat().st_mode) == 0o750
    for path in one.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    reports = lines(one / "report.json")
    for report in reports:
        validate(report)
    assert [requests(report) for report in reports] == [300, 60, 100]
    assert [report["elapsed_us"] for report in reports] == [
        30000000, 6000000, 10000000]
    assert [len(report["waits"]) for report in reports] == [0, 1, 0]
    slow = lines(one / "slow.json")
    for line in slow:
        validate(line)
    assert [line["mid"] for line in slow] == [1, 2, 3, 4, 5]
    assert len((one / "slow.txt").read_text().splitlines()) == 6
    text = (one / "report.txt").read_text()
    assert re.findall("=== (.*) ===", text) == [
        "BEFORE the incident: 30 s", "DURING the incident: 6 s",
        "AFTER it held last: 10 s"]
    waits = (one / "waits.txt").read_text()
    assert "ipv4:192.0.2.7             ipv4:192.0.2.8" in waits
    assert waits.count("No open waited") == 2


def test_what_the_description_has(feed, saved):
    feed("2*" + FAST, "3*" + SLOW, "8:1x5", "4*" + FAST, "2*" + SLOW,
         "15*" + FAST, when=["p99(CREATE) > 50ms and rate(*) < 50/s for 3s"])
    one, = saved()
    found = load(one / "incident.json")
    assert found["condition"] == (
        "p99(CREATE) > 50ms and rate(*) < 50/s for 3s")
    assert (found["over"], found["left_out"]) == (True, 0)
    assert found["reports"] == ["before", "during", "after"]
    assert [[term["name"], term["compare"], term["limit"], term["unit"],
             term["worst"]] for term in found["terms"]] == [
        ["p99(CREATE)", ">", 50000, "us", 60000],
        ["rate(*)", "<", 50.0, "/s", 10.0]]
    seconds = found["seconds"]
    assert [second["holds"] for second in seconds] == (
        ["no"] * 2 + ["yes"] * 3 + ["no"] * 5 + ["yes"] * 2 + ["no"] * 10)
    assert [second["values"] for second in seconds[1:6]] == [
        [100, 10.0]] + [[60000, 10.0]] * 3 + [[None, 1.0]]
    assert seconds[1]["time"] == found["begin"]
    assert seconds[4]["time"] == found["known"]
    assert seconds[11]["time"] == found["last"]
    # what came in the middle is a part of it
    assert [requests(report) for report in lines(one / "report.json")] == [
        20, 91, 100]


def test_pictures_are_of_these_seconds(feed, saved):
    feed("90*8:7x5", "3*" + SLOW, "20*" + FAST)
    found = texts(read(saved()[0] / "heatmap.svg"))
    counts = {found[i]: found[i + 1].split()[0] for i in range(len(found))
              if found[i].startswith("SMB2_OP_")}
    assert counts == {"SMB2_OP_READ": "210", "SMB2_OP_CREATE": "130"}


def test_nothing_is_saved_if_it_does_not_last(feed, saved):
    assert feed("2*" + SLOW, FAST, "2*" + SLOW, FAST) == []
    assert saved() == []


def test_two_incidents(feed, saved):
    messages = feed("3*" + SLOW, "297*" + FAST, "3*" + SLOW, "11*" + FAST)
    assert len(messages) == 4
    assert len(saved()) == 2


def test_one_that_flaps_is_left_out(feed, saved):
    messages = feed(*["3*" + SLOW, "12*" + FAST] * 21)
    assert len(messages) == 4 and len(saved()) == 2
    assert "reported, there were 19 more" in messages[2]
    assert [load(one / "incident.json")["left_out"] for one in saved()] == [
        0, 19]
    messages = feed(*["3*" + SLOW, "12*" + FAST] * 4, save="more",
                    when=[WHEN + " again 30s"])
    assert len(messages) == 4 and len(saved("more")) == 2


def test_two_conditions(feed, saved):
    messages = feed("5*%s 8:1x9" % SLOW, "12*" + FAST,
                    when=[WHEN, "rate(READ) >= 1/s for 5s", "lost > 0"])
    assert len(messages) == 4
    assert [one.name.partition("Z-")[2] for one in saved()] == [
        "p99-CREATE", "rate-READ"]


def test_without_a_directory_there_are_messages(feed, tmp_path):
    before = os.listdir(tmp_path)
    assert len(feed("3*" + SLOW, "12*" + FAST, save=None)) == 2
    assert os.listdir(tmp_path) == before


def test_a_long_one_is_saved_after_a_minute(feed, saved):
    messages = feed("5*" + FAST, "100*" + SLOW, "12*" + FAST)
    one, = saved()
    assert [message.split(":")[0] for message in messages] == [
        "incident", "incident goes on", "incident is over after 100 s"]
    assert messages[2].endswith("saved in " + str(one))
    found = load(one / "incident.json")
    assert not found["over"] and found["reports"] == ["before", "during"]
    assert len(found["seconds"]) == 5 + 3 + 60


def test_it_is_saved_if_tsmbd_ends(feed, saved):
    message = feed("4*" + SLOW)[1]
    one, = saved()
    assert message == "incident goes on: %s; saved in %s" % (WHEN, one)
    assert load(one / "incident.json")["reports"] == ["during"]
    assert requests(*lines(one / "report.json")) == 40


def test_only_the_last_lines_are_kept(feed, saved):
    feed(SLOW, SLOW, "%s%s" % (SLOW, " slow" * 700), SLOW + " slow" * 700,
         SLOW + " slow" * 700)
    one, = saved()
    slow = lines(one / "slow.json")
    assert [slow[0]["mid"], slow[-1]["mid"], len(slow)] == [101, 2100, 2000]
    assert (one / "slow.txt").read_text().endswith(
        "There were more: these are the last 2000.\n")


@pytest.mark.parametrize("when, ms", [
    (["p99(CREATE) > 50ms", "max(*) > 20ms and lost < 5"], 20),
    (["rate(*) > 5"], 100), (["avg(READ) > 300us"], 0.3)])
def test_which_lines_are_asked_for(program_fed, tmp_path, when, ms):
    args = ["--when=" + one for one in when]
    for more, expected in ([], ms), (["--slow=70"], min(ms, 70)):
        done = subprocess.run(
            [program_fed, "--save=save", *args, *more], cwd=tmp_path,
            input="", stderr=subprocess.PIPE, universal_newlines=True)
        assert done.stderr == "slow %g\n" % expected
    done = subprocess.run(
        [program_fed, *args], cwd=tmp_path, input="",
        stderr=subprocess.PIPE, universal_newlines=True)
    assert done.stderr == "slow -1\n"


def test_names_have_a_limit(feed, saved):
    feed("2*%s clients=40" % FAST, "3*%s clients=40" % SLOW,
         options=["--top=clients", "--lines=99"])
    for report, count in zip(lines(saved()[0] / "report.json"), (2, 3)):
        found = {row["name"]: row["requests"]
                 for row in report["top"]["clients"]}
        assert found.pop("(other)") == 16 * count
        assert found == {"client-%d" % i: count for i in range(1, 25)}


def test_hostile_names(feed, saved):
    feed("names", "3*%s slow waits" % SLOW)
    one, = saved()
    for path in one.iterdir():
        data = path.read_bytes()
        assert b"\x1b" not in data, path
        data.decode()
        if path.suffix == ".svg":
            xml.etree.ElementTree.parse(path)
    text = (one / "slow.txt").read_text().splitlines()
    assert len({len(line.split()) for line in text}) == 1
    assert "a\nb\x1b[2J\"<script>" in lines(one / "slow.json")[0]["file"]


INCIDENTS = ["3*%s slow" % SLOW, "12*" + FAST] * 30
OFTEN = [WHEN + " again 1s"]


def test_the_oldest_are_removed(feed, saved, tmp_path):
    (tmp_path / "save").mkdir()
    feed(*INCIDENTS, when=OFTEN, options=["--save-size=1"])
    used = sum(path.stat().st_blocks * 512 for one in saved()
               for path in one.iterdir())
    assert 0.9 * 2**20 < used <= 2**20
    first = [load(one / "incident.json")["begin"] for one in saved()]
    assert len(first) < 30
    feed("3*" + SLOW, "2*" + FAST, options=["--save-size=1"])
    used = sum(path.stat().st_blocks * 512 for one in saved()
               for path in one.iterdir())
    assert used <= 2**20


def test_one_that_is_too_large(feed, saved):
    messages = feed("names", "3*%s%s" % (SLOW, 700 * " slow"), "12*" + FAST,
                    options=["--save-size=1"])
    assert saved() == []
    assert "--save-size does not allow that" in messages[1]
    assert messages[2].startswith("incident is over after 3 s: ")
    assert "saved in" not in messages[2]


def test_what_others_made_stays(feed, saved, tmp_path):
    save = tmp_path / "save"
    kept = ["notes", "2020-01-01T00:00:00Z-p99-CREATE",
            "2020-01-02T00:00:00Z-mine", "2020-01-03T00:00:00Z-p99-READ"]
    for name in kept[:3]:
        (save / name).mkdir(parents=True)
        (save / name / "report.txt").write_text("x" * 4096)
    (save / kept[2] / "incident.json").write_text("{}")
    (save / kept[2] / "notes.txt").write_text("to be kept")
    target = tmp_path / "target"
    target.mkdir()
    (target / "incident.json").write_text("{}")
    (save / kept[3]).symlink_to(target)
    (save / ".tsmbd-incident-abcdef").mkdir()
    (save / ".tsmbd-incident-abcdef" / "mine").write_text("x")
    # this one is ours
    old = save / "2020-01-04T00:00:00Z-p99-CREATE"
    old.mkdir()
    (old / "incident.json").write_text("x" * 1040000)
    feed("3*" + SLOW, "2*" + FAST, options=["--save-size=1"])
    names = [path.name for path in saved()]
    assert old.name not in names
    assert set(kept) < set(names)
    assert len(names) == len(kept) + 2      # .tsmbd-incident-abcdef, and ours
    assert (target / "incident.json").exists()


def test_of_the_same_second(feed, saved):
    feed("3*" + SLOW, "2*" + FAST, when=[WHEN, WHEN.replace("50ms", "40ms")])
    first, second = saved()
    assert second.name == first.name + "-2"


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def limit_softly():
    limit_files()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def test_a_full_disk(feed, saved):
    messages = feed("3*" + SLOW, "12*" + FAST, *["13*" + FAST] * 25,
                    "3*" + SLOW, "12*" + FAST, preexec_fn=limit_softly)
    assert saved() == []
    assert [message.split(":")[0] for message in messages] == [
        "incident", "cannot save an incident", "incident is over after 3 s"
    ] * 2
    assert messages[1].endswith("report.txt: File too large")
    assert "saved in" not in messages[2]
    # and at the end the status says so
    assert len(feed("3*" + SLOW, preexec_fn=limit_softly, status=1)) == 2


def test_killed_while_it_saves(feed, saved):
    feed("3*" + SLOW, preexec_fn=limit_files, status=-signal.SIGXFSZ)
    one, = saved()
    assert one.name.startswith(".tsmbd-incident-")
    # the next one that uses the directory tidies up
    feed()
    assert saved() == []


def stopped(program_fed, tmp_path, *seconds):
    process = subprocess.Popen(
        [program_fed, "--when=" + WHEN, "--save=save"], cwd=tmp_path,
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        universal_newlines=True)
    process.stdin.write("".join(second + "\n" for second in seconds))
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    return process


def go_on(process):
    process.send_signal(signal.SIGCONT)
    with process.stderr:
        text = process.stderr.read()
    process.wait(LIMIT)
    return text


def test_the_directory_is_removed_meanwhile(program_fed, tmp_path):
    process = stopped(program_fed, tmp_path, "3*" + SLOW, "stop",
                      "12*" + FAST)
    (tmp_path / "save").rmdir()
    text = go_on(process)
    assert process.returncode == 0
    assert "cannot save an incident in save: No such file" in text
    assert "incident is over" in text
    assert not (tmp_path / "save").exists()


def test_another_one_writes_there(feed, tmp_path):
    """What is being written by a tsmbd that lives is not removed."""
    beside = tmp_path / "save" / ".tsmbd-incident-abcdef"
    beside.mkdir(parents=True)
    (beside / "report.txt").write_text("")
    lock = os.open(beside, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    feed()
    assert beside.exists()
    os.close(lock)
    feed()
    assert not beside.exists()


@pytest.mark.parametrize("options, message", [
    (["--save=x"], "--save has no effect without --when"),
    (["--when=lost > 0", "--save=/proc/no"], "/proc/no: "),
    (["--when=lost > 0", "--save=no/no"], "no/no: No such file"),
    (["--when=lost > 0", "--save="], "invalid value '' for --save"),
    (["--when=lost > 0", "--save-size=0"], "invalid value '0' for --save-size"),
    (["--when=session > 0"], "there is no value 'session': did you mean "
     "sessions?\n  session > 0\n  ^~~~~~~\n"),
])
def test_wrong_options(program_fed, tmp_path, options, message):
    done = subprocess.run([program_fed, *options], cwd=tmp_path, input="",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    assert done.returncode == 1
    assert message in done.stdout


def test_the_configuration_file(feed, saved, tmp_path):
    file = tmp_path / "tsmbd.conf"
    file.write_text("when = %s\nwhen = lost > 0 # or so\nsave = save\n"
                    % WHEN)
    assert len(feed("3*" + SLOW, when=(), save=None,
                    options=["--config", str(file)])) == 2
    assert len(saved()) == 1


def test_of_a_process(trace, act, tmp_path):
    """The kernel's seconds, lines and samples, and the numbers of the actor."""
    count = 60
    actor = act("client:ipv4:192.0.2.7:50123", "share:data", "file:a.odt",
                "wait:1", "from:0", "begin:%d" % w.CREATE, "spin:60", "end:0",
                "wait:10", "again:%d" % (count - 1), "hold:0", "wait:1")
    tracer = trace(actor, "--json", "--when=" + WHEN,
                   "--save=%s" % (tmp_path / "save"))
    actor.play()
    tracer.process.send_signal(signal.SIGINT)
    printed, messages = tracer.process.communicate(timeout=LIMIT)
    assert tracer.process.returncode == 0
    printed, = map(json.loads, printed.splitlines())
    one, = (tmp_path / "save").iterdir()
    assert "incident goes on: %s; saved in %s\n" % (WHEN, one) in messages
    assert sorted(path.name for path in one.iterdir()) == sorted(
        FILES + ["flame.svg"])
    reports = lines(one / "report.json")
    assert sum(map(requests, reports)) == count
    assert requests(printed) == count
    slow = lines(one / "slow.json")
    assert len(slow) == count
    for line in slow:
        validate(line)
        assert (line["name"], line["share"], line["file"]) == (
            "SMB2_OP_CREATE", "data", "a.odt")
        assert line["total_us"] >= 60000
    found = boxes(read(one / "flame.svg"))
    root, = found["SMB2_OP_CREATE"]
    spin = max(found["spin_for"], key=lambda box: box[3])
    assert root[0] - 0.2 <= spin[0] and spin[1] <= root[1] + 0.2
    assert spin[3] >= 0.8 * root[3] > 0


@pytest.mark.thorough
def test_slow_lines_are_those_that_were_asked_for(trace, act, tmp_path):
    actor = act("wait:1", "begin:%d" % w.CREATE, "spin:20", "end:0", "wait:1",
                "begin:%d" % w.CREATE, "spin:520", "end:0", "wait:1")
    tracer = trace(actor, "--json", "--slow=500", "--when=" + WHEN,
                   "--save=%s" % (tmp_path / "save"))
    actor.play()
    _, events = tracer.reports()
    assert [event["event"] for event in events] == ["slow"]
    assert events[0]["total_us"] >= 500000


def test_of_a_service(serve, install, open_directory):
    """Its user owns what is saved; there is a flame graph too."""
    parent = open_directory / "incidents"
    parent.mkdir()
    parent.chmod(0o777)
    service = serve("--when=count(*) > 0", "--save=%s" % (parent / "save"),
                    "--run-as=nobody").begin()
    server = install(name=SERVED)
    service.says("tracing them from now on: ")
    run_clients(server)
    service.says("incident: count")
    service.stop()
    # it is over if this took ten seconds
    service.says("incident (goes on|is over after .* s): .*; saved in ")
    one, = (parent / "save").iterdir()
    assert sorted(path.name for path in one.iterdir()) == sorted(
        FILES + ["flame.svg"])
    nobody = pwd.getpwnam("nobody").pw_uid
    for path in [one, *one.iterdir()]:
        assert path.stat().st_uid == nobody
    assert sum(map(requests, lines(one / "report.json"))) > 0


@pytest.mark.thorough
def test_a_service_that_may_not_write_there(serve, open_directory):
    parent = open_directory / "incidents"
    parent.mkdir(0o755)
    service = serve("--when=lost > 0", "--save=%s" % (parent / "save"),
                    "--run-as=nobody")
    assert service.process.wait(LIMIT) == 1
    service.says("incidents/save: Permission denied")
