# SPDX-License-Identifier: BSD-2-Clause
"""A header that stands alone has the parts of sdtkit that its probes need, and
several such headers with other parts go into one program, with native ones."""

import subprocess

import pytest

from opt_in import turns
import arg_tool

DESCRIPTIONS = {
    "plain": "probe one(int a);",
    "text": "probe one(sdtkit_counted_t a);",
    "where": "probe one(sdtkit_sockaddr_t a, sdtkit_guid_t b);",
    "status": "probe one(sdtkit_ntstatus_t a, sdtkit_errno_t b, "
              "sdtkit_monotonic_t c);",
}
# Descriptions of these are parts, too; "plain" and "text" have none of them.
KINDS = {
    "span": "#pragma sdtkit span s start=one end=two key=a\n"
            "provider span { probe one(int a); probe two(int a); };",
    "kind": "enum kind { FILE, PIPE };\n"
            "provider kind { probe one(enum kind a); };",
    "record": "struct in { int a; };\n"
              "typedef struct { int a; } out_t;\n"
              "translator out_t < struct in *in > { a = in->a; };\n"
              "provider rec { probe one(struct in *in) : (out_t *out); };",
}
NOTES = {"span": "SPAN", "kind": "ENUM", "record": "RECORD"}
CALLS = {"span": "SPAN_ONE(1)", "kind": "KIND_ONE(1)",
         "record": "REC_ONE(&in)"}
PROGRAM = """
#include <netinet/in.h>
%s
struct sockaddr_in address;
char id[16];
int main(void)
{
	PLAIN_ONE(1);
	TEXT_ONE("a", 1);
	WHERE_ONE(&address, id);
	STATUS_ONE(1, 2);
	return 0;
}
"""
# What no other part of sdtkit has.
PARTS = {"text": "sdtkit_utf16_code", "where": "sdtkit_out_ipv4",
         "status": "NT_STATUS_"}


def headers(folder, native=()):
    for name, probes in DESCRIPTIONS.items():
        (folder / (name + ".d")).write_text(
            "provider %s { %s };\n" % (name, probes))
        arg_tool.generate(folder / (name + ".d"), folder / (name + ".h"),
                          "--emit",
                          "header" if name in native else "standalone")


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_only_what_is_needed(name, tmp_path):
    headers(tmp_path)
    text = (tmp_path / (name + ".h")).read_text()
    assert "sdtkit_plain_one" in text or name != "plain"
    for part, word in PARTS.items():
        assert (word in text) == (name == part)
    assert "SDTKIT_FIRE_SITE" not in text       # of single sites


@pytest.mark.parametrize("native, order, compiler", turns(
    ["", "where", "status text"],
    ["plain text where status", "status where text plain"],
    ["gcc", "clang++"]))
def test_together(compiler, native, order, tmp_path):
    native, order = native.split(), order.split()
    headers(tmp_path, native)
    (tmp_path / "p.c").write_text(PROGRAM % "".join(
        '#include "%s.h"\n' % name for name in order))
    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", "-O1",
         *(["-xc++"] if "++" in compiler else []), "-DSDTKIT_ARG_INLINE", "-I",
         tmp_path, "-I", arg_tool.SOURCE / "include", tmp_path / "p.c", "-o",
         tmp_path / "p"], check=True)
    subprocess.run([tmp_path / "p"], check=True)


@pytest.mark.parametrize("kind, native", turns(KINDS, [False, True]))
def test_parts_of_descriptions(kind, native, tmp_path):
    """A header with such a part comes after one without it."""
    (tmp_path / "kind.d").write_text(KINDS[kind] + "\n")
    headers(tmp_path)
    arg_tool.generate(tmp_path / "kind.d", tmp_path / "kind.h", "--emit",
                      "header" if native else "standalone")
    text = (tmp_path / "plain.h").read_text()
    assert "SDTKIT_DESCRIBE_%s" % NOTES[kind] not in text
    (tmp_path / "p.c").write_text(
        "struct in { int a; };\n"
        '#include "plain.h"\n#include "kind.h"\n'
        "int main(void) { struct in in = { 1 }; PLAIN_ONE(in.a); %s;"
        " return 0; }\n" % CALLS[kind])
    subprocess.run(["gcc", "-Wall", "-Werror", "-I", tmp_path, "-I",
                    arg_tool.SOURCE / "include", tmp_path / "p.c", "-o",
                    tmp_path / "p"], check=True)
    notes = (tmp_path / "p").read_bytes()
    assert b"sdtkit\0" in notes
    assert (b"FILE\0", b"out_t *\0", b"end\0")[
        ["kind", "record", "span"].index(kind)] in notes
