# SPDX-License-Identifier: BSD-2-Clause
"""Members of records, the escapes of marshallers, and AddressSanitizer, with
programs that are made for each test."""

import json
import re
import subprocess

import pytest

from opt_in import usual
from trace_lines import HERE, LIMIT
from programs import which

RECORDS = HERE.parent / "tap" / "records.d"

SOURCE = """
#include <stdint.h>

struct request {
	uint64_t mid;
	int left;
	char host[16];
	uint16_t port;
	const char *user;
	void *next;
	uint8_t id[4];
	int16_t grid[2][3];
	int64_t numbers[300];
};

#include "records_probes.h"

static struct request request = {
	.mid = UINT64_MAX, .left = -5, .host = "a.example", .port = 445,
	.user = "b\\"\\x01\\n", .id = { 1, 2, 3, 255 },
	.grid = { { 1, 2, 3 }, { -4, -5, -6 } },
};

int main(void)
{
	RECS_DONE(1, &request, 2);
	RECS_LARGE(&request);
	return 0;
}
"""

MEMBERS = {
    "mid": str(2**64 - 1), "s1": -5, "yes": True, "letter": 97, "kind": 7,
    "left": -5, "peer": {"host": "a.ex...", "port": 445},
    "user": "b\"\x01\n", "path": "b\"\x01\n", "next": "0x0", "word": -5,
    "id": [1, 2, 3, 255], "grid": [[1, 2, 3], [-4, -5, -6]], "tag": "..."}

TEXT = (
    'req={mid=18446744073709551615 s1=-5 yes=true letter=97 '
    'kind=LARGE(7) left=-5 '
    'peer={host="a.ex..." port=445} user="b\\"\\x01\\n" '
    'path="b\\"\\x01\\n" next=NULL word=-5 id=[1 2 3 255] '
    'grid=[[1 2 3] [-4 -5 -6]] tag="..."}')

MARSHALLED = """
provider act { probe key(sdtkit_counted_t key, char *plain, bool yes); };
"""

MARSHALLED_SOURCE = """
#include "act_probes.h"

int main(void)
{
	ACT_KEY("k\\1\\\\", 3, "\\1\\\\x41", true);
	return 0;
}
"""


@pytest.fixture
def made(source, tmp_path):
    """made(description, C, option...): compiles a program and returns its
    path."""
    def make(description, text, *options, compiler="gcc", probegen=()):
        name = "records" if "records_probes.h" in text else "act"
        (tmp_path / "in.d").write_text(description)
        subprocess.run(["/usr/bin/python3", str(source / "probegen"),
                        "-Wno-all", *probegen, "in.d", "-o",
                        name + "_probes.h"], check=True, cwd=str(tmp_path))
        (tmp_path / "program.c").write_text(text)
        subprocess.run([compiler, "-g", "-O2", "-Wall", "-Wextra", "-Werror",
                        "-I", str(source / "include"), "program.c", "-o",
                        "program", *options], check=True, cwd=str(tmp_path))
        return tmp_path / "program"
    return make


@pytest.mark.parametrize("compiler", usual(["gcc", "clang"], "gcc"))
def test_many_members(trace, made, unavailable, compiler):
    """gcc warns of the long string that the note of a large record is; the
    program cannot help that."""
    if which(compiler) is None:
        unavailable(compiler + " is missing")
    count = 150
    description = """
        typedef struct {%s} big_t;
        struct request { uint8_t n; };
        translator big_t < struct request *R > {%s};
        provider act { probe big(struct request *r) : (big_t *r); };
        """ % ("".join("uint8_t a_member_with_a_long_name_%d;" % n
                       for n in range(count)),
               "".join("a_member_with_a_long_name_%d = R->n;" % n
                       for n in range(count)))
    program = made(description, """
        #include <stdint.h>
        struct request { uint8_t n; };
        #include "act_probes.h"
        int main(void)
        {
                struct request request = { 7 };

                ACT_BIG(&request);
                return 0;
        }
""", "-std=c99", "-Wpedantic", "-Wno-gnu", compiler=compiler)
    hit, = trace(program).hits
    assert hit.endswith(" a_member_with_a_long_name_127=7 ...})")


@pytest.mark.parametrize("compiler, level", usual(
    [(compiler, level) for compiler in ("gcc", "clang")
     for level in ("-O0", "-O2")], ("gcc", "-O2"), ("clang", "-O0")))
def test_members(trace, objects, made, unavailable, compiler, level):
    if which(compiler) is None:
        unavailable(compiler + " is missing")
    program = made(RECORDS.read_text(), SOURCE, level, compiler=compiler)
    hits = trace(program, options=["recs:*"]).hits
    assert hits == ["recs:done(before=1, %s, status=2)" % TEXT,
                    'recs:large(req={text="a.example"})']
    hit = objects(trace(program, options=["-j", "akin:done"]).text)[1]
    before, req, _ = hit["arguments"]
    assert (req["members"], "members" in before) == (MEMBERS, False)
    assert req["value"].startswith("0x") and req["type"] == "info_t *"


