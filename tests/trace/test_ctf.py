# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace --ctf, as babeltrace2 reads it: values, threads, losses, and
what is left of a trace whose tracer is killed."""

import json
import os
import re
import signal
import subprocess
import time

import pytest

from test_records import (MARSHALLED, MARSHALLED_SOURCE, MEMBERS, RECORDS,
                          SOURCE, made)  # noqa: F401
from trace_lines import HERE, LIMIT, child_of, ended, until
from programs import which


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "ctf"


@pytest.fixture
def read(unavailable):
    """read(folder): (events, how many hits were lost)."""
    def run(path):
        done = subprocess.run(["/usr/bin/python3", HERE / "ctf_read.py", path],
                              capture_output=True, text=True, timeout=LIMIT)
        if "No module named 'bt2'" in done.stderr:
            unavailable("python3-bt2 is missing")
        assert done.returncode == 0, done.stderr
        found = [json.loads(line) for line in done.stdout.splitlines()]
        return ([event for event in found if "name" in event],
                sum(loss.get("lost", 0) for loss in found))
    return run


@pytest.fixture
def ctf(trace, folder, read):
    """ctf(act, ...): events, all of which were recorded."""
    def run(*command, options=(), **more):
        done = run_ctf(trace, folder, *command, options=options, **more)
        assert done.messages == ""
        events, lost = read(folder)
        assert lost == 0
        return events
    return run


def run_ctf(trace, folder, *command, options=(), **more):
    """As trace(), but without a file of lines."""
    return trace(*command, options=[*options, "--ctf", folder], to_file=False,
                 **more)


def babeltrace2(*words, unavailable=None):
    if which("babeltrace2") is None:
        unavailable("babeltrace2 is missing")
    return subprocess.run(["babeltrace2", *words], capture_output=True,
                          timeout=LIMIT,
                          env=dict(os.environ, BABELTRACE_TERM_COLOR="never"))


def test_types(ctf):
    first, second = ctf("types")
    assert first["name"] == second["name"] == "act:types"
    assert first["fields"] == {
        "u1": 255, "s1": -128, "u2": 65535, "s2": -32768, "u4": 2**32 - 1,
        "s4": -2**31, "u8": 2**64 - 1, "s8": -2**63, "f4": 1.5, "f8": -0.1,
        "p": 0x1a, "z": 'a"b\\c\n\x01'}
    assert second["fields"] == dict.fromkeys(first["fields"], 0) | {
        "f8": 1 / 3}


def test_strings(ctf):
    fields = [event["fields"] for event in ctf("text", options=["--strings", "30"])]
    assert fields[0] == {"text": ""}
    assert fields[1] == {"text": "gr\xfcn"}
    assert fields[2] == {"text": "\udcff\x1b[31m"}
    assert fields[3] == {"text": "x" * 30, "text_cut": True}
    assert fields[4]["text"] % 4096 == 0
    assert set(fields[4]) == {"text", "text_why"}
    assert fields[5] == {"text": 1, "text_why":
                         "there is no memory at that address"}
    assert fields[6] == {"text": 0}


def test_records(ctf, made):
    program = made(RECORDS.read_text(), SOURCE)
    done, large = ctf(program, options=["recs:*"])
    members = dict(MEMBERS, mid=2**64 - 1, next=0)
    assert done["fields"] == {"before": 1, "req": members, "status": 2}
    assert large["fields"] == {"req": {"text": "a.example"}}
    done, _ = ctf(program, options=["recs:*", "--strings", "4"])
    assert done["fields"]["req"]["peer"] == {
        "host": "a.ex", "host_cut": True, "port": 445}


def test_many_members(ctf, made):
    """The end of the record is left out, and the trace says so."""
    members = range(150)
    program = made(
        "typedef struct {%s} big_t; struct request { uint8_t n; };"
        "translator big_t < struct request *R > {%s};"
        "provider act { probe big(struct request *r) : (big_t *r); };"
        % ("".join("uint8_t m%d;" % n for n in members),
           "".join("m%d = R->n + %d;" % (n, n) for n in members)),
        '#include <stdint.h>\nstruct request { uint8_t n; };\n'
        '#include "act_probes.h"\n'
        'int main(void) { struct request r = { 7 }; ACT_BIG(&r); return 0; }')
    event, = ctf(program)
    assert event["fields"] == {
        "r": {"m%d" % n: n + 7 for n in range(128)}, "r_cut": True}


def test_record_that_is_not_there(ctf, made):
    program = made(RECORDS.read_text(), SOURCE.replace(
        "RECS_LARGE(&request)", "RECS_PLAIN((void *)8, &request)"))
    plain, = ctf(program, options=["recs:plain"])
    assert plain["fields"]["req"] == 8 and plain["fields"]["other"] > 4096


def test_not_described(ctf, made):
    program = made(RECORDS.read_text(), SOURCE, "-DSDTKIT_NO_DESCRIBE")
    event, = ctf(program, options=["recs:large"])
    assert event["fields"].get("arg0_text", "a.example") == "a.example"
    assert event["fields"]["arg0"] > 4096


def test_booleans(ctf, made, build):
    program = made(MARSHALLED, MARSHALLED_SOURCE,
                   str(build / "lib" / "arg" / "libsdtkit.a"))
    event, = ctf(program)
    assert event["fields"] == {"key": "k\\x01\\", "plain": "\x01\\x41",
                               "yes": True}


NAMES = """
enum color { RED = 1, GREEN, BLUE = -1 };
enum size { TINY = 1, LARGE = 255 };
#pragma sdtkit names size small
struct request { enum color color; uint8_t small; };
typedef struct { enum color color; uint8_t small; } paint_t;
translator paint_t < struct request *R > {
	color = R->color;
	small = R->small;
};
provider act {
	probe named(enum color color, struct request *r)
		: (enum color color, paint_t *r);
};
"""

NAMED = """
#include <stdint.h>
enum color { RED = 1, GREEN, BLUE = -1 };
struct request { enum color color; uint8_t small; };
#include "act_probes.h"

