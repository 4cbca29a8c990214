# SPDX-License-Identifier: BSD-2-Clause
"""Records: what arrives in tracers, member by member, and that nobody pays who
does not look. What translators may say: test_expressions.py, and err/.
"""

import json
import os
import re
import subprocess

import pytest

from emit_tool import bpftrace, kernel_tree, make, need_bpftrace, variables_of
from opt_in import usual
from probegen_tool import SOURCE, run
from test_goldens import OK, USUAL, WARNINGS
from programs import which

RECORDS = OK / "records/in.d"

# the private struct of ok/records, which only one file of the program knows
PRIVATE = """
struct vector { void *iov_base; size_t iov_len; };
struct smb_request {
	uint64_t mid;
	struct { struct vector vector[2]; } in;
	const char *user;
	uint32_t bytes, done, flags;
	char tag[4];
	const char *path;
	struct smb_request *next;
};
"""
MAIN = """
#include "smb.h"
#include <string.h>
%s
static uint16_t opcode = 5;
static int calls;
static struct smb_request *counted(struct smb_request *it)
{
	calls++;
	return it;
}
int main(int argc, char **argv)
{
	struct smb_request request;

	memset(&request, 0, sizeof(request));
	request.mid = 0xfedcba9876543210;
	request.in.vector[1].iov_base = &opcode;
	request.in.vector[1].iov_len = 2;
	request.user = argc > 1 ? 0 : "joe";
	request.bytes = 70000;
	request.done = 70003;
	request.flags = 2;
	request.tag[2] = 'z';
	request.path = "/share";
	request.next = &request;
	SMB_REQUEST_DONE(counted(&request), -7);
	SMB_SWAP(-1, 2, argv[0]), SMB_ACCEPT(42);
	SMB_NOTHING((1, 9));
	return SMB_REQUEST_DONE_ENABLED() ? calls != 1 : calls != 0;
}
""" % PRIVATE
EVERYWHERE = """
#include "smb.h"
int use(struct smb_request *, const char *);
int use(struct smb_request *unknown, const char *text)
{
	SMB_SWAP(1, 2, text);
	return unknown != 0;
}
"""
NO_VALUE = ["-Wno-unused-value"]    # of the comma operator in SMB_NOTHING()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("records")
    (path / "smb.h").write_text(make("header", RECORDS))
    (path / "main.c").write_text(MAIN)
    (path / "other.c").write_text(EVERYWHERE)
    return path


def may_run(compiler):
    """The words before a program that the compiler made: not every kernel runs
    programs of i386. Ends the test where the compiler or the emulator is not installed."""
    if not compiler.startswith("i686-"):
        return []
    for name in compiler, "qemu-i386-static":
        if which(name) is None:
            pytest.skip(name + " is not installed")
    return ["qemu-i386-static"]


def compile(folder, name, *command, files=("main.c", "other.c")):
    subprocess.run([*command, *NO_VALUE, "-I", SOURCE / "include", *files,
                    "-o", name], cwd=folder, check=True)
    return folder / name


@pytest.mark.parametrize("flags", ["-O0", "-O2", "-DSDTKIT_DISABLE",
                                   "-DSDTKIT_USE_SYS_SDT", "-m32"])
@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
def test_compiles(folder, compiler, flags):
    """It compiles without a warning. Only the file that calls the probe knows
    the struct."""
    target = []
    if flags == "-m32":
        if compiler[0] != "gcc":
            pytest.skip("no compiler for i386")
        compiler, target = ["i686-linux-gnu-gcc"] + compiler[1:], ["-static"]
    runner = may_run(compiler[0])
    name = "%s%s" % (compiler[0], flags)
    warnings = [w for w in WARNINGS if w not in ("-Wcast-qual",)]
    # C++ has other casts for what D's translators cast
    warnings += [w.replace("-W", "-Wno-") for w in compiler
                 if w == "-Wold-style-cast"]
    program = compile(folder, name, *compiler, *warnings, *target,
                      *([] if flags == "-m32" else [flags]),
                      *([] if compiler[0].endswith("++") else
                        ["-Wdeclaration-after-statement"]))
    subprocess.run([*runner, program], check=True)