def test_names_of_values(trace, objects, made):
    """A number has its name in lines, and beside it in JSON; elements of
    arrays have none here."""
    program = made(RECORDS.read_text(), SOURCE.replace(
        "numbers[300];", "numbers[300]; int modes[3];").replace(
        "RECS_LARGE(&request);", "RECS_NAMED(2, 1, &request);"))
    options = ["recs:named"]
    assert trace(program, options=options).hits == [
        "recs:named(op=WRITE(2), kind=1, req={modes=[0 0 0] mode=WRITE(2) "
        "op=-5})"]
    hit = objects(trace(program, options=["-j", *options]).text)[1]
    op, kind, req = hit["arguments"]
    assert (op["value"], op["value_name"]) == (2, "WRITE")
    assert kind["value"] == 1 and "value_name" not in kind
    assert req["members"] == {"modes": [0, 0, 0], "mode": 2, "op": -5}
    assert req["member_names"] == {"mode": "WRITE"}


def test_strings_in_records_are_cut(trace, made):
    program = made(RECORDS.read_text(), SOURCE)
    hits = trace(program, options=["recs:*", "--strings", "4"]).hits
    assert 'peer={host="a.ex"... port=445}' in hits[0]
    assert hits[1] == 'recs:large(req={text="a.ex"...})'


def test_not_described(trace, made):
    """Without a description of the record, its address is printed."""
    program = made(RECORDS.read_text(), SOURCE, "-DSDTKIT_NO_DESCRIBE")
    hit, = trace(program, options=["recs:large"]).hits
    assert re.fullmatch(r"recs:large\((\d+|0x[0-9a-f]+ \"a.example\")\)", hit)
    program = made(RECORDS.read_text(), SOURCE, probegen=["--no-describe"])
    assert trace(program, options=["recs:large"]).hits[0][:11] == (
        "recs:large(")


def test_one_level_of_escaping(trace, objects, made, build):
    """Text that a marshaller has escaped is not escaped again by the trace."""
    program = made(MARSHALLED, MARSHALLED_SOURCE,
                   str(build / "lib" / "arg" / "libsdtkit.a"))
    assert trace(program).hits == [
        r'act:key(key="k\x01\\", plain="\x01\\x41", yes=true)']
    hit = objects(trace(program, options=["-j"]).text)[1]
    assert [argument["value"] for argument in hit["arguments"]] == [
        "k\\x01\\", "\x01\\x41", True]


def test_address_sanitizer(trace, made, unavailable):
    """Without the option that the message names, such a program does not
    start."""
    try:
        program = made(RECORDS.read_text(), SOURCE, "-fsanitize=address")
    except subprocess.CalledProcessError:
        unavailable("-fsanitize=address does not work")
    done = trace(program)
    assert done.returncode != 0 and done.text == []
    assert "ASAN_OPTIONS=verify_asan_link_order=0" in done.messages
    done = trace("/usr/bin/env", "ASAN_OPTIONS=verify_asan_link_order=0",
                 program, options=["recs:large"])
    assert done.hits == ['recs:large(req={text="a.example"})']
    assert done.messages == ""


def test_listed_below_the_probe(sdtkit, made):
    program = made(RECORDS.read_text(), SOURCE)
    done = subprocess.run([sdtkit, "list", "--summary", program, "recs:done"],
                          stdout=subprocess.PIPE, text=True, check=True,
                          timeout=LIMIT)
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert lines[2:5] == ["The record is between two others",
                          "uint64_t req.mid", "int8_t req.s1"]
    assert lines[9:11] == ["char req.peer.host[8]", "uint16_t req.peer.port"]
    assert "const char *req.path" in lines
    assert lines[-1] == "char req.tag[4]"


def test_listed(sdtkit, made):
    program = made(RECORDS.read_text(), SOURCE)
    done = subprocess.run([sdtkit, "list", "--json", program], text=True,
                          stdout=subprocess.PIPE, check=True, timeout=LIMIT)
    arguments = {
        (probe["provider"], probe["probe"]): probe["arguments"]
        for probe in json.loads(done.stdout)["files"][0]["probes"]}
    members = arguments["recs", "done"][1]["members"]
    assert arguments["akin", "done"][1]["members"] == members
    assert [member["name"] for member in members][5:8] == [
        "left", "peer.host", "peer.port"]
    assert [member["wire"] for member in members] == [
        "u8", "s1", "u1", "s1", "s4", "s4", "a8", "u2", "z", "z", "p", "s8",
        "u1*4", "s2*2*3", "a4"]
