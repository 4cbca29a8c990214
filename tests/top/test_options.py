# SPDX-License-Identifier: BSD-2-Clause
"""The words of --span, and sites as programs have them."""

import os
import pathlib
import subprocess
import sys

import pytest

from top_run import LIMIT, Acts, Top


@pytest.fixture
def counted(start):
    """counted(span, lines): the row and the totals of that span alone."""
    def run(span, *lines, form="systemtap"):
        top, actor = start("{program}", "--json", "--span", span, "x",
                           form=form)
        actor.do(*lines)
        rows, totals = top.report()
        row = [row for (name, _), row in rows.items() if name == "x"]
        return row[0] if row else None, totals["x"]
    return run


REQUESTS = ["start 1 1 100", "end 1 -2 10", "start 2 1 7", "end 2 3 20",
            "start 3 1 0", "end 3 0 30"]


@pytest.mark.parametrize("words, errors", [
    ("error=status", 2), ("error=status ok=0,3", 1), ("error=status<0", 1),
    ("error=arg1 ok=-2,0x3", 1), ("error=request_end.status", 2)])
def test_errors(counted, words, errors):
    row, _ = counted("x: request_start..request_end key=key " + words,
                     *REQUESTS)
    assert (row["count"], row["errors"]) == (3, errors)


@pytest.mark.parametrize("key", [
    "key", "arg0", "request_start.key/arg0", "nothing/key",
    "request_start.arg0/request_end.key", "acts:request_start.key/key"])
def test_keys(counted, key):
    row, totals = counted(
        "acts:x start=acts:request_start end=request_end key=%s" % key,
        *REQUESTS)
    assert row["count"] == 3
    assert totals["unmatched"] == 0


def test_two_keys(counted):
    """The order of the arguments is that of the list."""
    row, totals = counted(
        "x: request_start..request_end key=request_start.arg0/arg2,"
        "request_start.arg2/arg0", "start 7 1 9", "end 7 0 9", "end 9 0 7")
    assert row["count"] == 1
    assert totals["unmatched"] == 1


def test_addresses_as_names(sdtkit, acts, privileged, tmp_path):
    """As sdtkit trace prints them."""
    bare, description = tmp_path / "bare", tmp_path / "acts.d"
    subprocess.run(["objcopy", "-R", ".note.sdtkit", acts(), bare], check=True)
    description.write_text("""provider acts {
	probe request_start(void *key, int op, uint64_t bytes, char *who);
	probe request_end(void *key, int status, uint64_t out);
};
""")
    top = Top(sdtkit, bare, "--json", "--description", description, "--span",
              "x: request_start..request_end key=key name=key", "x")
    actor = Acts(bare)
    actor.do("start 0xff10 1 0", "end 0xff10 0 0")
    actor.end()
    rows, _ = top.report()
    assert rows["x", "0xff10"]["count"] == 1


def test_several_ends(counted):
    row, totals = counted(
        "x: start=request_start end=request_end,request_cancel key=key "
        "sum=bytes,out", "start 1 1 5", "cancel 1", "start 1 1 6", "end 1 0 2")
    assert row["count"] == totals["ended"] == 2
    assert row["sums"] == {"bytes": 11, "out": 2}


@pytest.mark.thorough
def test_a_parent_by_thread(start):
    top, actor = start(
        "{program}", "--json", "--span",
        "outer: call_enter..call_leave key=tid", "--span",
        "x: request_start..request_end key=key parent=outer()", "outer", "x")
    actor.do("enter f;start 1 1 0;nap 20;end 1 0 0;nap 10;leave f")
    rows, _ = top.report()
    outer, inner = rows["outer", None], rows["x", None]
    assert inner["sum_us"] >= 20000
    assert outer["sum_us"] - outer["self_us"] == pytest.approx(
        inner["sum_us"], abs=0.3)


WAIT = "wait: call_enter..call_leave key=tid name=function parent=running"


@pytest.mark.parametrize("more", [
    ["--span", WAIT], ["--span", WAIT, "--slow=10000", "--flame={flame}"],
    ["--description={description}"]])