TOGETHER = """
#pragma sdtkit alias net2 net
#pragma sdtkit single_site both
typedef struct { string name; uint16_t port; } peer_t;
struct hidden;
translator peer_t < struct hidden *P > { name = P->name; port = P->port; };
provider net2 {
	probe both(struct hidden *peer, sdtkit_sockaddr_t from,
		struct hidden *other)
		: (peer_t *other, sdtkit_sockaddr_t from, peer_t *peer);
};
"""
USE_TOGETHER = """
#include <sys/socket.h>
#include "x.h"
struct hidden { const char *name; int port; };
int main(void)
{
	struct sockaddr_storage from = { 0 };
	struct hidden one = { "one", 1 }, two = { 0, 2 };

	NET2_BOTH(&one, &from, &two);
	return 0;
}
"""


@pytest.mark.parametrize("form", ["header", "standalone"])
def test_with_aliases_single_sites_and_marshallers(tmp_path, form, unavailable):
    """One description has everything that changes a site."""
    (tmp_path / "x.d").write_text(TOGETHER)
    (tmp_path / "x.h").write_text(make(form, tmp_path / "x.d"))
    (tmp_path / "x.c").write_text(USE_TOGETHER)
    for compiler in "gcc", "clang":
        subprocess.run(
            [compiler, "-O2", "-g", "-Wall", "-Wextra", "-Werror",
             "-Wno-missing-braces", "-DSDTKIT_ARG_INLINE",
             *(["-I", SOURCE / "include"] if form == "header" else []),
             "-o", "x", "x.c"], cwd=tmp_path, check=True)
        if which("gdb") is None:
            unavailable("gdb is not installed")
        text = subprocess.run(
            ["timeout", "300", "gdb", "-batch", "-nx",
             "-ex", "break -probe-stap net:both", "-ex", "run",
             "-ex", "x/s *(char **)$_probe_arg0",
             "-ex", "x/s *(char **)$_probe_arg2", "./x"], cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        assert re.findall(r"^0x.*:\t(\".*\")", text, re.M) == ['""', '"one"']


def test_wrong_types_are_errors(folder):
    """Wrong arguments are errors as with any other probe, and so is a member
    that the struct does not have."""
    for call in "SMB_REQUEST_DONE(1)", "SMB_SWAP(1, 2)", "SMB_ACCEPT(argv)":
        result = subprocess.run(
            ["gcc", "-Werror", "-fsyntax-only", "-I", SOURCE / "include", "-I",
             folder, "-xc", "-"], text=True, stderr=subprocess.PIPE,
            input=MAIN.replace("SMB_NOTHING((1, 9));", call + ";"))
        assert "error" in result.stderr and result.returncode
    result = subprocess.run(
        ["gcc", "-fsyntax-only", "-I", SOURCE / "include", "-I", folder, "-xc",
         "-"], text=True, stderr=subprocess.PIPE,
        input=MAIN.replace("uint64_t mid;", "uint64_t id;"))
    assert "has no member named" in result.stderr


LEAF = """
#include "smb.h"
%s
unsigned leaf(struct smb_request *, unsigned, unsigned, unsigned);
unsigned leaf(struct smb_request *r, unsigned a, unsigned b, unsigned c)
{
	unsigned sum = a * b + c;

	CALL;
	return sum ^ (b * c) ^ r->flags;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang", "aarch64-linux-gnu-gcc"])
def test_off_costs_what_any_probe_costs(folder, compiler):
    """While nobody traces, the path has as many instructions as with
    SMB_SWAP(), which carries integers, but for a copy of a register that the
    compiler may add. Nothing is saved, and there is no frame."""
    if which(compiler) is None:
        pytest.skip("no " + compiler)
    (folder / "leaf.c").write_text(LEAF % PRIVATE)
    objdump = compiler.replace("gcc", "objdump") if "-" in compiler else (
        "objdump")
    lengths = []
    for call in "SMB_REQUEST_DONE(r, 5)", "SMB_SWAP(1, 2, 0)", "(void)0":
        compile(folder, "leaf.o", compiler, "-O2", "-c", "-DCALL=" + call,
                files=["leaf.c"])
        text = subprocess.run(
            [objdump, "-d", "--no-show-raw-insn", folder / "leaf.o"],
            stdout=subprocess.PIPE, text=True, check=True).stdout
        body = text[text.index("<leaf>:\n"):].split("\n")[1:]
        names = [line.split("\t")[1].split()[0] for line in body[
            :body.index("")]]
        path = names[:[name in ("ret", "retq") for name in names].index(True)]
        assert not {"push", "sub", "stp", "call", "bl"} & set(path)
        lengths.append(len(path))
    assert lengths[0] - lengths[1] in (0, 1) and lengths[2] < lengths[1]


# --------------------------------------------------------------------- tracers

def test_gdb_shows_each_member(folder, unavailable):
    if which("gdb") is None:
        unavailable("gdb is not installed")
    program = compile(folder, "gdb", "gcc", "-O2", "-g")
    command = ["timeout", "300", "gdb", "-batch", "-nx"]
    for line in ("set breakpoint pending on", "break -probe-stap smb:",
                 "run", "print *(struct smb_info *)$_probe_arg0",
                 "print $_probe_arg1", "print $_probe_arg2", "continue",
                 "print $_probe_arg1", "continue",
                 "print *(struct conn *)$_probe_arg0"):
        command += ["-ex", line]
    command[command.index("break -probe-stap smb:")] = (
        "break -probe-stap smb:request_done")
    at = command.index("run") - 1
    command[at:at] = ["-ex", "break -probe-stap smb:swap",
                      "-ex", "break -probe-stap smb:accept"]
    text = subprocess.run([*command, program], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout
    shown = re.sub(r" 0x[0-9a-f]+( <[^>]*>)?", "", "\n".join(
        re.findall(r"^\$\d+ = (.*)", text, re.M)))
    assert shown.split("\n") == [
        '{mid = 18364758544493064720, opcode = 5, user = "joe", '
        "is_big = 1 '\\001', how = 4, last = 122 'z', left = -3, length = 3, "
        'path = "share", next =}', "-7", str(2**64 - 7), "-1",
        "{fd = 42, pid = -42}"]


BPFTRACE = """
usdt:$1:smb:request_done
{
	$r = (struct smb_info *)arg0;
	printf("mid=%lx opcode=%d user=%s is_big=%d how=%d", $r->mid, $r->opcode,
	       str($r->user), $r->is_big, $r->how);
	printf(" last=%c left=%d length=%d path=%s next=%d", $r->last, $r->left,
	       $r->length, str($r->path), $r->next != 0);
	printf(" status=%d,%d\\n", (int32)arg1, arg2);
	printf("direct=%lx\\n", ((struct smb_info *)arg0)->mid);
}
usdt:$1:smb:swap { printf("swap=%d %d\\n", arg0 != 0, (int32)arg1); }
usdt:$1:smb:accept { printf("accept=%d %d\\n", ((struct conn *)arg0)->fd,
			    ((struct conn *)arg0)->pid); }
"""


@pytest.mark.parametrize("compiler", usual(["gcc", "clang", "g++"], "gcc"))
def test_bpftrace_reads_each_member(folder, compiler, unavailable):
    """bpftrace uses the structs of the header for scripts. The program has not
    touched the page of user."""
    need_bpftrace(unavailable)
    program = compile(folder, "bpf-" + compiler, compiler, "-O2")
    structs = folder / "structs.h"
    structs.write_text(make("bpftrace-structs", RECORDS))
    (folder / "x.bt").write_text('#include "%s"\n%s' % (structs, BPFTRACE))
    text = bpftrace(folder / "x.bt", program)
    for line in ("mid=fedcba9876543210 opcode=5 user=joe is_big=1 how=4 last=z "
                 "left=-3 length=3 path=share next=1 status=-7,-7",
                 "direct=fedcba9876543210", "swap=1 -1", "accept=42 -42"):
        assert line in text.split("\n"), text


def test_skeletons_run(folder, tmp_path, unavailable):
    """They run unchanged, and with their printf statements."""
    need_bpftrace(unavailable)
    program = compile(folder, "skeleton", "gcc", "-O2")
    script = make("bpftrace", RECORDS).replace("// printf", "printf").replace(
        "\t//        ", "\t")
    (tmp_path / "x.bt").write_text(script)
    text = bpftrace(tmp_path / "x.bt", program)
    assert "req.mid=18364758544493064720 req.opcode=5 req.user=joe" in text
    assert "fd.fd=42 fd.pid=-42" in text


def test_stap_takes_the_tapset(folder, tmp_path):
    if which("stap") is None:
        pytest.skip("systemtap is not installed")
    program = compile(folder, "stap", "gcc", "-O2", "-g")
    (tmp_path / "tapsets").mkdir()
    tapset = make("tapset", RECORDS)
    (tmp_path / "tapsets/x.stp").write_text(tapset)
    variables = variables_of(tapset)
    assert "req_user" in variables["smb.request_done"]
    script = "".join("probe %s { println(%s) }\n" % (
        alias, ', ",", '.join(names)) for alias, names in variables.items())
    script += """probe process("%s").mark("request_done") {
        println(@cast($arg1, "smb_info")->mid)
    }""" % program
    result = subprocess.run(
        ["timeout", "300", "stap", "-r", kernel_tree(tmp_path / "kernel"),
         "-p2", "-I", tmp_path / "tapsets", "-e", script, program],
        capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


LAYOUT = """
#include "smb.h"
#include <stdio.h>
int main(void)
{
%s	return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "i686-linux-gnu-gcc"])
def test_layout_is_that_of_the_manifest(folder, compiler):
    """The layout is also the same where pointers have four bytes, and long
    long is aligned to four."""
    runner = may_run(compiler)
    records = json.loads(make("json", RECORDS))["records"]
    assert [r["name"] for r in records] == ["smb_info", "conn"]
    lines, expected = "", ""
    for record in records:
        lines += '\tprintf("%%d\\n", (int)sizeof(struct %s));\n' % (
            record["name"])
        expected += "%d\n" % record["size"]
        for member in record["members"]:
            lines += '\tprintf("%%d\\n", (int)offsetof(struct %s, %s));\n' % (
                record["name"], member["name"])
            expected += "%d\n" % member["offset"]
    (folder / "layout.c").write_text(LAYOUT % lines)
    program = compile(folder, "layout-" + compiler, compiler, "-static",
                      files=["layout.c"])
    assert subprocess.run([*runner, program], stdout=subprocess.PIPE,
                          text=True, check=True).stdout == expected


