# SPDX-License-Identifier: BSD-2-Clause
"""Notes of requests in the memory of smbd, which are read instead of hits."""

import os
import re
import time

import pytest

import demo_wire as w
from actor import Actor, compile_actor
from test_attach import ACTS, OPTIONS, counted, without_times
from tsmbd_run import Tsmbd

HITS = {**os.environ, "TSMBD_OLD_KERNEL": "notes"}
RING = 16


@pytest.fixture(autouse=True)
def kernel_reads_notes(unavailable):
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    if version < (6, 6):
        unavailable("notes are read from Linux 6.6 on")


def test_notes_tell_what_hits_tell(act, trace):
    """All of it but the time: whoever takes hits has the server wait."""
    actor = act(*ACTS)
    tracers = [trace(actor, "--json", *OPTIONS),
               trace(actor, "--json", *OPTIONS, env=HITS)]
    actor.play()
    told = [tracer.reports() for tracer in tracers]
    (noted,), (hit,) = told[0][0], told[1][0]
    assert counted(noted) == counted(hit)
    assert noted["requests"] == 2
    noted, hit = [without_times(events) for _, events in told]
    assert noted == hit


def test_most_requests_take_no_hit(act, trace):
    """One that waits makes two notes. The first note of all fires the probe,
    which tells where they are, and then each sixteenth does."""
    actor = act("from:0", "begin:%d" % w.WRITE, "wait:1", "end:0", "wait:0",
                "again:199", "notes:0")
    tracer = trace(actor, "--json")
    times = actor.play()
    noted, told = times["notes"]
    report = tracer.report()
    assert report["requests"] == 200 and noted == 400
    # more than one pause if the machine stands still for 100 ms
    assert 1 + 400 // RING <= told <= times["pauses"][0] + 400 // RING
    write, = report["operations"]
    assert write["waited_us"] >= 200 * 1000


def test_a_ring_that_fills_up(act, trace):
    """More requests than it has places begin to wait, one after the other, and
    nothing is sent meanwhile."""
    many = RING + 8
    begin = [word for number in range(many) for word in
             ("req:%d" % number, "mid:%d" % number, "begin:%d" % w.READ)]
    end = [word for number in range(many) for word in
           ("req:%d" % number, "inner:0")]
    actor = act("wait:1", *begin, "wait:20", *end, "wait:1")
    tracer = trace(actor, "--json", "--slow", "0")
    actor.play()
    reports, events = tracer.reports()
    assert reports[0]["requests"] == many
    assert not any(reports[0]["lost"].values())
    assert sorted(event["mid"] for event in events) == list(range(many))
    assert all(event["total_us"] >= 20000 for event in events)


@pytest.mark.thorough
def test_those_of_another_tracer_are_not_taken(act, trace):
    """They are there already, and who comes later does not count them."""
    three = ["begin:%d" % w.READ, "end:0"] * 3
    actor = act(*three, "wait:1", "hold:0", *three, *three, "wait:1",
                "notes:0")
    first = trace(actor, "--json")
    actor.play()
    second = trace(actor, "--json")
    noted, _ = actor.play()["notes"]
    assert noted == 9
    assert first.report()["requests"] == 9
    assert second.report()["requests"] == 6


def test_notes_that_are_overwritten(act, trace):
    """Of 17 that nobody has seen, the ring has 16."""
    one = ["begin:%d" % w.READ, "end:0", "wait:1"]
    actor = act(*one, "notes:20", *one)
    tracer = trace(actor, "--json")
    actor.play()
    (report,), _ = tracer.reports()
    assert report["lost"]["requests"] == 21 - 16


@pytest.mark.thorough
def test_after_a_pause_the_probe_fires(act, trace):
    """So a tracer that came meanwhile knows where the notes are, although the
    ring is not full; nothing is lost."""
    some = ["begin:%d" % w.READ, "end:0", "wait:1"]
    actor = act(*some * 3, "hold:0", *some * 5, "spin:150", *some * 9,
                "notes:0")
    first = trace(actor, "--json")
    actor.play()
    second = trace(actor, "--json")
    actor.play()
    assert first.report()["requests"] == 17
    assert second.report()["requests"] == 14


def test_a_process_that_ends_at_once(act, trace):
    """Nothing waits for events after the last reply."""
    actor = act("begin:%d" % w.READ, "end:0", "begin:%d" % w.WRITE, "end:0",
                "leave:0")
    tracer = trace(actor, "--json")
    actor.go()
    actor.process.wait()
    time.sleep(0.1)
    assert tracer.report()["requests"] == 2


def test_a_child_tells_where_its_notes_are(act, trace):
    """With its first note, by which it is known at all."""
    actor = act("fork:0", "begin:%d" % w.WRITE, "wait:1", "end:0", "wait:1",
                "notes:0")
    tracer = trace(actor, "--json")
    times = actor.play()
    # more than one pause if the machine stands still for 100 ms
    assert times["notes"] == [2, times["pauses"][0]]
    assert tracer.report()["requests"] == 1


@pytest.mark.thorough
def test_an_old_smbd_beside_a_new_one(build, source, program, privileged,
                                      tmp_path):
    """Processes of two files, with the memory at different addresses; one of
    them makes hits."""
    kinds = {"old": ["-DACTOR_WITHOUT_NOTES"], "new": [],
             "large": ["-Wl,--section-start=.data=0x900000"]}
    actors, options = [], []
    for kind, flags in kinds.items():
        file = compile_actor(build, source, tmp_path / kind, *flags)
        actors.append(Actor(file, tmp_path, *[
            "begin:%d" % w.READ, "wait:1", "end:0", "wait:1"] * 20))
        options += ["-f", str(file)]
    tracer = Tsmbd(program, "--json", *options)
    try:
        for actor in actors:
            actor.go()
        for actor in actors:
            actor.read()
        report = tracer.report()
    finally:
        tracer.end()
        for actor in actors:
            actor.end()
    read, = report["operations"]
    assert read["count"] == 60
    assert read["waited_us"] >= 60 * 1000
