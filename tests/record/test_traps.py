# SPDX-License-Identifier: BSD-2-Clause
"""A site without a jump: it is left out, unless traps are asked for."""

import os
import platform
import signal
import subprocess

import pytest

NONE = {"SDTKIT_TAP_WAY": "trap"}
NONE_TEXT = "SDTKIT_TAP_WAY=trap is in the environment"


@pytest.fixture(autouse=True)
def x86_64(unavailable):
    if platform.machine() != "x86_64":
        unavailable("x86-64, where sites have room for a jump or have not")


def mixed(recorder, options="", patterns="rec:step", **environment):
    return recorder.call("record-mixed", env=dict(
        recorder.environment(patterns, options), **environment))


def test_left_out(recorder):
    """Standard error says so once, and the program goes on."""
    done = mixed(recorder, "keep")
    assert done.returncode == 0
    assert done.stderr.startswith(
        "sdtkit-recorder: 1 site is left out (the option traps, ")
    assert "only a trap" in done.stderr and done.stderr.count("\n") == 1
    assert "): rec:step in " in done.stderr
    assert recorder.show(*recorder.files()).texts == [
        'rec:step(number=1, text="patchable")']


def test_traps(recorder):
    """What the option is dangerous for."""
    done = mixed(recorder, "keep,traps")
    assert (done.returncode, done.stderr) == (-signal.SIGTRAP, "")
    assert recorder.show(*recorder.files()).texts == [
        'rec:step(number=1, text="patchable")']


def test_no_jumps_at_all(recorder):
    done = mixed(recorder, **NONE)
    assert done.returncode == 0
    assert done.stderr.startswith(
        "sdtkit-recorder: nothing is recorded: "
        "all 2 sites are left out (the option traps, ")
    assert NONE_TEXT in done.stderr
    assert recorder.files() == []


def test_traps_without_jumps(recorder):
    environment = dict(recorder.environment(options="keep,traps"), **NONE)
    subprocess.run(recorder.command("block step 3"), env=environment,
                   check=True, timeout=300)
    assert len(recorder.show(*recorder.files()).texts) == 3


def own(recorder, **environment):
    """Opens a recorder while the signal is blocked."""
    return recorder.call(
        "record-own", recorder.folder, "rec:step",
        env=dict(os.environ, **environment),
        preexec_fn=lambda: signal.pthread_sigmask(
            signal.SIG_BLOCK, [signal.SIGTRAP]))


def test_blocked_signal(recorder):
    """A recorder without traps does not need it."""
    assert own(recorder).returncode == 0


def test_error_of_the_library(recorder):
    done = own(recorder, **NONE)
    assert done.returncode == 1
    assert NONE_TEXT in done.stdout


def test_session(recorder):
    """It has the rule of the recorder whose process it is in."""
    work = subprocess.Popen(
        [str(recorder.programs / "record-mixed"), "wait"],
        env=recorder.environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        universal_newlines=True)
    with work, subprocess.Popen(
            [str(recorder.programs / "record-show"), "-s",
             work.stdout.readline().strip(), "rec:step", "60"],
            stdout=subprocess.PIPE, universal_newlines=True) as show:
        assert show.stdout.readline() == "attached\n"
        work.stdin.write("\n")
        work.stdin.close()
        lines = show.stdout.read().splitlines()
        assert work.wait(timeout=300) == 0
    assert len(lines) == 2
    assert 'number=1, text="patchable"' in lines[0]
