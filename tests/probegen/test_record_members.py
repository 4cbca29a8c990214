# SPDX-License-Identifier: BSD-2-Clause
"""Arrays and structs in records: how they are filled, that a program which
does not have what fits is told so, and what tracers read. The description is
ok/record_members/in.d; scalar members are in test_records.py.
"""

import re
import subprocess

import pytest

from emit_tool import (bpftrace, kernel_tree, make, need_bpftrace,
                       variables_of)
from opt_in import usual
from probegen_tool import SOURCE
from test_goldens import OK, USUAL, WARNINGS
from test_records import compile, may_run
from programs import which

MEMBERS = OK / "record_members/in.d"

# the structs of the program; F->share is full, so it has no zero byte
PRIVATE = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
struct peer { uint16_t port; const unsigned char *host; };
struct session { const char *user; void *peer; bool is_local; };
struct open_file {
	char before;
	uint8_t guid[16];
	char share[8];
	struct session *session;
	uint64_t ranges[2];
	int32_t table[6];
	bool flags[2];
};
"""
MAIN = PRIVATE + """
#include "share.h"
int main(int argc, char **argv)
{
	/* 0x1bd is 445 in the other byte order */
	static struct peer peer = {
		0x1bd, (const unsigned char *)"gr\\303\\274\\303\\237gott" };
	struct session session = { "root", &peer, argc < 2 };
	struct open_file file = {
		'x', { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255 },
		{ 'p', 'u', 'b', 'l', 'i', 'c', '$', '1' }, &session,
		{ 0xfedcba9876543210, 7 }, { 1, 2, 3, 4, -5, 6 }, { 0, 1 } };

	(void)argv;
	SHARE_OPENED(&file);
	return 0;
}
"""

# size of the member, bytes of the source (None: a string), text in the record
TEXTS = [
    (1, "abc", ""), (2, "abc", "."), (3, "abc", ".."), (4, "abc", "abc"),
    (4, "abcd", "..."), (5, "abcd", "abcd"), (5, "abcde", "a..."),
    (8, "", ""), (8, "abcdefg", "abcdefg"), (8, "abcdefgh", "abcd..."),
    # ü is two bytes, the face four: none is cut in two
    (8, "abcüüü", "abc..."), (9, "abcüüü", "abcü..."),
    (8, "\N{GRINNING FACE}efgh", "\N{GRINNING FACE}..."),
    (8, "a\N{GRINNING FACE}fgh", "a..."),
    (7, "\N{GRINNING FACE}efgh", "..."),
]
TABLE = """
#include <sdtkit/record.h>
#include <stdlib.h>
#include <string.h>
static int wrong(size_t size, const char *text, const char *expected)
{
	size_t length = strlen(text), i;
	char *to = (char *)malloc(size), *from = (char *)malloc(length);
	int bad = 0;

	/* as a string, and as an array that no zero byte follows */
	memset(to, 'x', size);
	sdtkit_record_put_text(to, size, text, SIZE_MAX);
	bad |= strcmp(to, expected);
	memset(to, 'x', size);
	memcpy(from, text, length);
	sdtkit_record_put_text(to, size, from, length);
	bad |= strcmp(to, expected);
	for (i = strlen(expected); i < size; i++)
		bad |= to[i];		/* nothing of the stack is shown */
	free(from);
	free(to);
	return bad != 0;
}
int main(void)
{
	char none[4] = "abc", bytes[8];
	volatile char full[4] = { 'r', 'o', 'o', 't' };
	const char *no_text = NULL;

	sdtkit_record_put(bytes, sizeof(bytes), full, sizeof(full));
	if (memcmp(bytes, "root\\0\\0\\0", 8))
		return 1;
	sdtkit_record_put_text(none, sizeof(none), NULL, SIZE_MAX);
	memset(bytes, 'x', sizeof(bytes));
	sdtkit_record_put_text(bytes, sizeof(bytes),
			       "\\200\\200\\200\\200\\200\\200\\200\\200", SIZE_MAX);
	return none[0] || memcmp(bytes, "\\200...\\0\\0\\0", 8)
%s		|| SDTKIT_RECORD_COMPARE("a", "ab") >= 0
		|| SDTKIT_RECORD_COMPARE("\\377", "a") <= 0
		|| SDTKIT_RECORD_COMPARE(full, "root") != 0
		|| SDTKIT_RECORD_COMPARE("roots", full) <= 0
		|| SDTKIT_RECORD_COMPARE(no_text, "") != 0
		|| SDTKIT_RECORD_LENGTH(full) != 4
		|| SDTKIT_RECORD_LENGTH("text") != 4
		|| SDTKIT_RECORD_LENGTH(no_text) != 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("members")
    (path / "share.h").write_text(make("header", MEMBERS))
    (path / "main.c").write_text(MAIN)
    return path


def build(folder, name, *command):
    return compile(folder, name, *command, files=["main.c"])


@pytest.mark.parametrize("flags", ["-O0", "-O2", "-DSDTKIT_DISABLE",
                                   "-DSDTKIT_USE_SYS_SDT", "-m32"])
@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
def test_compiles(folder, compiler, flags):
    if flags == "-m32":
        if compiler[0] != "gcc":
            pytest.skip("no compiler for i386")
        compiler, flags = ["i686-linux-gnu-gcc"] + compiler[1:], "-static"
    # C++ has other casts for what D's translators cast
    warnings = [w for w in WARNINGS if w != "-Wcast-qual"] + [
        "-Wno-old-style-cast"] * compiler[0].endswith("++")
    runner = may_run(compiler[0])
    subprocess.run([*runner, build(folder, compiler[0] + flags, *compiler,
                                   *warnings, flags)], check=True)


@pytest.mark.parametrize("compiler", usual(["gcc", "clang", "g++"], "gcc"))
def test_text_is_cut_where_it_shows(tmp_path, compiler):
    """Text from strings and from arrays is cut at every boundary, under
    sanitizers."""
    rows = ['		|| wrong(%d, "%s", "%s")\n' % (size, *(
        "".join("\\%03o" % byte for byte in text.encode())
        for text in texts)) for size, *texts in TEXTS]
    (tmp_path / "x.c").write_text(TABLE % "".join(rows))
    language = ["-xc++"] if compiler == "g++" else []
    subprocess.run([compiler, *language, "-O1", "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all", "-I", SOURCE / "include",
                    "-o", tmp_path / "x", tmp_path / "x.c"], check=True)
    subprocess.run([tmp_path / "x"], check=True)


# what the program has instead, and what its compiler says about it
MISFITS = [
    ("uint8_t guid[16];", "uint8_t guid[17];", "array_that_fits"),
    ("uint8_t guid[16];", "uint8_t *guid;", "an_array"),
    ("uint8_t guid[16];", "uint16_t guid[8];", "elements_of_that_size"),
    ("uint8_t guid[16];", "uint8_t guid;", "subscripted value|array subscript"),
    ("uint64_t ranges[2];", "uint64_t ranges[1][2];", "elements_of_that_size"),
    ("char share[8];", "uint32_t share[8];", "needs_characters"),
]


@pytest.mark.parametrize("compiler", usual(
    ["gcc", "clang", "g++", "clang++"], "gcc", "clang++"))
@pytest.mark.parametrize("there,other,said", MISFITS,
                         ids=[row[1][:-1] for row in MISFITS])
def test_what_does_not_fit_is_an_error(folder, compiler, there, other, said):
    program = re.sub(r"int main.*", "void use(struct open_file *file);\n"
                     "void use(struct open_file *file)\n"
                     "{\n\tSHARE_OPENED(file);\n}\n", MAIN, flags=re.S)
    for text, result in (program, 0), (program.replace(there, other), 1):
        done = subprocess.run(
            [compiler, "-xc++" if "++" in compiler else "-xc", "-w",
             "-fsyntax-only", "-I", SOURCE / "include", "-I", folder, "-"],
            input=text, text=True, stderr=subprocess.PIPE)
        assert done.returncode == result, done.stderr
    assert re.search(said, done.stderr)


SAME = """
typedef char a_t[2]; typedef a_t b_t; typedef b_t c_t; typedef c_t d_t;
struct req;
typedef struct { %s d_t name; } class_t;
translator class_t < struct req *R > { name = R->name; %s };
provider %s { probe done(struct req *req) : (class_t *req); };
"""


def test_two_headers_have_the_same_record_or_say_so(tmp_path):
    """Otherwise the record of one header would be filled like that of another.
    A tag that is a word of C++ cannot be a tag of the header."""
    for name, first in ("one", ("", "")), ("two", ("", "")), (
            ("three", ("int id;", "id = 1;"))):
        description = tmp_path / (name + ".d")
        description.write_text(SAME % (*first, name))
        (tmp_path / (name + ".h")).write_text(make("header", description))
    assert "\tchar name[2];" in (tmp_path / "one.h").read_text()
    for other, result in ("two", 0), ("three", 1):
        done = subprocess.run(
            ["g++", "-xc++", "-fsyntax-only", "-I", SOURCE / "include", "-I",
             tmp_path, "-"], input='#include "one.h"\n#include "%s.h"\n'
            % other, text=True, stderr=subprocess.PIPE)
        assert done.returncode == result, done.stderr
    assert "another header has another 'struct class_t'" in done.stderr


def test_gdb_shows_each_member(folder, unavailable):
    if which("gdb") is None:
        unavailable("gdb is not installed")
    program = build(folder, "gdb", "gcc", "-O2", "-g")
    text = subprocess.run(
        ["timeout", "300", "gdb", "-batch", "-nx", "-ex", "set width 0",
         "-ex", "set print null-stop on",
         "-ex", "break -probe-stap share:opened", "-ex", "run", "-ex",
         "print *(struct file_info *)$_probe_arg0", program],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    assert (
        '{share = "public$1", user = "root", '
        r'guid = "\001\002\003\004\005\006\a\b\t\n\v\f\r\016\017\377", '
        "ranges = {18364758544493064720, 7, 0}, "
        'peer = {port = 48385, host = "grüß..."}, '
        "table = {{1, 2, 3}, {4, -5, 6}}, "
        'flags = "", peer_port = 48386, depth = 32, '
        "is_root = 1 '\\001', at = 9, "
        'other = {port = 445, host = "local"}}') in text.replace(
            r"\303\274\303\237", "üß"), text


BPFTRACE = """
usdt:$1:share:opened
{
	printf("share=%s user=%s\\n", ((struct file_info *)arg0)->share,
	       ((struct file_info *)arg0)->user);
	$f = (struct file_info *)arg0;
	printf("guid=%d,%d ranges=%lx,%d,%d\\n", $f->guid[0], $f->guid[15],
	       $f->ranges[0], $f->ranges[1], $f->ranges[2]);
	printf("peer=%s:%d\\n", $f->peer.host, $f->peer.port);
	printf("table=%d,%d flags=%d,%d\\n", $f->table[0][1], $f->table[1][1],
	       $f->flags[0], $f->flags[1]);
	printf("port=%d depth=%d root=%d at=%d other=%s:%d\\n", $f->peer_port,
	       $f->depth, $f->is_root, $f->at, $f->other.host,
	       $f->other.port);
}
"""


@pytest.mark.parametrize("compiler", usual(["gcc", "clang", "g++"], "gcc"))
def test_bpftrace_reads_each_member(folder, compiler, unavailable):
    need_bpftrace(unavailable)
    program = build(folder, "bpf-" + compiler, compiler, "-O2")
    structs = folder / "structs.h"
    structs.write_text(make("bpftrace-structs", MEMBERS))
    (folder / "x.bt").write_text('#include "%s"\n%s' % (structs, BPFTRACE))
    text = bpftrace(folder / "x.bt", program)
    assert [line for line in text.split("\n") if "=" in line] == [
        "share=public$1 user=root",
        "guid=1,255 ranges=fedcba9876543210,7,0", "peer=grüß...:48385",
        "table=2,-5 flags=0,1",
        "port=48386 depth=32 root=1 at=9 other=local:445"], text


def test_skeleton_runs(folder, tmp_path, unavailable):
    need_bpftrace(unavailable)
    program = build(folder, "skeleton", "gcc", "-O2")
    script = make("bpftrace", MEMBERS).replace("// printf", "printf").replace(
        "\t//        ", "\t")
    (tmp_path / "x.bt").write_text(script)
    text = bpftrace(tmp_path / "x.bt", program)
    assert "file.share=public$1 file.user=root file.peer.port=48385" in text


def test_stap_takes_the_tapset(folder, tmp_path):
    """stap finds every variable, and @cast works with the debug information of
    the program."""
    if which("stap") is None:
        pytest.skip("systemtap is not installed")
    program = build(folder, "stap", "gcc", "-O2", "-g")
    (tmp_path / "tapsets").mkdir()
    tapset = make("tapset", MEMBERS)
    (tmp_path / "tapsets/x.stp").write_text(tapset)
    names = variables_of(tapset)["share.opened"]
    assert {"file_peer_port", "file_peer_port_", "file_guid"} <= set(names)
    script = "probe share.opened { println(%s) }\n" % ', ",", '.join(names)
    script += """probe process("%s").mark("opened") {
        r = $arg1
        println(user_string(@cast(r, "file_info")->share), " ",
                @cast(r, "file_info")->peer->port,
                @cast(r, "file_info")->guid[15])
    }""" % program
    result = subprocess.run(
        ["timeout", "300", "stap", "-r", kernel_tree(tmp_path / "kernel"),
         "-p2", "-I", tmp_path / "tapsets", "-e", script, program],
        capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
