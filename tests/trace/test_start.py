# SPDX-License-Identifier: BSD-2-Clause
"""The messages when the command begins, on standard error, and colours."""

import os
import re
import subprocess

import pytest

from trace_lines import LIMIT

LATER = ("; libraries that it opens and programs that it starts may have "
         "some")


def said(done, acts):
    """Returns the messages without "sdtkit trace: "."""
    return [line.split("%s: " % (acts / "program"))[-1]
            for line in done.messages.splitlines()]


def test_how_much_is_traced(trace, acts):
    done = trace("steps", 1, quiet=False, options=["act:step"])
    assert len(done.messages.splitlines()) == 1
    assert "program: tracing 1 probe at " in done.messages


def test_why_sites_have_traps(trace):
    """Nothing is said of jumps, which are the rule."""
    done = trace("steps", 1, quiet=False, options=["act:step"],
                 env=dict(os.environ, SDTKIT_TAP_WAY="trap"))
    assert re.fullmatch(
        r"sdtkit trace: \S+: tracing 1 probe at (\d+) sites?; \1 sites? by "
        r"trap, of act: SDTKIT_TAP_WAY=trap is in the environment\n",
        done.messages)


def test_whose_sites_have_traps(trace, acts):
    """The probes of libraries that the program loads are traced, too."""
    done = trace("steps", 1, quiet=False, options=["act:step,plug:*"],
                 env=dict(os.environ, SDTKIT_TAP_WAY="trap",
                          LD_PRELOAD=str(acts / "plugin.so")))
    assert re.search(r" sites by trap, of (act|plug) and others: ",
                     done.messages)


def test_traps_in_json(trace, objects):
    done = trace("steps", 1, options=["-j", "act:step"],
                 env=dict(os.environ, SDTKIT_TAP_WAY="trap"))
    assert objects(done.text)[-1]["traps"] > 0


def test_pattern_in_vain_is_told_at_once(sdtkit, acts):
    """The message is printed before the command ends, which waits for input
    here."""
    with subprocess.Popen(
            [sdtkit, "trace", "atc:*", "sh", "-c",
             "read line; exec $0 steps 1", acts / "program"],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True) as process:
        first = process.stderr.readline()
        process.communicate("\n", timeout=LIMIT)
    assert "sh: no probe matches 'atc:*' so far" in first
    assert first.endswith(LATER + "\n")


def test_similar_names(trace, acts):
    done = trace("steps", 1, quiet=False, options=["atc:step"])
    assert said(done, acts) == [
        "no probe matches 'atc:step' so far; similar ones: act:step" + LATER,
        "no probe has matched"]


def test_similar_names_of_a_later_program(trace, acts):
    done = trace("/bin/sh", "-c", '"$0" steps 1; exit 0', acts / "program",
                 quiet=False, options=["atc:step"])
    assert "no probe matches; similar ones: act:step" in done.messages


def test_one_pattern_of_two(trace, acts):
    done = trace("steps", 1, quiet=False, options=["act:step",
                                                   "act:txet"])
    assert done.hits == ["act:step(n=1)"]
    first, second = said(done, acts)
    assert first.startswith("tracing 1 probe at ")
    assert second == ("no probe matches 'act:txet' so far; similar ones: "
                      "act:text, act:types, act:step, act:work" + LATER)


def test_taking_nothing_out(trace, acts):
    done = trace("steps", 1, quiet=False,
                 options=["act:step", "!act:txet"])
    assert done.hits == ["act:step(n=1)"]
    assert said(done, acts)[1].startswith(
        "no probe matches '!act:txet' so far, so it excludes nothing; "
        "similar ones: act:text")


def test_taking_something_out(trace, acts):
    done = trace("steps", 1, quiet=False,
                 options=["act:*", "!*:text"])
    assert len(said(done, acts)) == 1


def test_similar_provider(trace, acts):
    done = trace("steps", 1, quiet=False, options=["acts:zzzzzzzzz"])
    assert "; similar ones: act:" in said(done, acts)[0]


def test_what_is_taken_out_is_not_attached(trace, acts):
    """A probe that is excluded with "!" is not attached to even for a moment,
    to see whether it exists."""
    done = trace("steps", 1, quiet=False,
                 options=["act:nope", "*:*", "!libc:*",
                          "!rtld:*", "!libm:*"])
    assert done.returncode == 0 and done.hits == ["act:step(n=1)"]


def test_probes_that_come_later(trace, acts):
    done = trace("/bin/sh", "-c", "$0 steps 1; $0 steps 1", acts / "program",
                 quiet=False, options=["act:step"])
    first, second = done.messages.splitlines()
    assert first.endswith("/bin/sh: no probe matches 'act:step' so far" + LATER)
    assert "/bin/sh: tracing 1 probe at " in second


def test_library_that_comes_later(trace, acts):
    done = trace("plugin", acts / "plugin.so", quiet=False,
                 options=["plug:*"])
    first, second = said(done, acts)
    assert first == "no probe matches 'plug:*' so far" + LATER
    assert second.startswith("tracing 1 probe at ")


def test_command_without_probes(trace):
    done = trace("/bin/true", quiet=False)
    assert done.messages.splitlines()[0].endswith(
        "/bin/true: no probes so far" + LATER)


@pytest.mark.parametrize("options", [["-q"], ["--quiet"]])
def test_quiet(trace, options):
    done = trace("steps", 1, quiet=False, options=options)
    assert done.messages == ""


def test_json_on_standard_error_is_nothing_else(show, acts, objects):
    done = show("-j", acts / "program", "steps", "1")
    assert len(objects(done.stderr.splitlines())) == 3


def test_begins_before_the_hits(show, acts):
    done = show(acts / "program", "steps", "1")
    first, second = done.stderr.splitlines()
    assert ": tracing " in first and second.endswith("act:step(n=1)")


COLOURED = "\x1b[36mact:step\x1b[0m(n=1)"


@pytest.mark.parametrize("options,environment,coloured", [
    ([], {}, False), (["--color=auto"], {}, False),
    (["--color=always"], {}, True), (["--color=never"], {}, False),
    (["--color=always"], {"NO_COLOR": "1"}, True),
])
def test_colour(trace, options, environment, coloured):
    done = trace("steps", 1, options=options, env={**os.environ, **environment})
    assert done.text[0].endswith(COLOURED) == coloured
    assert coloured or done.text[0].endswith("  act:step(n=1)")


@pytest.mark.parametrize("environment,coloured", [
    ({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False),
    ({"TERM": "xterm", "NO_COLOR": "1"}, False)])
def test_colour_on_a_terminal(sdtkit, acts, environment, coloured):
    master, slave = os.openpty()
    plain = {name: value for name, value in os.environ.items()
             if name != "NO_COLOR"}
    subprocess.run([sdtkit, "trace", "-q", acts / "program", "steps", "1"],
                   stderr=slave, stdout=subprocess.DEVNULL, timeout=LIMIT,
                   env={**plain, **environment})
    text = ""
    while not text.endswith("\n"):
        text += os.read(master, 1000).decode()
    os.close(slave)
    os.close(master)
    assert (COLOURED in text) == coloured


def test_wrong_colour(show):
    done = show("--color=red", "true")
    assert done.returncode == 125 and "red" in done.stderr


def test_name_without_provider(show):
    """The message says how to write a provider and how to write a probe."""
    done = show("-p", "1", "greet")
    assert done.returncode == 125
    assert "'*:greet'" in done.stderr and "'greet:*'" in done.stderr
