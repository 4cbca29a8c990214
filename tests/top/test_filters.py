# SPDX-License-Identifier: BSD-2-Clause
"""Filters behind spans and patterns: which hits sdtkit top counts."""

import re
import subprocess

import pytest

from test_options import build_odd  # noqa: F401
from top_run import LIMIT, Top

REQUESTS = [line for key, (op, status, out) in enumerate(
    [(1, 0, 10), (1, -5, 20), (2, 7, 30), (2, 0, 40), (1, 0, 50)], 1)
    for line in ("start %d %d 100" % (key, op),
                 "end %d %d %d" % (key, status, out))]


def counts(rows):
    return {name: (row["count"], row["sums"]["out"])
            for (_, name), row in rows.items()}


@pytest.mark.parametrize("words, read, write", [
    (["request/status!=0/"], (1, 20), (1, 30)),
    (["acts:request/status<0/"], (1, 20), None),
    (["acts:req*/status>=0&&out>=30 out!=40/"], (1, 50), (1, 30)),
    (["request/arg1==-5/"], (1, 20), None),
    (["request", "request/key==0x4/"], None, (1, 40)),
    (["request/status!=0/", "request"], (3, 80), (2, 70)),
    (["request/status==3/"], None, None),
])
def test_spans_by_the_arguments_of_their_end(play, words, read, write):
    rows, totals = play([*REQUESTS, "start 9 1 1", "cancel 9"], *words,
                        status=0)
    found = counts(rows)
    plain = words[-1] == "request"
    # what is cancelled has no status
    assert found.get("ACTS_READ") == ((4, 80) if plain else read)
    assert found.get("ACTS_WRITE") == write
    assert totals["request"]["started"] == totals["request"]["ended"] == 6
    assert totals["request"]["under_way"] == 0


def test_what_is_left_out_is_no_time_of_the_parent(play):
    rows, totals = play(
        ["start 1 1 0;part 9 1;nap 40;whole 9;nap 20;end 1 0 0"],
        "request", "part/part!=9/")
    request = rows["request", "ACTS_READ"]
    assert ("part", None) not in rows and totals["part"]["ended"] == 1
    assert 20000 <= request["self_us"] <= request["sum_us"] - 40000


def test_ends_that_tell_the_time(play, form):
    rows, _ = play(["tell 1 1 0 5000000 20", "tell 2 1 0 7000000 1",
                    "tell 3 2 1 7000000 9"],
                   "told/elapsed_ns>5ms op==ACTS_READ/", form=form)
    assert {key: (row["count"], row["sum_us"], row["sums"])
            for key, row in rows.items()} == {
        ("told", "ACTS_READ"): (1, 7000, {"bytes": 1})}


@pytest.mark.parametrize("slow", [[], ["--slow", "0.001"]])
def test_hits_and_lines(start, slow):
    top, actor = start("acts:request_end/status<0/", "{program}", "--json",
                       "acts:request_start", "request/out>20/", *slow)
    actor.do(*REQUESTS)
    *lines, report = top.lines()
    assert {row["probe"]: row["count"] for row in report["probes"]} == {
        "request_end": 1, "request_start": 5}
    assert sum(row["count"] for row in report["spans"]) == 3
    assert len(lines) == (3 if slow else 0)


RECORDS = """
struct item { int16_t left; uint64_t took_us; };
typedef struct { int16_t left; uint64_t took_us; char text[8]; } item_t;
translator item_t < struct item *I > {
	left = I->left; took_us = I->took_us; text = "text";
};
provider odd { probe done(int n, struct item *item) : (int n, item_t *item); };
"""
HITS = """
#include <stdint.h>
struct item { int16_t left; uint64_t took_us; };
#include "odd.h"
int main(void)
{
	struct item item = { -3, 0 };

	for (; item.left < 4; item.left++, item.took_us += 1000)
		ODD_DONE(7, &item);
	return 0;
}
"""


@pytest.mark.parametrize("filter_, count", [
    ("item.left<-1/", 2), ("item.left!=0 item.took_us>2ms n==7/", 3),
    ("arg1.left==0x4/", 0)])
def test_members_of_records(sdtkit, build_odd, filter_, count):  # noqa: F811
    program = build_odd(RECORDS, HITS)
    top = Top(sdtkit, program, "--json", "odd:done/" + filter_)
    subprocess.run([program], check=True)
    *_, report = top.lines(0 if count else 1)
    assert [row["count"] for row in report["probes"] if row["count"]] == \
        [count] * (count > 0)


# What filters compare, and what they compare it with: pieces of a string are
# read in the kernel, and 255 bytes of it count.
PATTERNS = ["", "*", "**", "?", "home", "home*", "*work", "ho*rk", "h?me*w*",
            "?ork", "*?ork", "a*b", "a*x", "x" * 63, "x" * 62 + "*",
            "*" + "x" * 62, "x" * 31 + "*" + "x" * 31]
TEXTS = ["", "h", "home", "homework", "work", "hork", "horrk", "hom", "xork",
         "home w", *("x" * n for n in (62, 63, 64, 71, 72, 73, 142, 143, 144,
                                       254, 255, 256, 1000)),
         "a" + "x" * 253 + "b", "a" + "x" * 254 + "b"]
ONE_STAR = [text for text in PATTERNS if text != "h?me*w*"]


def like(text, pattern):
    parts = {"*": ".*", "?": "."}
    return bool(re.fullmatch("".join(parts.get(c, c) for c in pattern),
                             text[:255]))