def test_a_wait_is_in_what_its_thread_runs(start, acts, tmp_path, more):
    """Also what tells how long it took, whose start else needs no hit."""
    source = pathlib.Path(__file__).with_name("acts.d").read_text()
    (tmp_path / "acts.d").write_text(
        "#pragma sdtkit span %s\n" % WAIT.replace(": ", " start=").replace(
            "..", " end=") + source)
    top, actor = start("{program}", "--json", *(
        word.format(flame=tmp_path / "flame.svg",
                    description=tmp_path / "acts.d") for word in more),
        "request", "told", "wait")
    actor.do("start 1 1 0", "start 2 2 0", "enter f", "nap 30", "leave f",
             "end 2 0 0", "thread enter h;nap 40;leave h", "enter g", "nap 20",
             "leave g", "end 1 0 0", "begin 3", "enter i", "leave i",
             "tell 3 1 0 90000000 0", "enter h", "leave h")
    rows, _ = top.report()
    for (span, name), wait in ((("request", "ACTS_WRITE"), "f"),
                               (("request", "ACTS_READ"), "g"),
                               (("told", "ACTS_READ"), "i")):
        row, inner = rows[span, name], rows["wait", wait]
        assert inner["self_us"] == inner["sum_us"]
        assert row["running_us"] - row["self_us"] == pytest.approx(
            inner["sum_us"], abs=0.3)
    assert rows["wait", "h"]["count"] == 2


def test_a_span_of_two_probes_that_are_also_others(start):
    """A site serves several spans."""
    top, actor = start(
        "{program}", "--json", "--span",
        "a: request_start..wait_start key=key", "--span",
        "b: wait_start..wait_end key=key", "--span",
        "c: wait_end..request_end key=key", "acts:wait_*", "request")
    actor.do("start 1 1 0;nap 5;wait 1;nap 10;go 1;nap 15;end 1 0 0")
    report = top.lines()[-1]
    rows = {row["span"]: row for row in report["spans"]}
    assert {probe["probe"]: probe["count"] for probe in report["probes"]} == {
        "wait_start": 1, "wait_end": 1}
    assert rows["b"]["sum_us"] >= 10000
    parts = sum(rows[name]["sum_us"] for name in "abc")
    assert parts == pytest.approx(rows["request"]["sum_us"], rel=0.01)


@pytest.mark.thorough
def test_processes_at_the_same_time(start):
    top, first = start("{program}", "--json", "request")
    actors = [first] + [Acts(first.program) for _ in range(3)]
    for actor in actors:
        actor.process.stdin.write("loop 20000\n")
        actor.process.stdin.flush()
    for actor in actors:
        assert actor.process.stdout.readline() == "done\n"
    for actor in actors[1:]:
        actor.end()
    rows, totals = top.report()
    assert sum(row["count"] for row in rows.values()) == 80000
    assert sum(row["sums"]["out"] for row in rows.values()) == 160000
    assert totals["request"]["started"] == 80000
    assert not totals["request"]["unmatched"] + totals["request"]["restarted"]


ODD = """
#include <stdio.h>
#include <sys/sdt.h>
int main(void)
{
	getchar();
	DTRACE_PROBE1(odd, hit, 1);
	DTRACE_PROBE3(odd, hit, 2, 3, 4);
	return 0;
}
"""


@pytest.fixture
def compiled(tmp_path, unavailable, sdt_flags):
    """compiled(text): the program of a C text that needs <sys/sdt.h>."""
    def run(text):
        (tmp_path / "odd.c").write_text(text)
        build = subprocess.run(
            [os.environ.get("CC", "cc"), tmp_path / "odd.c", *sdt_flags,
             "-o", tmp_path / "odd"], stderr=subprocess.PIPE)
        if build.returncode != 0:
            unavailable("<sys/sdt.h> cannot be compiled")
        return tmp_path / "odd"
    return run


def test_sites_that_differ_in_their_arguments(sdtkit, privileged, compiled):
    program = compiled(ODD)
    top = Top(sdtkit, program, "--json")
    subprocess.run([program], input=b"\n", check=True, timeout=LIMIT)
    assert top.lines()[-1]["probes"] == [
        {"provider": "odd", "probe": "hit", "count": 2}]


@pytest.mark.thorough
def test_more_probes_than_are_counted(sdtkit, privileged, compiled):
    program = compiled("#include <sys/sdt.h>\nint main(void)\n{\n%s}\n" % (
        "".join("DTRACE_PROBE(many, probe%d);\n" % i for i in range(1025))))
    for words in ([], ["many:*"]):
        run = subprocess.run([sdtkit, "top", program, "-w", "0.1", *words],
                             stderr=subprocess.PIPE, timeout=LIMIT,
                             universal_newlines=True)
        assert (run.returncode, run.stderr) == (
            2, "sdtkit top: too many probes (1025): the limit is 1024; name "
            "those to be counted\n")


UNFIT = """
provider odd {
	probe begins(int key, double ms);
	probe waits(int key, int why);
	probe ends(int);
};
"""
FIRES = """
#include "odd.h"
int main(void)
{
	ODD_BEGINS(1, 0.5);
	ODD_WAITS(1, 2);
	ODD_ENDS(1);
	return 0;
}
"""


