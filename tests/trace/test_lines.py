# SPDX-License-Identifier: BSD-2-Clause
"""The output: values by their types, times, counts and JSON."""

import re
import time

import pytest

from opt_in import usual


def test_types(trace):
    done = trace("types")
    assert done.hits == [
        "act:types(u1=255, s1=-128, u2=65535, s2=-32768, u4=4294967295, "
        "s4=-2147483648, u8=18446744073709551615, s8=-9223372036854775808, "
        'f4=1.5, f8=-0.1, p=0x1a, z="a\\"b\\\\c\\n\\x01")',
        "act:types(u1=0, s1=0, u2=0, s2=0, u4=0, s4=0, u8=0, s8=0, f4=0, "
        "f8=0.3333333333333333, p=NULL, z=NULL)"]
    assert (done.returncode, done.messages) == (0, "")


def test_strings(trace):
    hits = trace("text", options=["--strings", "30"]).hits
    assert hits[0] == 'act:text(text="")'
    assert hits[1] == 'act:text(text="gr\xfcn")'
    assert hits[2] == 'act:text(text="\\xff\\x1b[31m")'
    assert hits[3] == 'act:text(text="%s"...)' % ("x" * 30)
    assert re.fullmatch(r"act:text\(text=0x[0-9a-f]+ \(.*\)\)", hits[4])
    assert re.fullmatch(r"act:text\(text=0x1 \(.*\)\)", hits[5])
    assert hits[6] == "act:text(text=NULL)"


@pytest.mark.parametrize("options,length", [([], 200), (["--strings", "1"], 1),
                                            (["--strings=1023"], 1023)])
def test_strings_are_cut(trace, options, length):
    assert trace("text", options=options).hits[3] == \
        'act:text(text="%s"...)' % ("x" * length)


def test_strings_of_json(trace, objects):
    lines = objects(trace("text", options=["-j", "--strings", "30"]).text)
    first, *hits, last = lines
    arguments = [hit["arguments"][0] for hit in hits]
    assert [argument["value"] for argument in arguments] == [
        "", "gr\xfcn", "\ufffd\x1b[31m", "x" * 30, None, None, None]
    assert [argument.get("cut") for argument in arguments] == [
        None, None, None, True, None, None, None]
    assert "why" in arguments[4] and "why" not in arguments[6]
    assert arguments[5]["address"] == "0x1"
    assert first["command"][1:] == ["text"]
    # on machines without jumps, all of them
    del last["traps"]
    assert last == {"hits": 7, "lost": 0, "left_out": 0, "status": 0}


def test_types_of_json(trace, objects):
    hit = objects(trace("types", options=["--json"]).text)[1]
    assert [(a["name"], a["type"], a["value"]) for a in hit["arguments"]] == [
        ("u1", "uint8_t", 255), ("s1", "int8_t", -128),
        ("u2", "uint16_t", 65535), ("s2", "int16_t", -32768),
        ("u4", "uint32_t", 2**32 - 1), ("s4", "int32_t", -2**31),
        ("u8", "uint64_t", str(2**64 - 1)), ("s8", "int64_t", str(-2**63)),
        ("f4", "float", 1.5), ("f8", "double", -0.1),
        ("p", "void *", "0x1a"), ("z", "char *", 'a"b\\c\n\x01')]


def test_standard_error_is_where_lines_go(show, acts):
    done = show("-q", acts / "program", "steps", "2")
    assert done.stdout == "done\n"
    assert re.fullmatch(r" +\d+\.\d{6}  \d+ +act:step\(n=1\)\n"
                        r" +\d+\.\d{6}  \d+ +act:step\(n=2\)\n", done.stderr)


def test_times(trace):
    before = time.time()
    texts = {kind: trace("steps", 3, options=["--time=" + kind]).text
             for kind in ("start", "delta", "clock", "epoch", "none")}
    after = time.time()
    start = [float(text.split()[0]) for text in texts["start"]]
    assert start == sorted(start) and 0 < start[0] < after - before
    assert texts["delta"][0].startswith("  0.000000  ")
    assert float(texts["delta"][2].split()[0]) < after - before
    epoch = [float(text.split()[0]) for text in texts["epoch"]]
    assert before < epoch[0] <= epoch[2] < after
    clock = texts["clock"][0].split()[0]
    assert clock[:8] in {time.strftime("%H:%M:%S", time.localtime(second))
                         for second in range(int(before), int(after) + 1)}
    assert texts["none"][0].split()[0].isdigit()


