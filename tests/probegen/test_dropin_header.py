# SPDX-License-Identifier: BSD-2-Clause
"""What builds do to the drop-in header: edit it with sed, include it from C++,
hold it against that of systemtap's script."""

import re
import shlex
import subprocess

import pytest

from probegen_tool import SOURCE
from dropin_tool import (       # noqa: F401  (fixtures are used by name)
    SYSTEMTAP, USER, gcc, good, need, notes, folder, user)


def header(folder):
    return good(folder, "-h -s shop.d -o -")


def defines(text):
    """Returns (the #define line, the next line) of each probe's macro."""
    lines = text.split("\n")
    return [(line, lines[i + 1]) for i, line in enumerate(lines)
            if line.startswith("#define SHOP_")]


def test_defines_keep_their_form(folder):
    """The name of a macro is alone on its line, and its body is on the next,
    because builds turn the whole line to lower case."""
    found = defines(header(folder))
    assert [line for line, _ in found if "ENABLED" not in line] == [
        "#define SHOP_ORDER_PLACED(arg1, arg2) \\",
        "#define SHOP_CLOSED() \\"]
    for line, body in found:
        assert re.match(r"#define [A-Z_]+\([a-z0-9, ]*\) \\$", line)
        assert not body.startswith("#")


def test_one_token_a_line(folder):
    """sed without a `g` must find all names of the provider, and must find
    nothing else."""
    text = header(folder)
    assert all(line.count("SHOP_") <= 1 for line in text.split("\n"))
    names = set(re.findall(r"\bSHOP_\w*", text))
    assert names == {base + end for end in ("", "_ENABLED") for base in (
        "SHOP_ORDER_PLACED", "SHOP_CLOSED")}


def test_semaphores_are_asked_for_before_sdt(folder):
    text = header(folder)
    offsets = [text.index("#define _SDT_HAS_SEMAPHORES 1\n"),
              text.index("#define STAP_HAS_SEMAPHORES 1"),
              text.index("#include <sys/sdt.h>\n")]
    assert offsets == sorted(offsets)


def test_types_stand_in_comments_only(folder):
    """The types need not be declared where the header is included."""
    (folder / "types.d").write_text(
        "provider shop { probe a(Oid o, Tcl_Obj *p, node_t **q, "
        "void (*f)()); };")
    text = re.sub(r"/\*.*?\*/", "", good(folder, "-h -s types.d -o -"),
                  flags=re.S)
    assert not re.search(r"Oid|Tcl_Obj|node_t|\*f", text)


# a rule that a real build runs, and the macro that it makes
SED = [
    ("s/SHOP_/TRACE_SHOP_/g", "TRACE_SHOP_ORDER_PLACED", "TRACE_SHOP_CLOSED"),
    ("s/SHOP_/PyShop_/", "PyShop_ORDER_PLACED", "PyShop_CLOSED"),
    ("/const/!s/char \\*/const char */g", "SHOP_ORDER_PLACED", "SHOP_CLOSED"),
    ("s,void \\*,const void \\*,", "SHOP_ORDER_PLACED", "SHOP_CLOSED"),
    ("s/(char \\*/(const char */g; s/, char \\*/, const char */g",
     "SHOP_ORDER_PLACED", "SHOP_CLOSED"),
    (r"/^#define SHOP_[A-Z_]*(/ { s/SHOP_//; y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/"
     "abcdefghijklmnopqrstuvwxyz/; }", "order_placed", "closed"),
]


@pytest.mark.parametrize("rule,first,second", SED)
def test_header_survives_sed(user, rule, first, second):
    gcc(user, "-i -e '%s' shop.h" % rule, "sed")
    program = (USER.replace("SHOP_CLOSED_ENABLED", "IS_ENABLED")
               .replace("SHOP_ORDER_PLACED", first)
               .replace("SHOP_CLOSED", second))
    enabled = second + ("_enabled" if second.islower() else "_ENABLED")
    (user / "main.c").write_text(program.replace("IS_ENABLED", enabled))
    gcc(user, "-Wall -Werror main.c -o program")
    assert len(notes(user, "program")) == 2


@pytest.mark.parametrize("text", [
    '#include "shop.h"\n#include "shop.h"\n',
    'extern "C++" {\n#include "shop.h"\n}\n',
    '#include <sys/sdt.h>\n#include "shop.h"\n'])
def test_included_from_cpp(user, text, unavailable):
    need(unavailable, "g++")
    for name in "one", "two":       # several files in one run
        (user / (name + ".cc")).write_text(
            text + "void %s(const char *s) { SHOP_ORDER_PLACED(1, s); }\n"
            % name)
    (user / "main.cc").write_text("int main() { return 0; }\n")
    gcc(user, "-Wall -Wextra -Werror one.cc two.cc main.cc -o program", "g++")
    assert [name for name, _ in notes(user, "program")] == [
        "order__placed"] * 2


def test_sdt_of_dtrace_is_refused(user):
    """Its notes name no semaphore, so the probes would never fire."""
    theirs = user / "theirs" / "sys"
    theirs.mkdir(parents=True)
    (theirs / "sdt.h").write_text(
        "#ifndef _SYS_SDT_H_\n#define _SYS_SDT_H_\n"
        "#define DTRACE_PROBE(...)\n#define DTRACE_PROBE2(...)\n#endif\n")
    done = subprocess.run(
        ["gcc", "-fsyntax-only", "-Itheirs", "main.c"], cwd=str(user),
        stderr=subprocess.PIPE, universal_newlines=True)
    assert done.returncode == 1
    assert "this <sys/sdt.h> is DTrace's" in done.stderr


def test_macros_of_systemtap(folder, unavailable):
    """For the providers of this tree, the header has the same macros as
    systemtap's, with the same parameters, and no other macros with such a
    prefix."""
    need(unavailable, SYSTEMTAP)
    for path in sorted((SOURCE / "providers").glob("*/*.d")):
        gcc(folder, "-h -s %s -o theirs.h" % shlex.quote(str(path)), SYSTEMTAP)
        good(folder, "-h -s %s -o ours.h" % shlex.quote(str(path)))
        made = [set(re.findall(r"^#define (%s_\w+\([^)]*\))" %
                               path.stem.upper(), (folder / name).read_text(),
                               re.M)) for name in ("theirs.h", "ours.h")]
        assert made[0] and made[0] == made[1]
