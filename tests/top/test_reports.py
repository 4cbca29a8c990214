# SPDX-License-Identifier: BSD-2-Clause
"""What sdtkit top prints, and what it refuses."""

import json
import os
import re
import subprocess

import pytest

from top_run import LIMIT, Acts


def test_a_table(start):
    top, actor = start("{program}")
    actor.do("start 1 1 100", "nap 2", "end 1 -1 50", "enter f;leave f")
    lines = top.text().splitlines()
    titles = re.split("  +", lines[0].strip())
    assert titles == ["SPAN", "NAME", "COUNT", "ERRORS", "AVG us", "P99 us",
                      "SUM us", "RATE/s", "P50 us", "MAX us", "RUNNING us",
                      "SUMS"]
    call, request = lines[1].split(), lines[2].split()
    assert request[:2] == ["acts:request", "ACTS_READ"]
    assert request[2:4] == ["1", "1"]
    assert request[-2:] == ["bytes=100", "out=50"]
    # it has no error=
    assert call[2:4] == ["1", "-"]
    assert call[:2] == ["acts:call", "f"] and "=" not in lines[1]


def test_a_table_of_80_characters(start):
    """Whole numbers, the most wanted ones; the provider would say nothing."""
    top, actor = start("{program}", "--width", "80", "request", "call")
    actor.do("start 1 1 100;nap 120;end 1 -1 50",
             "enter %s;leave %s" % (("f" * 60,) * 2))
    lines = top.text().splitlines()
    assert all(len(line) <= 80 for line in lines), lines
    assert re.split("  +", lines[0].strip()) == [
        "SPAN", "NAME", "COUNT", "ERRORS", "AVG us", "P99 us", "SUM us"]
    rows = {line.split()[0]: line.split() for line in lines[1:]}
    assert rows["call"][1].startswith("fffff") and \
        rows["call"][1].endswith("f...")
    request = rows["request"]
    assert request[:4] == ["request", "ACTS_READ", "1", "1"]
    assert re.fullmatch(r"\d{3}k", request[4]), "AVG of 120 ms"
    assert rows["bytes=100"] == ["bytes=100", "out=50"]


def test_spans_that_were_asked_for_and_did_not_end(start):
    for words, said in [
            (["request", "part", "call"], ["acts:call", "acts:part"]),
            (["--span", "x: request_cancel..tick key=arg0"], ["acts:x"])]:
        top, actor = start("{program}", *words)
        actor.do("start 1 1 0", "end 1 0 0")
        lines = top.text().splitlines()
        assert [line.split()[0] for line in lines] == [
            "SPAN", "acts:request"] + [name + ":" for name in said]
        assert all(line.endswith(": none") for line in lines[2:])