def test_example_of_the_documentation(tmp_path):
    text = (SOURCE / "docs/language.md").read_text()
    example = next(block for block in re.findall(
        r"^```\n(.*?)^```", text, re.M | re.S) if "translator smb2_" in block)
    (tmp_path / "smb2.d").write_text(example)
    (tmp_path / "smb2.h").write_text(make("header", tmp_path / "smb2.d"))
    (tmp_path / "x.c").write_text("""
struct session { const char *user; };
struct smbd_smb2_request {
	unsigned long mid;
	struct { unsigned char hdr[8]; } in;
	struct session *session;
	char *name;
};
#include "smb2.h"
int main(void)
{
	struct smbd_smb2_request request = { 1, { { 2 } }, 0, 0 }, *req = &request;

	SMB2_REQUEST_DONE(req, 0);
	return 0;
}
""")
    for compiler in ["gcc"], ["g++", "-xc++"]:
        subprocess.run([*compiler, "-Wall", "-Wextra", "-Werror", "-I",
                        SOURCE / "include", "-o", tmp_path / "x",
                        tmp_path / "x.c"], check=True)


def test_drop_in_header_passes_the_inputs(tmp_path):
    """A drop-in header passes what DTrace expects: there, the kernel
    translates."""
    header = tmp_path / "x.h"
    assert run("-h", "-s", RECORDS, "-o", header).returncode == 0
    text = header.read_text()
    assert "#define SMB_SWAP(arg1, arg2, arg3) \\\n" in text
    assert "/* SMB_REQUEST_DONE (request_t req, int status) */" in text
    assert os.listdir(tmp_path) == ["x.h"]