int main(void)
{
	static const int colors[] = { RED, GREEN, RED, 99, BLUE, GREEN };
	unsigned int i;

	for (i = 0; i < sizeof(colors) / sizeof(colors[0]); i++) {
		struct request r = { colors[i], (uint8_t)colors[i] };

		ACT_NAMED((enum color)colors[i], &r);
	}
	return 0;
}
"""


def test_names_of_values(ctf, folder, made):
    """A number stays a number; the metadata have its name."""
    events = ctf(made(NAMES, NAMED))
    assert [event["fields"] for event in events] == [
        {"color": color, "r": {"color": color, "small": color % 256}}
        for color in (1, 2, 1, 99, -1, 2)]
    assert [event["labels"]["color"] for event in events] == [
        ["RED"], ["GREEN"], ["RED"], [], ["BLUE"], ["GREEN"]]
    text = (folder / "metadata").read_text()
    assert 'enum : s4 { "RED" = 1, "GREEN" = 2, "BLUE" = -1 } _color;' in text
    assert 'enum : u1 { "TINY" = 1, "LARGE" = 255 } _small;' in text
    assert text.count("\nevent {") == 1	# it has all names at once


HOSTILE = """
#include <sys/sdt.h>
#define NOTE(text) __asm__(".pushsection .note.sdtkit,\\"\\",@note\\n" \\
	".balign 4\\n.4byte 7, 2f-1f, 1\\n.asciz \\"sdtkit\\"\\n.balign 4\\n" \\
	"1: .ascii \\"" text "\\"\\n2: .balign 4\\n.popsection")
NOTE("h\\\\\\"*/\\\\0p\\\\n};\\\\0Ends */ a comment\\\\nand /* begins one\\\\0"
     "u4\\\\0a */ b\\\\0event\\\\0" "u4\\\\0/*\\\\0a b\\\\0" "u4\\\\0\\\\0a-b\\\\0"
     "u4\\\\0int\\\\0\\\\377\\\\0");
int main(void)
{
	__asm__ volatile("990: nop\\n"
		".pushsection .note.stapsdt,\\"\\",@note\\n"
		".balign 4\\n.4byte 8, 2f-1f, 3\\n.asciz \\"stapsdt\\"\\n"
		"1: .8byte 990b, _.stapsdt.base, 0\\n"
		".asciz \\"h\\\\\\"*/\\"\\n.asciz \\"p\\\\n};\\"\\n"
		".asciz \\"4@$1 4@$2 4@$3 4@$4\\"\\n2: .balign 4\\n.popsection");
	return 0;
}
__asm__(".pushsection .stapsdt.base,\\"aG\\",\\"progbits\\",.stapsdt.base,"
	"comdat\\n.weak _.stapsdt.base\\n.hidden _.stapsdt.base\\n"
	"_.stapsdt.base: .space 1\\n.popsection");
