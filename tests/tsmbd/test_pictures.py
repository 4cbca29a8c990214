# SPDX-License-Identifier: BSD-2-Clause
"""The pictures: what they say is what happened, and the file is whole."""

import os
import re
import signal
import stat
import xml.etree.ElementTree

import pytest

import demo_wire as w
from actor import Actor, compile_actor
from demo_server import LIMIT
from test_counts import run_clients
from tsmbd_run import Tsmbd

SPACE = "{http://www.w3.org/2000/svg}"


def read(path):
    svg = xml.etree.ElementTree.parse(path).getroot()
    assert svg.tag == SPACE + "svg"
    return svg


def titles(svg):
    """The titles of its elements; the first one is that of the picture."""
    own, *inner = [title.text for title in svg.iter(SPACE + "title")]
    assert own in texts(svg) and svg.find(SPACE + "desc").text
    return inner


def texts(svg):
    """Those of texts and of the parts of one that has a style of its own."""
    return [element.text or "" for element in svg.iter()
            if element.tag in (SPACE + "text", SPACE + "tspan")]


def microseconds(title):
    """From "3: 1.02 ms to 2.05 ms, 14:03:21"."""
    value, unit = re.match(r"\d+: (\S+) (\w+) to", title).groups()
    return float(value) * {"us": 1, "ms": 1e3, "s": 1e6}[unit]


def test_heatmap_has_every_request(server, tsmbd, tmp_path):
    path = tmp_path / "map.svg"
    tracer = tsmbd("--json", "--heatmap", str(path))
    run_clients(server)
    operations = tracer.report()["operations"]
    svg = read(path)
    expected = {}
    for op in operations:
        at = texts(svg).index(op["name"])
        assert texts(svg)[at + 1].split()[0] == str(op["count"])
        for least, count in op["distribution"].items():
            expected[int(least)] = expected.get(int(least), 0) + count
    found = {}
    for title in titles(svg):
        least = min(expected, key=lambda us: abs(us - microseconds(title)))
        found[least] = found.get(least, 0) + int(title.split(":")[0])
    assert found == expected


@pytest.mark.thorough
def test_the_old_ones_stay_until_the_new_ones_are_whole(tsmbd, tmp_path):
    paths = [tmp_path / "heatmap.svg", tmp_path / "flame.svg"]
    options = ["--heatmap", str(paths[0]), "--flame", str(paths[1])]
    for path in paths:
        path.write_text("old")
    before = sorted(os.listdir(tmp_path))
    tracer = tsmbd(*options)
    tracer.process.send_signal(signal.SIGKILL)
    tracer.process.wait(LIMIT)
    assert [path.read_text() for path in paths] == ["old", "old"]
    assert sorted(os.listdir(tmp_path)) == before

    tsmbd(*options).stop(signal.SIGTERM)
    assert sorted(os.listdir(tmp_path)) == before
    assert "There were no requests." in texts(read(paths[0]))
    assert titles(read(paths[1])) == []
    mask = os.umask(0)
    os.umask(mask)
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask


@pytest.mark.thorough
def test_to_a_pipe(tsmbd):
    """A path that is not a regular file is written to, and not replaced."""
    tracer = tsmbd("--heatmap", "/dev/stderr")
    tracer.process.send_signal(signal.SIGINT)
    _, errors = tracer.process.communicate(timeout=LIMIT)
    assert errors.startswith("<svg ") and errors.endswith("</svg>\n")


@pytest.fixture(scope="module")
def actors(build, source, tmp_path_factory):
    """Actors with frame pointers, with .eh_frame only, and without both."""
    directory = tmp_path_factory.mktemp("actor")
    return {name: compile_actor(build, source, directory / name, *flags)
            for name, flags in {
                "frame": ["-fno-omit-frame-pointer"],
                "omit": ["-fomit-frame-pointer"],
                "neither": ["-fomit-frame-pointer", "-fno-unwind-tables",
                            "-fno-asynchronous-unwind-tables"]}.items()}


def flame(program, actor, path):
    tracer = Tsmbd(program, "-p", str(actor.pid), "--flame", str(path), "-F",
                   "499", "--json")
    try:
        actor.play()
        tracer.report()
    finally:
        tracer.end()
        actor.end()
    return boxes(read(path))


def boxes(svg):
    """By name: left, right, y, samples; those of stacks only."""
    found = {}
    for path in svg.iter(SPACE + "path"):
        name, count = re.match(r"(\S+).*?: (\d+), [\d.]+ %",
                               path.find(SPACE + "title").text).groups()
        left, y, width = map(float, re.match(
            r"M([\d.]+) (\d+)h([\d.]+)v", path.get("d")).groups())
        found.setdefault(name, []).append(
            (left, left + width, y, int(count)))
    return found


@pytest.mark.parametrize("built", ["frame", "omit"])
def test_flame_has_functions_by_command(program, privileged, actors,
                                        tmp_path, built):
    actor = Actor(actors[built], tmp_path, "cpu:0", "wait:1",
                  "begin:%d" % w.WRITE, "spin:300", "end:0", "wait:50",
                  "begin:%d" % w.READ, "spin:100", "end:0", "wait:1")
    found = flame(program, actor, tmp_path / "x.svg")
    (everything,) = found["all"]
    (write,), (read_,) = found["SMB2_OP_WRITE"], found["SMB2_OP_READ"]
    assert len(found["spin_for"]) == len(found["do_spin"]) == 2
    for root, spin in zip((write, read_), sorted(found["spin_for"])):
        assert root[0] - 0.2 <= spin[0] and spin[1] <= root[1] + 0.2
        assert spin[2] < root[2]                # above it
        assert spin[3] >= 0.8 * root[3]
    # three times as much of the CPU
    assert write[3] > read_[3] > 0
    assert everything[3] >= write[3] + read_[3]
    # but for a sample in the loader or on a function's first instruction
    early = sum(box[3] for box in found.get("[callers", []))
    assert early <= 0.1 * everything[3]


@pytest.mark.thorough
def test_without_callers_it_says_so(program, privileged, actors, tmp_path):
    actor = Actor(actors["neither"], tmp_path, "begin:%d" % w.WRITE, "spin:100",
                  "end:0")
    found = flame(program, actor, tmp_path / "x.svg")
    assert "[callers" in found and "spin_for" in found
    assert "main" not in found
    note, = [text for text in texts(read(tmp_path / "x.svg"))
             if "eh_frame" in text]
    assert "neither" in note                     # the name of the program
