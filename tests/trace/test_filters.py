# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit trace COMMAND with filters: the traced processes evaluate them."""

import json
import re

import pytest

from test_records import RECORDS, SOURCE as RECORDS_SOURCE, made  # noqa: F401
from test_running import FILTERS, program  # noqa: F401


def first_arguments(found):
    return [hit["arguments"][0]["value"] for hit in found]


def test_filters(show, program, tmp_path):  # noqa: F811
    lines = tmp_path / "out"
    for text, numbers in FILTERS:
        done = show("-q", "-j", "-o", lines, text, program, input="xx")
        assert (done.returncode, done.stdout) == (0, "ready\n"), text
        found = [item for item in map(json.loads, lines.open())
                 if "arguments" in item]
        assert first_arguments(found) == numbers, text
        assert ("none of its probes" in done.stderr) == (not numbers)


@pytest.mark.parametrize("words,count", [
    (["act:step/n>3/", "act:text"], 7),
    (["act:text/n==1/,act:step"], 9),
    (["act:*", "!act:text", "act:step/1%4/"], 7),
    (["act:*/n==1/", "act:text", "!act:all,!act:from"], 7),
])
def test_several_words(show, program, words, count):  # noqa: F811
    """The filter of the last pattern that matches a probe counts."""
    done = show("-q", "--totals", *words, program, input="xx")
    found = map(int, re.findall(r"^ *(\d+)  act:", done.stderr, re.M))
    assert sum(found) == count, done.stderr


def test_members(show, made, tmp_path):  # noqa: F811
    program = made(RECORDS.read_text(), RECORDS_SOURCE)  # noqa: F811
    for text, count in [("req.peer.port==445 req.left<-4/", 1),
                        ("arg1.left>=0/", 0), ("req.kind==LARGE/", 1)]:
        done = show("-q", "recs:done/" + text, program)
        assert done.stderr.count("recs:done(") == count, text


def test_children(trace, acts):
    """A program that the first one executes evaluates the filter, too."""
    done = trace("/bin/sh", "-c", "%s types" % (acts / "program"),
                 options=["act:types/u1>7/"])
    assert len(done.hits) == 1 and done.hits[0].startswith("act:types(u1=255")


@pytest.mark.parametrize("pattern,why", [
    ("act:types/step>1/", 'it has no argument "step"; it has: '),
    ("act:types/us1>1/", 'it has no argument "us1"; did you mean u1?'),
    ('act:types/u1=="a"/', '"u1" is not a string, compare it with a number'),
    ("act:ty*/u1==1 && us1>1/", 'it has no argument "us1"; did you mean u1?'),
    ("act:types/f4>1/", '"f4" cannot be compared'),
])
def test_filter_that_fits_no_site(trace, acts, pattern, why):
    """It is refused where the file of the command shows it, else said."""
    said = "the filter of act:types: " + why
    done = trace("types", options=[pattern], quiet=False)
    assert (done.returncode, done.text) == (125, [])
    assert done.messages.startswith("sdtkit trace: ")
    assert ": " + said in done.messages
    assert done.messages.count("\n") == 1

    done = trace("/bin/sh", "-c", "%s types" % (acts / "program"),
                 options=[pattern], quiet=False)
    assert (done.returncode, done.text) == (0, [])
    assert re.search(r"^sdtkit trace: (1 site was|\d+ sites were) not "
                     "traced: " + re.escape(said), done.messages, re.M)


def test_filter_that_does_not_fit_one_probe(trace):
    done = trace("types", options=["act:*/u1>7/"])
    assert len(done.hits) == 1
    assert re.search(r"\d+ sites were not traced: the filter of act:\w+: it "
                     'has no argument "u1"', done.messages)


@pytest.mark.parametrize("words,text", [
    (["a:b/c==1"], "'a:b/c==1': filter: the second slash is missing at"),
    (["a:b/c=1/"], "'a:b/c=1/': filter: equal is ==: expected ==, !=, <, <=, > "
     "or >= at"),
    (["a:b/c==1/,c"], '"c" is not a pattern'),
    (["a:b/c==1/", "a:b/c==2/"], "a second filter for the same probes"),
    (["a:b%d/c==1/" % i for i in range(65)], "too many patterns with filters"),
    (["a:b%d/1%%5/" % i for i in range(17)],
     "this process has no sampler left"),
])
def test_misuse(fails, words, text):
    said = fails(*words, "true")
    assert text in said and said.count("\n") == 1
