# SPDX-License-Identifier: BSD-2-Clause
"""Marshallers by declaration: what each output of probegen says of them. To
tracers they are strings and numbers as any other."""

import json
import re
import subprocess
import sys

import pytest

from opt_in import turns
import arg_tool
from arg_tool import HERE, SOURCE

sys.path.insert(0, str(SOURCE))
from probegen import emit, marshallers     # noqa: E402

SENTENCES = {
    "markdown": [
        r"| arg0 | `char *remote` | the client (sdtkit_sockaddr_t: a socket "
        r"address; pass a pointer to it) |",
        "In C: `EVERY_BYTES(name, name_length, blob, blob_length, key, "
        "key_length, path, path_length, last)`",
        "In C: `EVERY_TICK()`",
    ],
    "man": [
        r"\fBarg0\fR  char *remote",
        "sdtkit_sockaddr_t: a socket address; pass a pointer to it",
    ],
    "bpftrace": ["$remote = str(arg0);", "$changed = (int64)arg2;",
                 "$length = (uint64)arg1;"],
    "tapset": ['remote = user_string2($arg1, "")', "length = $arg2",
               "changed = $arg3"],
    "d": ['this->remote = arg0 != 0 ? copyinstr(arg0) : "";'],
    "noop": ["const void *sdtkit_remote", "size_t sdtkit_name_length",
             "#define EVERY_TICK() \\"],
    "header": ["#include <sdtkit/arg.h>", "const void *sdtkit_remote",
               'SDTKIT_TELL("z", "char *", "remote")',
               'SDTKIT_TELL("s8", "int64_t", "changed")',
               "SDTKIT_IN_P(sdtkit_remote.text)"],
    "standalone": ["#define SDTKIT_ARG_INLINE", "SDTKIT_NTSTATUS(0xc0000022"],
}


@pytest.mark.parametrize("form", sorted(SENTENCES))
def test_outputs(form, tmp_path):
    output = tmp_path / "out"
    arg_tool.generate(HERE / "every.d", output, "--emit", form)
    text = output.read_text()
    plain = re.sub(r"\n +\* +|\s+", " ", text)
    for sentence in SENTENCES[form]:
        assert sentence in text or sentence in plain
    if form not in ("header", "standalone"):
        assert "sdtkit_arg_" not in text


@pytest.mark.parametrize("form", sorted(emit.FORMATS))
def test_what_a_site_passes_is_for_programmers(form, tmp_path):
    """Those who trace read the comment of the description only."""
    if form in ("dropin", "object"):
        pytest.skip("has no marshallers")
    output = tmp_path / "out"
    arg_tool.generate(HERE / "every.d", output, "--emit", form)
    text = output.read_text()
    told = "sdtkit_sockaddr_t: " in text
    assert told == (form in ("header", "standalone", "markdown", "man"))
    notes = re.findall(r"SDTKIT_COMMENTS\(.*?\)", text, re.S)
    assert bool(notes) == (form in ("header", "standalone"))
    assert not any("pass" in note for note in notes)


def test_manifest_has_wire_types(tmp_path):
    output = tmp_path / "every.json"
    arg_tool.generate(HERE / "every.d", output, "--emit", "json")
    probes = json.loads(output.read_text())["providers"][0]["probes"]
    found = {(probe["name"], arg["name"]): (arg["type"], arg["wire"])
             for probe in probes for arg in probe["args"]}
    assert found["peer", "remote"] == ("char *", "z")
    assert found["numbers", "text"] == ("char *", "z")
    assert found["numbers", "changed"] == ("int64_t", "s8")
    assert found["numbers", "length"] == ("uint64_t", "u8")
    assert found["names", "small"] == ("int16_t", "s2")


def test_every_marshaller_is_in_every_d():
    text = (HERE / "every.d").read_text()
    assert set(marshallers.MARSHALLERS) == set(
        re.findall(r"sdtkit_\w+_t\b", text))


def test_every_marshaller_is_in_the_docs():
    text = (SOURCE / "docs/arg.md").read_text()
    for name in marshallers.MARSHALLERS:
        assert "`%s`" % name in text


