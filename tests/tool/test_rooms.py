# SPDX-License-Identifier: BSD-2-Clause
"""The rooms of lib, and of which other rooms each includes headers: no room
includes a header of a room that depends on it. Files of a room do not depend on
each other in a circle, neither by what they include nor by what they call. In
lib/tool, an include names the room, as in "common/out.h", and the header for a
file has the same name."""

import collections
import graphlib
import pathlib
import re

import pytest

LIB = pathlib.Path(__file__).resolve().parents[2] / "lib"

# A room, and the rooms whose headers its files may include.
BELOW = {
    "arg": [],
    "base": [],
    "build": [],
    "text": [],
    "decode": ["base"],
    "preload": [],
    "notes": ["base", "decode"],
    "attach": ["base", "text", "decode", "preload"],
    "tap": ["attach", "text", "decode"],
    "record": ["base", "attach", "preload", "text", "decode"],
    "trace": ["record", "attach", "preload", "text"],
    "count": ["record", "attach", "base", "preload", "spans", "text", "decode",
              "slots"],
    "slots": [],
    "picture": ["base"],
    "spans": ["base", "text"],
    "symbols": ["base", "picture", "uprobe"],
    "uprobe": ["base", "text"],
    "settings": ["base", "text"],
    "http": ["base", "settings"],
    "report": ["base", "picture", "slots"],
    "sinks": ["report", "settings"],
    "history": ["sinks", "report", "base", "picture", "settings", "slots"],
    "incident": ["sinks", "report", "base", "picture", "settings", "text"],
    "metrics": ["sinks", "report", "base", "http", "picture", "settings",
                "slots"],
    "page": ["sinks", "report", "base", "history", "http", "picture", "settings",
             "slots"],
    "replay": ["sinks", "report", "base", "history", "page", "picture",
               "settings"],
    "service": ["sinks", "report", "history", "http", "incident", "metrics", "page",
                "settings", "uprobe"],
    "tsmbd": ["sinks", "report", "base", "settings", "service", "page", "incident",
              "metrics", "replay", "history", "http", "text", "slots", "picture",
              "symbols", "uprobe"],
    "tool/common": ["base", "text", "decode"],
    "tool/probes": ["tool/common", "decode", "text"],
    "tool/gen": ["tool/common", "tool/probes"],
    "tool/list": ["tool/common", "tool/probes", "text"],
    "tool/check": ["tool/common", "tool/probes", "text"],
    "tool/diff": ["tool/common", "tool/probes", "text"],
    "tool/top": ["base", "report", "tool/common", "tool/probes", "text",
                 "slots", "spans", "uprobe", "picture", "symbols", "count",
                 "record"],
    "tool/serve": ["base", "tool/common", "tool/probes", "tool/top", "uprobe",
                   "sinks", "report", "settings", "service", "page", "incident",
                   "metrics", "history", "http", "slots", "replay", "picture",
                   "symbols", "text", "spans"],
    "tool/trace": ["base", "tool/common", "tool/probes", "trace", "record",
                   "text", "uprobe"],
    "tool/bt": ["tool/common", "tool/probes", "text", "uprobe"],
    "tool": ["text", "tool/common", "tool/gen", "tool/list", "tool/check",
             "tool/diff", "tool/trace", "tool/top", "tool/bt", "tool/serve"],
}
# Headers that a build makes.
GENERATED = {"page/page_parts.h", "syscalls.h", "tsmbd.skel.h"}
INCLUDE = re.compile(r'^#\s*include "(.+)"', re.MULTILINE)
NOT_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
BODY = re.compile(r"\{.*?^\}", re.DOTALL | re.MULTILINE)
# A function, with what stands in front of its name.
FUNCTION = re.compile(
    r"^(\w[\w \t*\n]*[ *\n])?(\w+)\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*\{",
    re.MULTILINE)
VARIABLE = re.compile(
    r"^(?!static|extern|typedef|struct \w+;)\w[^;(){}=]*(?:\([^;(){}=]*\)\s*)?"
    r"\b(\w+)(?:\[[^;={}]*\])?\s*(?:=[^;]*)?;", re.MULTILINE)


def includes(path):
    return INCLUDE.findall(path.read_text())


def is_of_tool(room):
    return room.partition("/")[0] == "tool"


def room_of(room, include):
    """Returns the room of an include in a file of a room: tool/common for
    "common/out.h", history for "history/read.h", text for "lib/text/similar.h"
    and "../text/similar.h". In a library, a name alone is a header of the room
    itself, or of the one room below it that has one of this name; None if there
    is no such room."""
    folder = include.rpartition("/")[0]
    for root in "lib/", "../":
        if folder.startswith(root):
            return folder[len(root):]
    if is_of_tool(room):
        return "tool/" + folder
    if folder in BELOW:
        return folder
    having = [other for other in BELOW
              if not is_of_tool(other) and (LIB / other / include).exists()]
    if room in having:
        return room
    having = [other for other in having if other in BELOW[room]] or having
    return having[0] if len(having) == 1 else None


def complaint(room, include):
    """Returns what is wrong with an include in a file of the room, or None."""
    if include.startswith("sdtkit/") or include in GENERATED:
        return None
    if "/" not in include and is_of_tool(room):
        return "%s does not name its room" % include
    other = room_of(room, include)
    if other is None or not (LIB / other /
                             pathlib.Path(include).name).exists():
        return "there is no %s" % include
    if other not in [room, *BELOW[room]]:
        return "%s may not depend on %s" % (room, other)
    return None


def sources(room):
    return sorted((LIB / room).glob("*.[ch]"))


def test_each_directory_is_a_room():
    rooms = {str(path.relative_to(LIB)) for path in
             [*LIB.iterdir(), *(LIB / "tool").iterdir()] if path.is_dir()}
    assert rooms == set(BELOW)