@pytest.fixture
def build_odd(sdtkit, source, privileged, tmp_path):
    """build_odd(description, code): the path of a program."""
    def run(description, code):
        (tmp_path / "odd.d").write_text(description)
        (tmp_path / "odd.c").write_text(code)
        for command in (
                [sys.executable, source / "probegen", "-s", "odd.d", "-o",
                 "odd.h"],
                ["cc", "-I", source / "include", "odd.c", "-o", "odd"]):
            subprocess.run(command, cwd=tmp_path, check=True)
        return tmp_path / "odd"
    return run


@pytest.mark.parametrize("argument, said", [
    ("ms", "'ms' is a floating-point number: use an integer, an address or a "
     "string"),
    # of a suspend, which has no say in the name of a span
    ("why", "no span that is counted has an argument 'why'; there are: key, "
     "ms, arg0"),
])
def test_rows_by_an_argument_that_cannot_be(sdtkit, build_odd, argument,
                                            said):
    program = build_odd(UNFIT, FIRES)
    run = subprocess.run(
        [sdtkit, "top", program, "--by", argument, "--span",
         "x: begins..ends key=arg0 suspend=waits"], stderr=subprocess.PIPE,
        timeout=LIMIT, universal_newlines=True)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: --by: %s\n" % said)


ENDS_ONLY = """
#pragma sdtkit span request start=begins end=ends
#pragma sdtkit span request key=key name=name duration=us
provider odd {
	probe begins(int key, char *name);
	probe ends(int key, uint64_t us);
};
"""
FIRES_ENDS = """
#include "odd.h"
int main(void)
{
	ODD_ENDS(1, 2);
	return 0;
}
"""


@pytest.mark.parametrize("word, status, said", [
    ("odd:ends", 1, []),
    ("odd:*", 1, ["ignored"]),
    ("request", 2, ["ignored", "span 'request' is declared, but cannot be "
                    "traced: this needs sites of its start (begins) and its "
                    "end (ends)"]),
])
def test_a_span_whose_start_has_no_site(sdtkit, build_odd, word, status, said):
    ignored = ("ignored: span odd:request: name: its start, begins, has no "
               "site here, and no end has the argument 'name'")
    run = subprocess.run(
        [sdtkit, "top", build_odd(ENDS_ONLY, FIRES_ENDS), word, "-w", "0.1"],
        capture_output=True, timeout=LIMIT, text=True)
    lines = [line for line in run.stderr.splitlines()
             if not line.startswith("Collecting")]
    assert run.returncode == status
    assert lines == ["sdtkit top: " + (ignored if text == "ignored" else text)
                     for text in said]


@pytest.mark.parametrize("value", ["key=,", "key=key,,bytes", "key=key,"])
def test_lists_with_nothing_between(sdtkit, acts, privileged, value):
    run = subprocess.run(
        [sdtkit, "top", acts(), "--span", "x: request_start..request_end " +
         value], stderr=subprocess.PIPE, timeout=LIMIT,
        universal_newlines=True)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: --span 'x': key: a value is missing\n")


def test_help_fits_a_screen(sdtkit, privileged):
    run = subprocess.run([sdtkit, "top", "--help"], stdout=subprocess.PIPE,
                         universal_newlines=True, check=True)
    assert max(map(len, run.stdout.splitlines())) <= 80


def test_histograms_fit_a_screen(sdtkit, acts, privileged):
    top = Top(sdtkit, acts(), "-d", "request")
    actor = Acts(acts())
    actor.do("start 1 1 100", "end 1 0 50")
    actor.end()
    lines = top.text().splitlines()
    bars = [line for line in lines if "@" in line]
    assert len(bars) == 1 and len(bars[0]) == 80


TOLD = ["tell 1 1 0 5000000 20", "tell 2 2 0 7000000 1", "tell 3 2 1 9000000 1"]


def test_a_span_that_lacks_one_of_two_arguments_is_one_row(start):
    top, actor = start("{program}", "--columns=count", "--by=op,elapsed_ns",
                       "told", "request")
    actor.do(*TOLD, "start 1 1 0", "start 2 2 0", "end 1 0 0", "end 2 0 0")
    rows = [" ".join(line.split()) for line in top.text().splitlines()]
    assert "acts:request - 2" in rows and "acts:told TOTAL 3" in rows


def test_order_over_all_spans(start):
    """--sort does not keep the rows of a span together."""
    top, actor = start("{program}", "--columns=count,errors", "--sort=count",
                       "told", "request")
    actor.do(*TOLD, *("%s %d 1 0" % (what, key) for key in range(3)
                      for what in ("start", "end")), "start 9 0 0", "end 9 1 0")
    assert [" ".join(line.split()) for line in top.text().splitlines()
            ][1:5] == ["acts:request ACTS_READ 3 3", "acts:told ACTS_WRITE 2 1",
                       "acts:request 0 1 1", "acts:told ACTS_READ 1 0"]


