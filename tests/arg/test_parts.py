# SPDX-License-Identifier: BSD-2-Clause
"""A header that stands alone has the parts of sdtkit that its probes need, and
several such headers with other parts go into one program, with native ones."""

import subprocess

import pytest

import arg_tool

DESCRIPTIONS = {
    "plain": "probe one(int a);",
    "text": "probe one(sdtkit_counted_t a);",
    "where": "probe one(sdtkit_sockaddr_t a, sdtkit_guid_t b);",
    "status": "probe one(sdtkit_ntstatus_t a, sdtkit_errno_t b, "
              "sdtkit_monotonic_t c);",
}
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


@pytest.mark.parametrize("order", [
    ["plain", "text", "where", "status"], ["status", "where", "text", "plain"]])
@pytest.mark.parametrize("native", [(), ("where",), ("status", "text")])
@pytest.mark.parametrize("compiler", ["gcc", "clang++"])
def test_together(compiler, native, order, tmp_path):
    headers(tmp_path, native)
    (tmp_path / "p.c").write_text(PROGRAM % "".join(
        '#include "%s.h"\n' % name for name in order))
    subprocess.run(
        [compiler, "-Wall", "-Wextra", "-Werror", "-O1",
         *(["-xc++"] if "++" in compiler else []), "-DSDTKIT_ARG_INLINE", "-I",
         tmp_path, "-I", arg_tool.SOURCE / "include", tmp_path / "p.c", "-o",
         tmp_path / "p"], check=True)
    subprocess.run([tmp_path / "p"], check=True)