"""


def test_hostile_names(ctf, folder, tmp_path):
    """Those of a note that a file has been given by hand."""
    (tmp_path / "h.c").write_text(HOSTILE.replace("#include <sys/sdt.h>", ""))
    subprocess.run(["gcc", "h.c", "-o", "h"], check=True, cwd=tmp_path)
    event, = ctf(tmp_path / "h")
    assert event["name"] == 'h"*/:p\n};'
    assert event["fields"] == {"event": 1, "a_b": 2, "a_b_2": 3, "_": 4}
    text = (folder / "metadata").read_text()
    assert "Ends * / a comment\\x0aand / * begins one */\n" in text


def test_metadata(ctf, folder, acts):
    ctf("text", options=["act:*"])
    text = (folder / "metadata").read_text()
    assert text.startswith("/* CTF 1.8 */\n")
    ctf("steps", 1)
    text = (folder / "metadata").read_text()
    assert "/* act:step: The hit of this number */\nevent {\n" in text
    assert "\ts4 _n;\t/* int */\n" in text
    for variable in ('tracer_name = "sdtkit"', 'procname = "program"',
                     'command = "%s/program steps 1"' % acts):
        assert "\t%s;\n" % variable in text


def test_times_are_those_of_the_clock(ctf):
    before = time.time_ns()
    events = ctf("late")
    after = time.time_ns()
    times = [event["time"] for event in events]
    assert before <= times[0] and times[1] <= after
    assert times[1] - times[0] >= 50000000


def test_threads(ctf, folder):
    """Each has a file; all events are there, in the order of each thread."""
    events = ctf("threads", 2000)
    assert len(events) == 16000
    assert len(list(folder.glob("thread-*"))) == 8
    texts = ["a", "longer", "the longest"]
    for thread in range(8):
        mine = [event for event in events
                if event["fields"]["thread"] == thread]
        assert len({(event["tid"], event["stream"]) for event in mine}) == 1
        assert [(event["fields"]["n"], event["fields"]["text"])
                for event in mine] == [(n, texts[n % 3]) for n in range(2000)]
    times = [event["time"] for event in events]
    assert times == sorted(times)


def test_processes(ctf, trace):
    events = ctf("family")
    lines = trace("family").lines
    assert len(events) == len(lines) == 3
    assert len({event["pid"] for event in events}) == len(
        {line.pid for line in lines})


@pytest.mark.thorough
def test_more_processes_than_files(ctf, folder, acts):
    """Those that come later share files, and a packet names the process."""
    count = 700
    events = ctf("/bin/sh", "-c", "i=0; while [ $i -lt %d ]; do $0 steps 1; "
                 "i=$((i + 1)); done" % count, acts / "program")
    assert len(events) == len({event["pid"] for event in events}) == count
    assert 250 < len(list(folder.glob("thread*"))) < 600


def test_large_events(ctf, made):
    """An event that is larger than a packet, between small ones."""
    program = made(
        "struct request { int64_t a[500]; };"
        "typedef struct { int64_t a[500]; } big_t;"
        "translator big_t < struct request *R > { a = R->a; };"
        "provider act { probe big(struct request *r, char *text) : "
        "(big_t *r, char *text); probe small(int n); };",
        '#include <stdint.h>\nstruct request { int64_t a[500]; };\n'
        '#include "act_probes.h"\n'
        'int main(void)\n{ static struct request r; int i;\n'
        'static char text[1001] = "z"; for (i = 1; i < 1000; i++) '
        'text[i] = \'z\'; for (i = 0; i < 300; i++) {'
        'r.a[i] = -i; ACT_SMALL(i); if (i % 100 == 50) '
        'ACT_BIG(&r, text); } return 0; }')
    events = ctf(program, options=["--strings", "1023"])
    assert [event["fields"]["n"] for event in events
            if event["name"] == "act:small"] == list(range(300))
    big = [event["fields"] for event in events if event["name"] == "act:big"]
    assert [fields["r"]["a"] for fields in big] == [
        [-i for i in range(n + 1)] + [0] * (499 - n) for n in (50, 150, 250)]
    assert {fields["text"] for fields in big} == {"z" * 1000}


def test_lost_hits_are_discarded_events(sdtkit, acts, folder, read,
                                        unavailable):
    process = subprocess.Popen([sdtkit, "trace", "-q", "--patience", "0", "--ctf",
                                folder, acts / "program", "starve", "20000"],
                               stderr=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL)
    try:
        child = child_of(process.pid)
        until(lambda: state_of(child) in "ZX")
    finally:
        process.send_signal(signal.SIGCONT)
        messages = process.communicate(timeout=LIMIT)[1]
    told = int(re.fullmatch(r"sdtkit trace: (\d+) hits were lost\n",
                            messages)[1])
    events, lost = read(folder)
    assert told == lost > 0 and len(events) + lost == 160000
    done = babeltrace2(folder, unavailable=unavailable)
    reported = re.findall(rb"WARNING: Tracer discarded (\d+) events",
                          done.stderr)
    assert sum(map(int, reported)) == lost


def state_of(pid):
    with open("/proc/%d/stat" % pid) as stat:
        return stat.read().rpartition(") ")[2][0]


def test_max(trace, folder, read):
    done = run_ctf(trace, folder, "steps", 100, options=["-c", "3"])
    assert (done.returncode, done.messages) == (0, "")
    assert [event["fields"]["n"] for event in read(folder)[0]] == [1, 2, 3]


def test_no_hits(trace, folder, read):
    done = run_ctf(trace, folder, "steps", 0, options=["act:step"])
    assert "none of its probes has fired" in done.messages
    assert [file.name for file in folder.iterdir()] == ["metadata"]
    assert read(folder) == ([], 0)


def test_killed_tracer_leaves_packets(sdtkit, acts, folder, read):
    """All that was recorded a second before is there."""
    with ended([sdtkit, "trace", "-q", "--ctf", folder, acts / "program",
                "threads", "200000"], stdout=subprocess.DEVNULL):
        until(lambda: folder.exists() and sum(
            file.stat().st_size for file in folder.iterdir()) > 10**6)
    events, lost = read(folder)
    assert lost == 0 and len(events) > 10000
    for thread in range(8):
        numbers = [event["fields"]["n"] for event in events
                   if event["fields"]["thread"] == thread]
        assert numbers == list(range(len(numbers)))


@pytest.fixture
def lingering(sdtkit, acts, folder):
    """A trace that goes on until the test has ended."""
    process = subprocess.Popen([sdtkit, "trace", "-q", "--ctf", folder,
                                acts / "program", "linger", "60"],
                               stdout=subprocess.DEVNULL,
                               start_new_session=True)
    yield
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_trace_can_be_read_while_it_is_written(lingering, folder, read):
    """A packet is written after a second, full or not."""
    until(lambda: any(file.stat().st_size
                      for file in folder.glob("thread-*")))
    assert read(folder)[0]


@pytest.mark.thorough
def test_a_million_events(trace, folder, unavailable):
    done = run_ctf(trace, folder, "threads", 125000, timeout=4 * LIMIT)
    assert (done.returncode, done.messages) == (0, "")
    shown = babeltrace2("--output-format=text", "--names=none", folder,
                        unavailable=unavailable)
    assert (shown.stdout.count(b"\n"), shown.stderr) == (1000000, b"")


def test_text_of_babeltrace2(ctf, folder, unavailable):
    ctf("types")
    lines = babeltrace2("--names=all", folder,
                        unavailable=unavailable).stdout.decode().splitlines()
    assert len(lines) == 2
    assert 'u8 = 18446744073709551615, s8 = -9223372036854775808, ' \
        'f4 = 1.5, f8 = -0.1, p = 0x1A, z = "a\\"b\\\\c\\n\\x01"' in lines[0]