def test_no_room_is_below_itself():
    list(graphlib.TopologicalSorter(BELOW).static_order())


@pytest.mark.parametrize("room", BELOW)
def test_includes_go_down(room):
    wrong = ["%s: %s" % (path.relative_to(LIB), complaint(room, include))
             for path in sources(room) for include in includes(path)
             if complaint(room, include)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", [room for room in BELOW if "/" in room])
def test_each_file_has_a_header(room):
    """live_none.c is live.c for a build without a library. A program begins in
    main.c, which nobody calls."""
    headers = {path: re.sub(r"(_none)?\.c$", ".h", path.name)
               for path in sorted((LIB / room).glob("*.c"))
               if path.name != "main.c"}
    bare = [path.name for path, header in headers.items()
            if not path.with_name(header).exists()]
    assert not bare
    without = [path.name for path, header in headers.items()
               if "%s/%s" % (room[len("tool/"):], header)
               not in includes(path)]
    assert not without, "these do not include their own header"


@pytest.mark.parametrize("room", BELOW)
def test_no_circle_within_a_room(room):
    """A file and its header together depend on what either of them
    includes."""
    below = {}
    for path in sources(room):
        below.setdefault(path.stem, set()).update(
            pathlib.Path(include).stem for include in includes(path)
            if room_of(room, include) == room)
    for name, others in below.items():
        others.discard(name)
    graphlib.TopologicalSorter(below).prepare()


def is_function_of_room(path, before):
    """To call a function of the C library is not to call what stands for it,
    and static functions are others' only if they are in a header."""
    return "_REPLACED" not in before and (
        path.suffix == ".h" or not before.startswith("static"))


def calls(texts):
    """Returns {file: those that have a function which it calls, or a variable
    that it uses}, of {path: text}. Who takes the address of a function does not
    call it, and what assembly calls is not seen."""
    texts = {path: NOT_CODE.sub(" ", text) for path, text in texts.items()}
    owners = {}
    for path, text in texts.items():
        owners.update((name + "(", path)
                      for before, name in FUNCTION.findall(text)
                      if is_function_of_room(path, before))
        if path.suffix == ".c":
            owners.update((name, path) for name in VARIABLE.findall(text))
    used = {path: {owners.get(name)
                   for body in BODY.findall(text)
                   for name in re.findall(r"\b\w+\(?", body)}
            for path, text in texts.items()}
    return {path: others - {None, path} for path, others in used.items()}


@pytest.mark.parametrize("room", BELOW)
def test_no_circle_of_calls(room):
    order = graphlib.TopologicalSorter(
        calls({path: path.read_text() for path in sources(room)}))
    order.prepare()


def below(room):
    """The room, and all that it depends on."""
    return {room}.union(*map(below, BELOW[room]))


def test_a_function_of_tsmbd_has_its_name_alone():
    """The linker takes the first one that it finds in a library."""
    found = [name for each in below("tsmbd") for path in sources(each)
             if path.suffix == ".c" and not path.stem.endswith("_none")
             and ".bpf." not in path.name
             for before, name in FUNCTION.findall(
                 NOT_CODE.sub(" ", path.read_text()))
             if is_function_of_room(path, before)]
    assert [name for name, count in collections.Counter(found).items()
            if count > 1] == []


def test_the_lint_sees_calls():
    texts = {
        "one.h": "struct one;\nint one_a(void);\nextern int one_v;\n"
                 "static inline void one_i(void)\n{\n\tone_a();\n}\n",
        "one.c": "int one_v;\n\nint one_a(void)\n{\n\treturn two_c(one_v);\n}"
                 "\n\nstatic struct two *\nhelp(void)\n{\n\ttwo_e;\n}\n",
        "two.c": "struct one *_Atomic two_b[MOST];\n\nint two_c(int a,\n"
                 "\t  int b)\n{\n\t/* one_a() */\n\tuse(one_a);\n}\n",
        "three.c": "int (*three_d)(void) = NULL;\n\nstruct three *\n"
                   "three_e(void)\n{\n\ttwo_b[0] = one_v;\n}\n",
        "four.c": "SDTKIT_PRELOAD_REPLACED\nint open(void)\n{\n"
                  "\treturn three_e() + three_d();\n}\n",
        "five.c": "int five_a(void)\n{\n\tone_i();\n\topen();\n}\n",
    }
    seen = calls({pathlib.Path(name): text for name, text in texts.items()})
    assert {path.name: sorted(other.name for other in others)
            for path, others in seen.items()} == {
        "one.h": ["one.c"], "one.c": ["two.c"], "two.c": [],
        "three.c": ["one.c", "two.c"], "four.c": ["three.c"],
        "five.c": ["one.h"]}


@pytest.mark.parametrize("room,include,said", [
    ("tool/common", "list/table.h", "tool/common may not depend on tool/list"),
    ("tool/list", "check/rules.h", "tool/list may not depend on tool/check"),
    ("tool/trace", "top/plan.h", "tool/trace may not depend on tool/top"),
    ("tool/list", "table.h", "table.h does not name its room"),
    ("tool/list", "list/nothing.h", "there is no list/nothing.h"),
    ("tool/list", "common/out.h", None),
    ("tool/trace", "lib/trace/control.h", None),
    ("tap", "open_recorder.h", "tap may not depend on record"),
    ("decode", "../text/pattern.h", "decode may not depend on text"),
    ("tap", "nothing.h", "there is no nothing.h"),
    ("tap", "note.h", None),
    ("record", "../preload/disposition.h", None),
    ("history", "tsmbd/tsmbd.h", "history may not depend on tsmbd"),
])
def test_the_lint_sees(room, include, said):
    assert complaint(room, include) == said
