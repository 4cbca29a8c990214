# SPDX-License-Identifier: BSD-2-Clause
"""The rooms of lib/tool, and of which other rooms each includes headers. An
include names the room, as in "common/out.h", and no room includes a header of
a room that depends on it. Within a room, the header for a file has the same
name, and files do not depend on each other in a circle."""

import graphlib
import pathlib
import re

import pytest

LIB = pathlib.Path(__file__).resolve().parents[2] / "lib"

# A room, and the rooms whose headers its files may include.
BELOW = {
    "text": [],
    "decode": [],
    "trace": [],
    "record": [],
    "slots": [],
    "picture": [],
    "spans": ["text"],
    "symbols": ["picture"],
    "uprobe": [],
    "tool/common": ["text", "decode"],
    "tool/probes": ["tool/common", "decode", "text"],
    "tool/gen": ["tool/common", "tool/probes"],
    "tool/list": ["tool/common", "tool/probes"],
    "tool/check": ["tool/common", "tool/probes", "text"],
    "tool/diff": ["tool/common", "tool/probes", "text"],
    "tool/top": ["tool/common", "tool/probes", "text", "slots", "spans",
                 "uprobe", "picture", "symbols"],
    "tool/trace": ["tool/common", "trace", "record"],
    "tool/bt": ["tool/common", "tool/probes", "text", "uprobe"],
    "tool": ["tool/common", "tool/gen", "tool/list", "tool/check",
             "tool/diff", "tool/trace", "tool/top", "tool/bt"],
}
INCLUDE = re.compile(r'^#\s*include "(.+)"', re.MULTILINE)


def includes(path):
    return INCLUDE.findall(path.read_text())


def room_of(include):
    """Returns the room of an include: tool/common for "common/out.h", text for
    "lib/text/similar.h"."""
    room = include.rpartition("/")[0]
    return room[len("lib/"):] if room.startswith("lib/") else "tool/" + room


def complaint(room, include):
    """Returns what is wrong with an include in a file of the room, or None."""
    if include.startswith("sdtkit/"):
        return None
    if "/" not in include:
        return "%s does not name its room" % include
    if not (LIB / room_of(include) / pathlib.Path(include).name).exists():
        return "there is no %s" % include
    if room_of(include) not in [room, *BELOW[room]]:
        return "%s may not depend on %s" % (room, room_of(include))
    return None


def sources(room):
    return sorted((LIB / room).glob("*.[ch]"))


def test_each_directory_is_a_room():
    rooms = {"tool/" + path.name for path in (LIB / "tool").iterdir()
             if path.is_dir()}
    assert rooms == {room for room in BELOW if room.startswith("tool/")}


def test_no_room_is_below_itself():
    list(graphlib.TopologicalSorter(BELOW).static_order())


@pytest.mark.parametrize("room", [room for room in BELOW if "tool" in room])
def test_includes_go_down(room):
    wrong = ["%s: %s" % (path.relative_to(LIB), complaint(room, include))
             for path in sources(room) for include in includes(path)
             if complaint(room, include)]
    assert not wrong, "\n".join(wrong)


ROOMS = [room for room in BELOW if "/" in room]


@pytest.mark.parametrize("room", ROOMS)
def test_each_file_has_a_header(room):
    """screen_none.c is screen.c for a build without a library."""
    headers = {path: re.sub(r"(_none)?\.c$", ".h", path.name)
               for path in sorted((LIB / room).glob("*.c"))}
    bare = [path.name for path, header in headers.items()
            if not path.with_name(header).exists()]
    assert not bare
    without = [path.name for path, header in headers.items()
               if "%s/%s" % (room[len("tool/"):], header)
               not in includes(path)]
    assert not without, "these do not include their own header"


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_within_a_room(room):
    """A file and its header together depend on what either of them
    includes."""
    below = {}
    for path in sources(room):
        below.setdefault(path.stem, set()).update(
            pathlib.Path(include).stem for include in includes(path)
            if room_of(include) == room)
    for name, others in below.items():
        others.discard(name)
    list(graphlib.TopologicalSorter(below).static_order())


@pytest.mark.parametrize("room,include,said", [
    ("tool/common", "list/table.h", "tool/common may not depend on tool/list"),
    ("tool/list", "check/rules.h", "tool/list may not depend on tool/check"),
    ("tool/trace", "probes/sites.h",
     "tool/trace may not depend on tool/probes"),
    ("tool/list", "table.h", "table.h does not name its room"),
    ("tool/list", "list/nothing.h", "there is no list/nothing.h"),
    ("tool/list", "common/out.h", None),
    ("tool/trace", "lib/trace/ring.h", None),
])
def test_the_lint_sees(room, include, said):
    assert complaint(room, include) == said