def test_times_of_long_lines(trace):
    text = trace("late", options=["--time=delta", "--strings=1023"]).text
    assert len(text[1]) > 4096 and float(text[1].split()[0]) >= 0.05


def test_count(trace, objects):
    done = trace("family", options=["--totals"])
    assert done.text == ["    HITS  PROBE", "       3  act:step"]
    first, count, last = objects(trace("family", options=["--totals", "-j"]).text)
    assert count == {"provider": "act", "probe": "step", "hits": 3}
    assert last["hits"] == 3
    text = trace("threads", 100, options=["--totals"]).text
    assert text == ["    HITS  PROBE", "     800  act:work"]


def test_nothing_to_count(trace):
    done = trace("/bin/true", options=["--totals"])
    assert done.text == []


def test_counts_are_sorted(trace, acts):
    done = trace("/bin/sh", "-c", "$0 text; $0 steps 2; $0 types",
                 acts / "program", options=["--totals"])
    assert done.text[1:] == ["       7  act:text", "       2  act:step",
                             "       2  act:types"]


def test_max(trace):
    done = trace("steps", 1000, options=["-c", "3"])
    assert done.hits == ["act:step(n=%d)" % n for n in (1, 2, 3)]
    assert (done.stdout, done.returncode, done.messages) == ("done\n", 0, "")


@pytest.mark.parametrize("patterns,names", [
    (["act:text"], {"act:text"}),
    (["act:t*"], {"act:text", "act:types"}),
    (["act:text", "*:step"], {"act:text", "act:step"}),
    (["act:text,*:step"], {"act:text", "act:step"}),
    (["!act:text"], {"act:types", "act:step"}),
    (["act:*", "!act:t*"], {"act:step"}),
    (["act:*,!act:t*"], {"act:step"}),
    (["!act:t*", "act:text"], {"act:text"}),
])
def test_patterns(trace, acts, patterns, names):
    done = trace("/bin/sh", "-c", "$0 text; $0 steps 1; $0 types",
                 acts / "program",
                 options=[word for p in patterns for word in (p,)])
    assert {line.name for line in done.lines} == names


def test_pattern_that_fits_nothing(trace):
    done = trace("steps", 1, options=["smb2:*"])
    assert done.text == [] and done.returncode == 0
    assert "no probe matches" in done.messages
    assert "sdtkit list" in done.messages


def test_pattern_that_almost_fits(trace, acts):
    """The pattern is almost that of a probe of the child; the shell has no
    probes."""
    done = trace("/bin/sh", "-c", '"$0" steps 1; exit 0', acts / "program",
                 options=["smb2:*", "act:stpe"])
    assert done.text == []
    assert "no probe matches; similar ones: act:step" in done.messages


def test_program_without_probes(trace):
    done = trace("/bin/true")
    assert done.text == [] and done.returncode == 0
    assert ("/bin/true: neither the program nor its libraries have probes; "
            in done.messages)
    assert ("/bin/true: if it changes to another user or clears its "
            in done.messages)
    assert "SDTKIT_DISABLE" not in done.messages


def test_probes_that_did_not_fire(trace):
    done = trace("steps", 0)
    assert done.text == [] and done.returncode == 0
    assert "none of its probes has fired" in done.messages


@pytest.mark.parametrize("threads", usual([300, 3000], 300))
def test_threads_never_share_a_line(trace, threads):
    done = trace("threads", threads)
    texts = ["a", "longer", "the longest"]
    assert sorted(done.hits) == sorted(
        'act:work(thread=%d, n=%d, text="%s")' % (thread, n, texts[n % 3])
        for thread in range(8) for n in range(threads))
    assert len({line.tid for line in done.lines}) == 8
    assert len({line.pid for line in done.lines}) == 1
    for tid in {line.tid for line in done.lines}:
        mine = [line for line in done.lines if line.tid == tid]
        numbers = [int(re.search(r"n=(\d+)", line.arguments)[1])
                   for line in mine]
        assert numbers == sorted(numbers)