@pytest.mark.parametrize("compiler, form", turns(
    arg_tool.COMPILERS, ["header", "noop", "standalone"]))
def test_headers_compile(compiler, form, tmp_path):
    """Alone, twice, with probes that are used, under the warnings that people
    use; a standalone one without sdtkit's include directory."""
    arg_tool.generate(HERE / "every.d", tmp_path / "every.h", "--emit", form)
    include = [] if form != "header" else ["-I", SOURCE / "include"]
    language = ["-xc++", "-Wold-style-cast"] if "++" in compiler else [
        "-std=c99", "-D_DEFAULT_SOURCE", "-Wmissing-prototypes"]
    program = tmp_path / "program.c"
    program.write_text('#include "every.h"\n#include "every.h"\n%s' % PROGRAM)
    for extra in ([], ["-DSDTKIT_DISABLE"]):
        arg_tool.run(compiler, *language, *arg_tool.WARNINGS, *extra,
                     *include, "-c", program, "-o", tmp_path / "program.o")


PROGRAM = """
#include <sys/socket.h>
#include <time.h>
void use(const struct sockaddr *sa, const char *text, size_t n, double d);
void use(const struct sockaddr *sa, const char *text, size_t n, double d)
{
	EVERY_PEER(sa, sa, n, text, text, text, n);
	EVERY_BYTES(text, n, text, n, text, n, text, n, 7);
	EVERY_NAMES(7, 2, 3, NULL, text, -3, text);
	EVERY_NUMBERS(text, NULL, 0, NULL, NULL, 0, -1);
	EVERY_SCALED(d, d, d, 0.5f);
	EVERY_TICK();
}
"""

WRONG = {
    "EVERY_PEER(sa, text, n, text, text, text, n);": "sockaddr",
    "EVERY_BYTES(text, text, n, text, n, text, n, 7);": "argument",
    "EVERY_NUMBERS(text, text, 0, NULL, NULL, 0, -1);": "iovec",
    "EVERY_TICK(1);": "argument",
}


@pytest.mark.parametrize("call, compiler", turns(
    sorted(WRONG), ["gcc", "clang", "g++"]))
def test_wrong_types_are_errors(compiler, call, tmp_path):
    arg_tool.generate(HERE / "every.d", tmp_path / "every.h")
    lines = PROGRAM.splitlines()
    at = [i for i, line in enumerate(lines)
          if line.strip().startswith(call.split("(")[0])]
    lines[at[0]] = "\t" + call
    program = tmp_path / "program.c"
    program.write_text('#include "every.h"\n%s\n' % "\n".join(lines))
    language = ["-xc++"] if "++" in compiler else []
    done = subprocess.run(
        [compiler, *language, *arg_tool.WARNINGS, "-I", SOURCE / "include",
         "-c", program, "-o", tmp_path / "program.o"], text=True,
        stderr=subprocess.PIPE)
    assert done.returncode != 0 and WRONG[call] in done.stderr


FLAGS = """#include "flags.h"
const struct sdtkit_flag table[] = { { 1, "READ" }, { 0, NULL } };
int main(void) { FLAGS_SET(1, table); return 0; }
"""


@pytest.mark.parametrize("compiler, form", turns(
    arg_tool.COMPILERS, ["standalone", "header", "noop"]))
def test_a_table_of_flags(compiler, form, tmp_path):
    """The program defines it; noop has no other header that declares it."""
    (tmp_path / "flags.d").write_text(
        "provider flags { probe set(sdtkit_flags_t a); };\n")
    arg_tool.generate(tmp_path / "flags.d", tmp_path / "flags.h", "--emit",
                      form)
    (tmp_path / "flags.c").write_text("#include <stddef.h>\n" + FLAGS)
    include = [] if form == "noop" else ["-I", SOURCE / "include"]
    arg_tool.run(compiler, "-Wall", "-Werror", "-I", tmp_path, *include,
                 *(["-xc++"] if "++" in compiler else []), "-fsyntax-only",
                 tmp_path / "flags.c")