def build_texts(build_odd, patterns):  # noqa: F811
    """A program that fires each text at a probe for each comparison."""
    return build_odd(
        "provider odd {%s};" % " ".join(
            "probe p%d(char *text);" % i for i in range(2 * len(patterns))),
        """#include <string.h>
           #include "odd.h"
           static char *const texts[] = { NULL, (char *)0x10000, %s };
           static volatile size_t touched;
           int main(void)
           {
                   for (size_t i = 2; i < sizeof(texts) / 8; i++)
                           touched += strlen(texts[i]);
                   for (size_t i = 0; i < sizeof(texts) / 8; i++) { %s }
                   return 0;
           }""" % (", ".join('"%s"' % text for text in TEXTS), " ".join(
               "ODD_P%d(texts[i]);" % i for i in range(2 * len(patterns)))))


def of_texts(patterns):
    """The words, and how many hits of each of their probes pass."""
    words, found = [], []
    for pattern in patterns:
        count = sum(like(text, pattern) for text in TEXTS)
        for compare, number in ("==", count), ("!=", len(TEXTS) + 2 - count):
            words.append('odd:p%d/text%s"%s"/' % (len(words), compare, pattern))
            found.append(number)
    return words, found


def test_strings(sdtkit, build_odd):  # noqa: F811
    words, found = of_texts(ONE_STAR)
    program = build_texts(build_odd, ONE_STAR)
    top = Top(sdtkit, program, "--json", *words)
    subprocess.run([program], check=True)
    *_, report = top.lines()
    counted = {row["probe"]: row["count"] for row in report["probes"]}
    assert [counted.get("p%d" % i, 0) for i in range(len(words))] == found
    # that at 0x10000; NULL is no string
    assert report["lost_strings"] == len(words)
    assert "%d strings for filters of probes could not be read" % len(words) \
        in top.errors


def test_strings_as_sdtkit_trace_compares_them(sdtkit, build_odd):  # noqa: F811
    words, found = of_texts(PATTERNS)
    program = build_texts(build_odd, PATTERNS)
    done = subprocess.run([sdtkit, "trace", "-q", *words, program],
                          stderr=subprocess.PIPE, timeout=LIMIT, text=True)
    assert [done.stderr.count("odd:p%d(" % i) for i in range(len(words))] == \
        found


def test_strings_of_spans(play):
    lines = ["enter home", "leave home", "enter homework", "leave homework",
             "enter work", "leave work"]
    rows, totals = play(lines, 'call/function=="home*"/')
    assert {name: row["count"] for (_, name), row in rows.items()} == {
        "home": 1, "homework": 1}
    assert totals["call"]["ended"] == 3
    rows, _ = play(lines, 'call/function!="home*" function=="w??k"/')
    assert {name: row["count"] for (_, name), row in rows.items()} == {
        "work": 1}


@pytest.mark.parametrize("member, said", [
    ("item.text", "is a string in a record, which cannot be compared"),
    ("item.right", "is not in its record; it has: left, took_us, text"),
    ("item.lft", "is not in its record; did you mean left?"),
    ("n.left", "is not in a record that the description knows")])
def test_members_that_cannot_be(sdtkit, build_odd, member, said):  # noqa: F811
    word = "odd:done/%s==1/" % member
    run = subprocess.run([sdtkit, "top", build_odd(RECORDS, HITS), word],
                         stderr=subprocess.PIPE, timeout=LIMIT, text=True)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: '%s': '%s' of odd:done %s\n" % (word, member, said))


@pytest.mark.parametrize("word, said", [
    ("acts:request/status=0/", "filter: equal is ==: expected ==, !=, <, <=, > or "
     ">= at \"status=0/\""),
    ("request/status==0", "filter: the second slash is missing at "
     "\"status==0\""),
    ("request/op==1/", "no end of the span acts:request has an argument 'op'; "
     "it has: key, status, out"),
    ("request/statu==1/", "no end of the span acts:request has an argument "
     "'statu'; did you mean status?"),
    ("acts:request_*/status==1/",
     "acts:request_start has no argument 'status'; it has: key, op, bytes, "
     "who"),
    ("acts:told_end/status!=GOOD/", "'status' of acts:told_end has no names of "
     "values: compare it with a number"),
    ("acts:request_start/op==ACTS_WRIT/",
     "'op' of acts:request_start has no value 'ACTS_WRIT'; did you mean "
     "ACTS_WRITE?"),
    ("told/elapsed_ns>5k/", "filter: expected k, M or G, or for a name that "
     "ends in _ns, _us, _ms or _s this unit or a larger one, at \"k/\""),
    ("acts:tick/1%10/", "a sample can only be taken by a recorder"),
    ("acts:tick/number==1/,acts:*", "give each pattern as a word of its own"),
    ("acts:request_start/who==\"a*b*\"/", "a string with more than one * can "
     "only be compared by 'sdtkit trace' and by a recorder"),
    ("acts:request_start/who==1/", "'who' of acts:request_start is a string: "
     "compare it with a text in quotes"),
    ("acts:request_start/op==\"1\"/", "'op' of acts:request_start is not a "
     "string: compare it with a number"),
])
def test_filters_that_cannot_be(sdtkit, acts, privileged, word, said):
    run = subprocess.run([sdtkit, "top", acts(), word], stderr=subprocess.PIPE,
                         timeout=LIMIT, universal_newlines=True)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: '%s': %s\n" % (word, said))


def test_a_filter_and_a_flame_graph(sdtkit, acts, privileged, tmp_path):
    run = subprocess.run(
        [sdtkit, "top", acts(), "request/status!=0/", "--flame",
         tmp_path / "flame.svg"], stderr=subprocess.PIPE, timeout=LIMIT,
        universal_newlines=True)
    assert (run.returncode, run.stderr) == (
        2, "sdtkit top: --flame and a filter cannot be used together: samples "
        "come before the end of their span\n")