@pytest.mark.thorough
def test_few_descriptors(sdtkit, acts, privileged):
    """Without uprobe_multi, each site needs some."""
    program = acts()
    top = subprocess.Popen(
        ["sh", "-c", 'ulimit -Sn 48; exec "$@"', "sh", str(sdtkit), "top",
         str(program), "-w", "0.1"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, universal_newlines=True,
        env=dict(os.environ, SDTKIT_TOP_OLD_KERNEL="1"))
    _, errors = top.communicate(timeout=LIMIT)
    assert top.returncode == 1, errors


def test_intervals(start):
    top, actor = start("{program}", "--json", "-i", "0.3", "request")
    reports = []

    def next_rows():
        """The rows of the next report that has any."""
        while not reports or reports[-1]["spans"] == []:
            reports.append(json.loads(top.next_line()))
        return reports[-1]["spans"]

    actor.do("start 1 1 0;nap 900;end 1 0 0")
    (first,) = next_rows()
    reports.append({"spans": []})
    actor.do("start 1 1 0;end 1 0 0")
    (second,) = next_rows()
    assert (first["count"], second["count"]) == (1, 1)
    # the longest is that of each report
    assert first["max_us"] >= 900000 > second["max_us"]
    *others, last = top.lines()
    assert last["last"] and not last["spans"]
    assert not any(report["last"] or report["spans"] for report in others)


def test_the_longest_is_one_that_is_counted(start, tmp_path):
    """Also of spans that end while the kernel's tables are read: the rows of
    `since` are the last that are read."""
    out = tmp_path / "reports"
    top, actor = start("{program}", "-d", "--json", "-i", "0.001", "-o",
                       str(out))
    line = ";".join("since 1 %d" % (1000 << i % 12) for i in range(240))
    actor.do(*[line] * 400)
    top.text()
    reports = map(json.loads, out.read_text().splitlines())
    rows = [row for report in reports for row in report["spans"]]
    assert sum(row["count"] for row in rows) == 400 * 240
    assert len(rows) > 20
    for row in rows:
        longest = row["slots"][-1]
        least = longest["from_ns"] / 1000
        assert least - 0.1 <= row["max_us"] <= max(2 * least, 2) + 0.1, row


def test_under_way_is_of_one_moment(start, tmp_path):
    """Spans that begin and end while the tables are read are not under way."""
    out = tmp_path / "reports"
    top, actor = start("{program}", "--json", "-i", "0.005", "-o", str(out))
    actor.do("start 100 1 0", "loop 1000000")
    top.text()
    reports = list(map(json.loads, out.read_text().splitlines()))
    under_way = [total["under_way"] for report in reports
                 for total in report["totals"] if total["span"] == "request"]
    assert len(under_way) > 20
    # one does not end, and that of the loop may go to another processor
    assert under_way[-1] == 1 and max(under_way) <= 4


def test_so_many_intervals(start):
    top, _ = start("{program}", "--json", "-i", "0.3", "-c", "3", "request")
    top.process.wait(LIMIT)
    assert [report["last"] for report in top.lines(1)] == [False, False, True]


def test_the_given_spans_only(play):
    rows, totals = play(["start 1 1 0", "end 1 0 0", "enter f;leave f"],
                        "request")
    assert set(totals) == {"request"}
    assert {span for span, _ in rows} == {"request"}


def test_probes_without_a_span(start):
    top, actor = start("{program}", "--json", "acts:tick", "call")
    actor.do("tick 1", "tick 2", "enter f;leave f", "start 1 1 0")
    report = top.lines()[-1]
    assert report["probes"] == [
        {"provider": "acts", "probe": "tick", "count": 2}]
    assert [row["span"] for row in report["spans"]] == ["call"]


def test_a_span_of_the_command_line(start):
    top, actor = start("{program}", "--json", "--span", "tock: "
                       "request_start..request_end key=arg0 name=str(arg3) "
                       "sum=request_end.arg2", "tock", form="frame")
    actor.do("start 1 1 0", "end 1 0 8")
    row, = top.lines()[-1]["spans"]
    assert (row["span"], row["name"], row["sums"]) == (
        "tock", "somebody", {"out": 8})


def test_one_process(start):
    top, actor = start("-p", "{pid}", "--json", "request")
    other = Acts(actor.program)
    other.do("start 1 1 0", "end 1 0 0")
    actor.do("start 1 2 0", "end 1 0 0", "fork start 1 2 0;end 1 0 0")
    other.end()
    rows, _ = top.report()
    assert {key: row["count"] for key, row in rows.items()} == {
        ("request", "ACTS_WRITE"): 2}


def test_it_ends_with_the_process(start):
    top, actor = start("-p", "{pid}", "--json", "request")
    actor.do("start 1 2 0", "end 1 0 0")
    actor.end()
    top.process.wait(LIMIT)
    rows, _ = top.report()
    assert rows["request", "ACTS_WRITE"]["count"] == 1
    assert "has ended" in top.errors


def test_by_the_name_of_processes(start):
    top, actor = start("-n", "acts-native", "--json", "request")
    actor.do("start 1 2 0", "end 1 0 0")
    rows, _ = top.report()
    assert rows["request", "ACTS_WRITE"]["count"] == 1


def test_a_name_that_begins_alike(sdtkit, acts, privileged):
    actor = Acts(acts())
    done = subprocess.run([sdtkit, "top", "-n", "acts-nothing", "request"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=LIMIT)
    actor.end()
    assert done.returncode == 2
    assert "no process is called acts-nothing" in done.stdout


def test_slow_spans_with_their_arguments(start, form):
    top, actor = start("{program}", "--slow", "20", "request", form=form)
    actor.do("start 1 1 100", "end 1 0 0", "start 18 2 3", "nap 25",
             "end 18 -5 77")
    text = top.text()
    # a busy machine may make the first one slow, too
    line = next(line for line in text.splitlines() if "<- key=18 " in line)
    found = re.match(
        r"\d\d:\d\d:\d\d\.\d{6} (\d+) acts:request ACTS_WRITE (\d+)\.\d us "
        r"running \d+\.\d us error key=18 status=-5 out=77 <- key=18 ", line)
    assert found and int(found.group(1)) == actor.pid
    assert line.endswith(" <- key=18 op=ACTS_WRITE bytes=3 who=\"somebody\""), \
        line
    assert int(found.group(2)) >= 25000


def test_slow_spans_as_json(start):
    top, actor = start("{program}", "--slow", "20", "--json", "request",
                       "call")
    actor.do("start 18 2 3", "nap 25", "end 18 -5 77",
             "enter f;nap 25;leave f")
    request, call = [line for line in top.lines() if line["event"] == "slow"]
    assert request["error"] and request["pid"] == actor.pid
    assert request["start"] == {"key": "18", "op": "ACTS_WRITE", "bytes": "3",
                                "who": "somebody"}
    assert request["end"] == {"key": "18", "status": "-5", "out": "77"}
    assert call["start"] == call["end"] == {"function": "f"}


@pytest.mark.thorough
def test_numbers_of_json_have_the_digits_that_were_measured(start):
    top, actor = start("{program}", "--slow", "0.001", "--json", "request")
    for key in range(1, 20):
        actor.do("start %d 1 0" % key, "end %d 0 0" % key)
    numbers = re.findall(r"_us\": \d+\.(\d+)", top.text())
    assert len(numbers) >= 20
    assert max(map(len, numbers)) <= 3, numbers


def test_numbers_stand_below_their_titles(start):
    top, actor = start("{program}", "call")
    actor.do("enter f;leave f", "enter {0};leave {0}".format("f" * 63))
    title, *rows = top.text().splitlines()
    end = title.index("COUNT") + len("COUNT")
    assert [row[:end].split()[-1] for row in rows] == ["1", "1", "2"]
    assert all(row[end] == " " for row in rows)


@pytest.mark.thorough
def test_slow_spans_beyond_the_slots(start):
    """Where a span under way has room, the arguments of its start have."""
    top, actor = start("{program}", "--json", "--slow", "0.000001")
    actor.do("fill 130000", *("end %d 0 0" % (0x1000 + 16 * i)
                              for i in (0, 129999)))
    slow = [line for line in top.lines() if line["event"] == "slow"]
    assert [line["start"] for line in slow] == [
        {"key": str(0x1000 + 16 * i), "op": "ACTS_WRITE", "bytes": "1",
         "who": "many"} for i in (0, 129999)]


def test_a_histogram(start):
    top, actor = start("{program}", "-d", "--json", "request")
    actor.do("start 1 1 0", "nap 9", "end 1 0 0")
    row, = top.lines()[-1]["spans"]
    slot, = row["slots"]
    assert slot["count"] == 1
    assert slot["from_ns"] <= row["max_us"] * 1000 < 2 * slot["from_ns"]


def test_what_is_said_at_the_end(start):
    top, actor = start("{program}", "request")
    actor.do("start 1 1 0", "start 1 1 0", "end 7 0 0", "start 2 1 0",
             "end 2 0 0")
    top.text()
    assert top.errors == (
        "sdtkit top: acts:request: 1 under way; 1 ended whose start was not "
        "seen; 1 never ended: another one began with the same key\n")


@pytest.mark.thorough
def test_nothing_was_counted(start):
    top, _ = start("{program}", "request")
    assert top.text(status=1) == "no span has ended\n"


NO_NAME = ("--span has no name: write 'NAME: START..END key=ARG', with a "
           "blank behind the name")
BAD_PARENT = ("--span 'x': parent: invalid value '%s': use SPAN or "
              "SPAN(ARG,...)")
REFUSED = [
    ([], "no FILE given; try 'sdtkit top --help'"),
    (["/nowhere"], "/nowhere: No such file or directory"),
    (["{program}", "nothing"], "there is no span 'nothing': to count a "
     "probe, write PROVIDER:PROBE; the spans are: brief, call, file, part, "
     "request, since, told"),
    (["{program}", "else:nothing"], "there is no span 'else:nothing', and "
     "no probe; the spans are: brief, call, file, part, request, since, told"),
    (["{program}", "requests"], "there is no span 'requests'; similar ones: "
     "acts:request, acts:request_end, acts:request_start"),
    (["{program}", "acts:requests"], "there is no span 'acts:requests', and "
     "no probe; similar ones: acts:request, acts:request_end, "
     "acts:request_start, acts:request_cancel"),
    (["-p", "1", "2"], "-p takes one process: 1 or 2; -n NAME traces all "
     "processes of a name"),
    (["{program}", "-i", "0"], "invalid value '0' for --interval: use a "
     "number of seconds above 0, such as 0.5"),
    (["{program}", "-w", "1e-10"], "invalid value '1e-10' for --wait: use a "
     "number of seconds above 0, such as 0.5"),
    (["{program}", "--slow", "1e-7"], "invalid value '1e-7' for --slow: use "
     "a number of milliseconds above 0, such as 0.5"),
    (["{program}", "-p", "x"], "invalid value 'x' for --pid: use a process "
     "ID, or --name with a name"),
    (["{program}", "--by", "nothing"],
     "--by: no span that is counted has an argument 'nothing'; there are: id, "
     "op, took_us, "
     "function, fd, path, mode, part, request, key, bytes, who, status, out, "
     "began, elapsed_ns"),
    (["{program}", "--by", "op,functoin"], "--by: no span that is counted has "
     "an argument 'functoin'; did you mean function?"),
    (["{program}", "--by", "out,function"], "--by: no span that is counted can "
     "be grouped by 'out,function'; a span is grouped by at most 2 arguments, "
     "all of which its start or its end has"),
    (["{program}", "--span", "x: a..b"], "--span 'x': key= is missing: name "
     "the argument that pairs the probes, or 'tid' for the thread"),
    (["{program}", "--span", "x: a..b key=tid"],
     "--span 'x': there is no probe 'a'"),
    (["{program}", "--span", "x: tick..tick key=tid kye=1"],
     "--span 'x': invalid word 'kye=1': use START..END or start=, end=, "
     "suspend=, resume=, duration=, started=, key=, name=, error=, ok=, sum= "
     "or parent="),
    (["{program}", "--span", "x: tick..request_strat key=tid"],
     "--span 'x': there is no probe 'request_strat'; similar: "
     "acts:request_start"),
    (["{program}", "--span", "x: tick..wait_end key=num"],
     "--span 'x': key: acts:tick has no argument 'num'; it has arg0 number"),
    (["{program}", "--span", "x: tick..wait_end key=number/key ok=1"],
     "--span 'x': ok needs error=ARG"),
    (["{program}", "--span", "x: request_start..request_end key=key "
      "error=status ok=FINE"], "--span 'x': ok: 'FINE' is neither a number "
     "nor a name of a value of status"),
    (["{program}", "--span", "x: tick..wait_end key=number/key parent=y"],
     "--span 'x': parent: there is no span 'y'"),
    (["{program}", "--span", "x:tick..wait_end key=number/key"], NO_NAME),
    (["{program}", "--span", "tick..wait_end key=number/key"], NO_NAME),
    (["{program}", "--span", "x"],
     "--span 'x': start= is missing: write START..END, or start=PROBE"),
    (["{program}", "--span", "x: tick..tick key=number"],
     "--span 'x': probe 'tick' is in two places of the span"),
    (["{program}", "--span", "x: wait_start..wait_end key=key "
      "suspend=acts:wait_start"],
     "--span 'x': probe 'acts:wait_start' is in two places of the span"),
    (["{program}", "--span", "x: wait_start..wait_end key=arg00"],
     "--span 'x': key: acts:wait_start has no argument 'arg00'; it has arg0 "
     "key"),
    (["{program}", "--span", "x: call_enter..call_leave key=function"],
     "--span 'x': key: arg0 of acts:call_enter is a string: use an integer or "
     "an address"),
    (["{program}", "--span", "x: request_start..request_end key=key sum=who"],
     "--span 'x': sum: arg3 of acts:request_start is a string: use an "
     "integer"),
    (["{program}", "--span", "x: call_enter..call_leave key=tid "
      "error=function"],
     "--span 'x': error: arg0 of acts:call_leave is a string: use an integer"),
    (["{program}", "--span", "x: end=call_leave duration=us(function)"],
     "--span 'x': duration: arg0 of acts:call_leave is a string: use an "
     "integer"),
    (["{program}", "--span", "x: part_start..part_end key=part "
      "parent=request(request"], BAD_PARENT % "request(request"),
    (["{program}", "--span", "x: part_start..part_end key=part "
      "parent=request(request)!"], BAD_PARENT % "request(request)!"),
    (["{program}", "./acts"], "'./acts' is not a span: beside -p, -n or "
     "another FILE, give spans and patterns only"),
    (["{program}", "--heatmap="], "invalid value '' for --heatmap: use the "
     "name of a file"),
]


@pytest.mark.parametrize("args, message", REFUSED)
def test_what_is_refused(sdtkit, acts, privileged, args, message):
    run = subprocess.run(
        [sdtkit, "top", *(arg.format(program=acts()) for arg in args)],
        capture_output=True, timeout=LIMIT, text=True)
    assert run.returncode == 2
    assert run.stderr == "sdtkit top: %s\n" % message
    assert run.stdout == ""


def test_a_program_that_declares_no_span(sdtkit, acts, privileged, tmp_path):
    subprocess.run(["objcopy", "-R", ".note.sdtkit", acts(),
                    tmp_path / "bare"], check=True)
    run = subprocess.run([sdtkit, "top", tmp_path / "bare", "request"],
                         stderr=subprocess.PIPE, timeout=LIMIT,
                         universal_newlines=True)
    assert run.returncode == 2
    assert run.stderr == (
        "sdtkit top: there is no span 'request', as none is declared: use "
        "--description or --span, or write PROVIDER:PROBE to count a probe\n")


def test_a_wrong_span_of_a_program(sdtkit, acts, privileged, tmp_path):
    """It is left out, as any library may have one; the others are traced."""
    wrong = tmp_path / "wrong"
    with open(acts(), "rb") as file:
        code = file.read()
    assert b"\0key\0key\0" in code
    wrong.write_bytes(code.replace(b"\0key\0key\0", b"\0key\0kez\0"))
    wrong.chmod(0o755)
    run = subprocess.run([sdtkit, "top", wrong, "call", "-w", "0.2"],
                         stderr=subprocess.PIPE, timeout=LIMIT,
                         universal_newlines=True)
    assert run.stderr.startswith(
        "sdtkit top: ignored: span acts:request: key: ")
    assert run.returncode == 1      # nothing was counted


@pytest.mark.thorough
def test_a_parent_of_which_the_argument_has_many_names(start):
    top, actor = start(
        "{program}", "--json", "--span", "x: part_start..part_end key=part "
        "parent=request(%s/request)" % "/".join(
            "acts:part_start.no%d" % i for i in range(20)), "request")
    actor.do("start 1 1 0;part 9 1;nap 5;whole 9;end 1 0 0")
    rows, _ = top.report()
    request, part = rows["request", "ACTS_READ"], rows["x", None]
    assert (request["sum_us"] - request["self_us"] ==
            pytest.approx(part["sum_us"], abs=0.3))


def test_a_process_of_another_namespace(sdtkit, privileged):
    run = subprocess.run(
        ["unshare", "--pid", "--fork", "--mount-proc", sdtkit, "top", "-p",
         "1", "-w", "0.1"], capture_output=True, text=True, timeout=LIMIT)
    assert run.returncode == 2
    assert run.stderr == ("sdtkit top: -p works in the first PID namespace "
                          "only: give the FILE in a container\n")


def test_a_kernel_without_types(sdtkit, acts, privileged, tmp_path):
    """As Debian's Linux 6.1 for ppc64le."""
    run = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-ec",
         'mount --bind "$0" /sys/kernel/btf; exec "$@"', tmp_path, sdtkit,
         "top", acts(), "-w", "0.1"], capture_output=True, text=True,
        timeout=LIMIT)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: the kernel refuses the BPF programs: No such process; "
        "it was built without BTF (CONFIG_DEBUG_INFO_BTF), which they need\n")