@pytest.mark.parametrize("options, table", [
    (["--columns=count,errors,avg,max", "--sort=max"], """
        SPAN NAME COUNT ERRORS AVG us MAX us
        acts:told ACTS_WRITE 2 1 8000.0 9000.0
        acts:told ACTS_READ 1 0 5000.0 5000.0
        acts:told TOTAL 3 1 7000.0 9000.0"""),
    (["--columns", "sums,max_us,count", "--sort=name"], """
        SPAN NAME MAX us COUNT SUMS
        acts:told ACTS_READ 5000.0 1 bytes=20
        acts:told ACTS_WRITE 9000.0 2 bytes=2
        acts:told TOTAL 9000.0 3 bytes=22"""),
    (["--columns=sum,max", "--by=", "--sort", "count"], """
        SPAN SUM ms MAX us
        acts:told 21.000 9000.0"""),
    (["--columns=count,errors,avg,p99,p50,max,rate,running", "--width=50",
      "--sort=avg_us"], None)])
def test_columns_order_and_total(start, options, table):
    top, actor = start("{program}", *options, "told")
    actor.do(*TOLD)
    text = top.text()
    lines = [" ".join(line.split()) for line in text.splitlines()]
    if table is not None:
        assert lines == [line.strip() for line in table.strip().splitlines()]
    else:       # all that was asked for is there, however narrow
        assert lines[0] == ("SPAN NAME COUNT ERRORS AVG us P99 us P50 us MAX "
                            "us RATE/s RUNNING ms")


@pytest.mark.parametrize("option, other", [("--columns", "sums"),
                                           ("--sort", "name")])
def test_columns_that_there_are_not(sdtkit, option, other):
    run = subprocess.run([sdtkit, "top", "/bin/true", option, "p99,x"],
                         stderr=subprocess.PIPE, universal_newlines=True)
    assert run.stderr == (
        "sdtkit top: invalid value '%s' for %s: use count, errors, avg, p99, "
        "sum, rate, p50, max, running, self, or %s\n" % (
            "x" if other == "sums" else "p99,x", option, other))
    assert run.returncode == 2


def test_hosts_of_addresses(start):
    """Rows of one host are one row, whatever the port and the spelling."""
    hosts = {
        "192.0.2.7": ["192.0.2.7:445", "192.0.2.7:50123", "ipv4:192.0.2.7:1",
                      "::ffff:192.0.2.7", "[::ffff:192.0.2.7]:2049",
                      "::FFFF:192.0.2.7:2049", "192.0.2.7"],
        "2001:db8::7": ["[2001:db8::7]:445", "2001:db8::7",
                        "ipv6:2001:db8::7:445"],
        "fe80::1%2": ["[fe80::1%2]:445"],
        "client.example": ["client.example:445"],
        "/run/a.sock": ["/run/a.sock"], "unix:socket": ["unix:socket"],
        "-": ["-"]}
    top, actor = start("{program}", "--json", "--by=host(function)", "call")
    actor.do(*("enter {0};leave {0}".format(address)
               for addresses in hosts.values() for address in addresses))
    rows, _ = top.report()
    assert {name: row["count"] for (_, name), row in rows.items()} == {
        host: len(addresses) for host, addresses in hosts.items()}


def test_host_and_another_name(start):
    top, actor = start("{program}", "--json", "--by=op,host(who)", "told")
    actor.do("begin 1", "tell 1 1 0 5000 20", "begin 2", "tell 2 2 0 5000 20")
    rows, _ = top.report()
    assert {name for _, name in rows} == {"ACTS_READ | someone",
                                          "ACTS_WRITE | someone"}


def test_a_separator_of_names(start):
    top, actor = start("{program}", "--json", '--by=op" by "host(who)', "told")
    actor.do("begin 1", "tell 1 1 0 5000 20")
    rows, _ = top.report()
    assert {name for _, name in rows} == {"ACTS_READ by someone"}


@pytest.mark.parametrize("value", ['a"b', '"x"b', 'a"x"', 'a"x"b"y"c',
                                   'a"x"b,c'])
def test_a_separator_that_is_none(sdtkit, privileged, value):
    run = subprocess.run([sdtkit, "top", "--by=" + value, "file"], text=True,
                         stderr=subprocess.PIPE)
    assert run.returncode == 2 and run.stderr == (
        "sdtkit top: invalid value '%s' for --by: a text in quotes stands "
        "between two arguments, as in 'share\", \"command'\n" % value)
