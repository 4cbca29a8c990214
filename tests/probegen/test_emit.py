# SPDX-License-Identifier: BSD-2-Clause
"""The outputs beside the headers, with the programs that read them.

A program that fires each probe of a description once is made from its
manifest. Then bpftrace and stap must accept the scripts unchanged, and find
every probe. test_goldens.py compares the text of the outputs with
ok/*/expect*.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

from emit_tool import (bpftrace, kernel_tree, make, need_bpftrace,
                       variables_of)
from opt_in import usual
from probegen_tool import PROBEGEN, SOURCE, run
from test_goldens import (COMPILERS, FORMS, OK, PROVIDERS, USUAL, WARNINGS,
                          compile_header)

from probegen import emit
from programs import ALL, which

DESCRIPTIONS = PROVIDERS + [OK / name / "in.d"
                            for name in ("declarations", "types")]
STANDARDS = usual([("gcc", "c99"), ("gcc", "c11"), ("gcc", "gnu17"),
             ("gcc", "c2x"), ("clang", "c99"), ("clang", "c2x"),
             ("g++", "c++11"),
             ("g++", "c++17"), ("g++", "c++23"), ("clang++", "c++11"),
             ("clang++", "c++20"), ("clang++", "c++2b")],
            ("gcc", "c99"), ("clang", "c2x"), ("g++", "c++11"),
            ("clang++", "c++2b"))

# expectations that do not exist: another test below, or another directory of
# tests, checks these formats
WITHOUT_GOLDEN = {"expect.o", "expect-standalone.h", "expect.h.d"}


def name_of(path):
    return path.parent.name


def probes_of(path):
    """Returns (provider, probe) of a manifest, each as a dict."""
    manifest = json.loads(make("json", path))
    return [(provider, probe) for provider in manifest["providers"]
            for probe in provider["probes"]]


def build(folder, path):
    """Builds a program that fires each probe once, with all arguments 0."""
    (folder / "native.h").write_text(make("header", path))
    calls = ["\t%s(%s);\n" % (probe["macro"], ", ".join(
        "0" for _ in probe["args"])) for _, probe in probes_of(path)]
    (folder / "all.c").write_text(
        '#include "native.h"\nint main(void)\n{\n%s\treturn 0;\n}\n'
        % "".join(calls))
    subprocess.run(["gcc", "-O2", "-I", SOURCE / "include", "-o",
                    folder / "all", folder / "all.c"], check=True)
    return folder / "all"


def test_every_format_has_a_golden():
    assert WITHOUT_GOLDEN < set(FORMS) and len(FORMS) == len(emit.FORMATS)
    for expected in set(FORMS) - WITHOUT_GOLDEN:
        assert (OK / "smb2" / expected).exists(), expected


def test_every_module_is_installed():
    """meson.build lists exactly the modules that exist."""
    listed = re.findall(r"'([\w/]+\.py)'",
                        (SOURCE / "probegen/meson.build").read_text())
    found = [str(path.relative_to(PROBEGEN))
             for path in pathlib.Path(PROBEGEN).glob("**/*.py")]
    assert sorted(set(listed)) == sorted(found)


def test_every_format_is_documented():
    text = (SOURCE / "docs/outputs.md").read_text()
    for form in emit.FORMATS:
        assert "`%s`" % form in text


# makes each format in a directory of its own
MAKE_ALL = """
import os, sys
sys.path.insert(0, sys.argv[1])
from probegen import cli, emit
for form in emit.FORMATS:
    os.mkdir(form)
    os.chdir(form)
    status = cli.main(["probegen", "-Wno-all", "--emit", form, "../one.d"])
    assert status == 0, form
    os.chdir("..")
"""


def test_default_names_and_determinism(tmp_path):
    made = []
    for seed in "0", "7":
        folder = tmp_path / seed
        folder.mkdir()
        shutil.copy(OK / "declarations/in.d", folder / "one.d")
        subprocess.run([sys.executable, "-c", MAKE_ALL, SOURCE], cwd=folder,
                       env=dict(os.environ, PYTHONHASHSEED=seed), check=True)
        made.append({path.relative_to(folder): path.read_bytes()
                     for path in folder.glob("*/*")})
    assert made[0] == made[1]
    assert {str(path) for path in made[0]} == {
        "%s/one%s" % (name, form.suffix)
        for name, form in emit.FORMATS.items()}


@pytest.mark.parametrize("count", usual([2000, 10000], 2000))
def test_thousands_of_probes_are_fast(count, tmp_path):
    """A quadratic step would take minutes for ten thousand, while a slow
    machine takes seconds."""
    path = tmp_path / "big.d"
    path.write_text("provider big {\n%s};\n" % "".join(
        "\t/* Probe %d. */\n\tprobe p%d(int a,\t/* one */\n\t\tchar *b);\n"
        % (i, i) for i in range(count)))
    sys.path.insert(0, str(SOURCE))
    from probegen import diag, lexer, parser, resolve, source
    faults = diag.Diagnostics()
    text = source.Source("big.d", path.read_text())
    model = resolve.resolve([parser.parse(lexer.lex(text, faults), faults)],
                            faults, "big.d")
    for form, row in emit.FORMATS.items():
        start = time.process_time()
        row.emit(model, *("x" for _ in row.needs))
        assert time.process_time() - start < count / 333, form


# ------------------------------------------------------------ headers for C

@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
@pytest.mark.parametrize("form", ["noop", "standalone"])
@pytest.mark.parametrize("path", DESCRIPTIONS, ids=name_of)
def test_header_compiles(path, form, compiler, tmp_path):
    header = tmp_path / "x.h"
    header.write_text(make(form, path))
    compile_header(header, compiler)


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=name_of)
def test_structs_compile(path, tmp_path):
    header = tmp_path / "x.h"
    header.write_text(make("bpftrace-structs", path))
    # an NTSTATUS is no int, as ISO C wants enumerators to be
    compile_header(header, ["clang", "-std=c11"], "-Wno-pedantic")


USE = """
#include "smb2.h"
static int calls;
static int count(void) { return ++calls; }
int main(void)
{
	if (count() == 0)
		SMB2_REQUEST_START((unsigned)count(), 5);
	SMB2_REQUEST_START((unsigned)count(), 5), SMB2_REQUEST_END(1, 2, 3);
	return SMB2_REQUEST_START_ENABLED() || calls != 1;
}
"""


@pytest.mark.parametrize("compiler,standard", STANDARDS)
@pytest.mark.parametrize("form", ["noop", "standalone"])
def test_header_alone_is_enough(form, compiler, standard, tmp_path):
    """The program needs no include directory, and evaluates no argument while
    nobody traces."""
    (tmp_path / "smb2.h").write_text(make(form, OK / "smb2/in.d"))
    (tmp_path / "use.c").write_text(USE)
    language = ["-xc++"] if compiler.endswith("++") else []
    subprocess.run([compiler, "-std=" + standard, *WARNINGS, *language,
                    "-o", "use", "use.c"], cwd=tmp_path, check=True)
    subprocess.run(["./use"], cwd=tmp_path, check=True)
    notes = subprocess.run(["readelf", "-nW", tmp_path / "use"], text=True,
                           stdout=subprocess.PIPE, check=True).stdout
    assert ("Name: request_start" in notes) == (form == "standalone")


@pytest.mark.parametrize("call", [
    "SMB2_REQUEST_START(1)", "SMB2_REQUEST_START(1, 2, 3)",
    'SMB2_REQUEST_START("a", 2)'])
def test_noop_checks_types(call, tmp_path):
    (tmp_path / "smb2.h").write_text(make("noop", OK / "smb2/in.d"))
    result = subprocess.run(
        ["gcc", "-Werror", "-fsyntax-only", "-I", tmp_path, "-xc", "-"],
        input='#include "smb2.h"\nvoid f(void);\nvoid f(void) { %s; }\n' % call,
        text=True, stderr=subprocess.PIPE)
    assert result.returncode != 0 and "error" in result.stderr


@pytest.mark.parametrize("forms", [
    ("standalone", "standalone"), ("standalone", "header"),
    ("header", "standalone"), ("noop", "standalone"), ("noop", "noop")])
def test_headers_meet_in_one_file(forms, tmp_path):
    (tmp_path / "one.h").write_text(make(forms[0], OK / "smb2/in.d"))
    (tmp_path / "two.h").write_text(make(forms[1], OK / "declarations/in.d"))
    both = tmp_path / "both.h"
    both.write_text('#include "one.h"\n#include "two.h"\n')
    for compiler in COMPILERS if ALL else COMPILERS[::3]:
        compile_header(both, compiler)


def test_standalone_is_the_native_header_with_probe_h():
    """All files to which its #include leads are in its place."""
    include = "#include <sdtkit/probe.h>\n"
    before, after = make("header", OK / "smb2/in.d").split(include)
    text = make("standalone", OK / "smb2/in.d")
    assert text.startswith(before + "\n") and text.endswith(after)
    folded = text[len(before):-len(after)]
    for name in "describe-record.h", "describe-span.h", "site-single.h":
        assert "/* sdtkit/%s; SPDX-" % name not in folded
    for name in "probe.h", "describe.h", "call.h":
        assert "/* sdtkit/%s; SPDX-" % name in folded
        for line in re.findall(r"^#define .*[^\\]$", (
                SOURCE / "include/sdtkit" / name).read_text(), re.M):
            assert line + "\n" in folded
    assert folded.count("/*") == folded.count("SPDX-")
    assert re.findall("^ *# *include.*sdtkit/(.*)>", text, re.M) == [
        "operand-systemtap.h", "site-systemtap.h"]


def installed(folder):
    """Makes a copy of probegen as an installation has it, and returns its
    directory."""
    package = folder / "share/sdtkit/probegen"
    shutil.copytree(PROBEGEN, package,
                    ignore=shutil.ignore_patterns("__pycache__"))
    return package


def test_standalone_when_installed(tmp_path):
    package = installed(tmp_path)
    command = [sys.executable, "-B", package, "--emit", "standalone",
               OK / "smb2/in.d", "-o", tmp_path / "x.h"]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    missing = tmp_path / "include/sdtkit/probe.h"
    assert result.returncode == 1 and not (tmp_path / "x.h").exists()
    assert result.stderr.startswith("%s: error UNREADABLE: " % missing)
    shutil.copytree(SOURCE / "include/sdtkit", missing.parent)
    subprocess.run(command, check=True)
    assert "#define SDTKIT_PROBE_H" in (tmp_path / "x.h").read_text()


def test_depfile(tmp_path):
    (tmp_path / "a$ b.h").write_text("")
    (tmp_path / "x.d").write_text(
        '#include "a$ b.h"\nprovider x { probe y(); };\n')
    result = run("-C", "--emit", "depfile", "x.d", "-o", "-", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("x.h: x.d \\\n")
    assert result.stdout.endswith("  a$$\\ b.h\n")


# -------------------------------------------------------------------- tracers

def uncommented(script):
    """Returns a script with its printf statements switched on."""
    return script.replace("// printf", "printf").replace("\t//        ", "\t")


# one start of bpftrace as it is made, and one with all that is commented out
SKELETONS = usual([
    (path, printing) for path in DESCRIPTIONS for printing in (False, True)
    if printing or path not in PROVIDERS],
    (OK / "declarations/in.d", False), (OK / "types/in.d", True))


@pytest.mark.parametrize("path,printing", SKELETONS, ids=lambda value: (
    value.parent.name if hasattr(value, "parent") else
    "printf" if value else "as_is"))
def test_bpftrace_runs_the_skeleton(path, printing, tmp_path, unavailable):
    """bpftrace attaches to every probe and counts it once."""
    need_bpftrace(unavailable)
    program = build(tmp_path, path)
    script = make("bpftrace", path)
    (tmp_path / "x.bt").write_text(uncommented(script) if printing else script)
    output = bpftrace(tmp_path / "x.bt", program)
    counts = dict(re.findall(r"@probes\[(.*)\]: (\d+)", output))
    assert counts == {"%s:%s" % (provider["name"], probe["name"]): "1"
                      for provider, probe in probes_of(path)}, output


REQUEST = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
enum purpose { READ, WRITE = 4, FLUSH };
struct request {
	uint64_t start;
	uint16_t count;
	unsigned urgent : 1, sync : 1;
	char tag[16];
	enum purpose purpose;
	size_t sizes[FLUSH];
	union {
		long number;
		struct { short low, high; } halves;
	} key;
	struct request *next;
	const char *owner;
	void (*done)(struct request *it, int status);
	unsigned int range[2], *bad;
	bool finished;
};
#include "native.h"
int main(void)
{
	static struct request it = { .start = 5, .sync = 1, .tag = "tag",
		.purpose = WRITE, .sizes = { [3] = 7 }, .range = { 0, 8 },
		.finished = true };

	it.key.halves.high = -3;
	DISK2_BEGIN_NOW(&it, 512, "me");
	return 0;
}
"""

READ = """
#include "structs.h"
usdt:$1:disk2:begin__now
{
	$r = (struct request *)arg0;
	printf("%d %d %d %s %d %d %d", $r->start, $r->urgent, $r->sync,
	       $r->tag, $r->purpose == WRITE, $r->sizes[3],
	       $r->key.halves.high);
	printf(" %d %d", $r->range[1], $r->finished);
}
"""


def test_bpftrace_reads_structs(tmp_path, unavailable):
    need_bpftrace(unavailable)
    path = OK / "declarations/in.d"
    (tmp_path / "native.h").write_text(make("header", path))
    (tmp_path / "structs.h").write_text(make("bpftrace-structs", path))
    (tmp_path / "x.bt").write_text(READ.replace("structs.h", str(
        tmp_path / "structs.h")))
    program = tmp_path / "program"
    subprocess.run(["gcc", "-I", SOURCE / "include", "-I", tmp_path, "-o",
                    program, "-xc", "-"], input=REQUEST, text=True, check=True)
    assert "5 0 1 tag 1 7 -3 8 1" in bpftrace(tmp_path / "x.bt", program)


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=name_of)
def test_stap_takes_the_tapset(path, tmp_path):
    """stap finds each alias in the program, and a value for each variable."""
    if which("stap") is None:
        pytest.skip("systemtap is not installed")
    program = build(tmp_path, path)
    tapsets = tmp_path / "tapsets"
    tapsets.mkdir()
    (tapsets / "x.stp").write_text(make("tapset", path))
    variables = variables_of((tapsets / "x.stp").read_text())
    assert set(variables) == {"%s.%s" % (provider["name"], probe["name"])
                              for provider, probe in probes_of(path)}
    script = "".join("probe %s { println(%s) }\n" % (
        alias, ', ",", '.join(names)) for alias, names in variables.items())
    command = ["timeout", "300", "stap", "-r",
               kernel_tree(tmp_path / "kernel"),
               "-p2", "-I", tapsets, "-e", script]
    for where in [program], ["-c", program]:
        result = subprocess.run(command + where, capture_output=True,
                                text=True)
        assert result.returncode == 0, result.stderr
        assert result.stdout.count('process("%s").statement(' % program) >= (
            len(variables))


# ------------------------------------------------------------------ documents

@pytest.mark.parametrize("path", DESCRIPTIONS + [OK / "comments/in.d"],
                         ids=name_of)
def test_man_page_is_clean(path, tmp_path):
    if which("groff") is None:
        pytest.skip("groff is not installed")
    page = tmp_path / "x.7"
    page.write_text(make("man", path))
    result = subprocess.run(
        ["groff", "-man", "-ww", "-Kutf8", "-Tutf8", page], text=True,
        capture_output=True)
    assert (result.returncode, result.stderr) == (0, "")
    text = re.sub(r".\x08", "", result.stdout)     # bold
    for provider, probe in probes_of(path):
        assert "%s:%s" % (provider["name"], probe["name"]) in text


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=name_of)
def test_markdown_tables_have_their_columns(path):
    """A bar in a comment would make one more column if it were not escaped."""
    for line in make("markdown", path).split("\n"):
        if line.startswith("| arg"):
            cells = re.sub(r"\\\|", "", line).count("|")
            assert cells == 4, line


def fields(value, path=""):
    """Returns the paths of all fields of a manifest, `providers[].name`."""
    if isinstance(value, list):
        return set().union(*(fields(item, path + "[]") for item in value))
    if isinstance(value, dict) and not path.endswith(".attributes"):
        return set().union(*({(path + "." + key).lstrip(".")}
                             | fields(item, path + "." + key)
                             for key, item in value.items()))
    return set()


def test_manifest_is_as_documented():
    """Every field is in a table of docs/manifest.md, and every field of a
    table exists."""
    text = (SOURCE / "docs/manifest.md").read_text()
    tables = re.findall(r"^\| field \|.*\n((?:\|.*\n)+)", text, re.M)
    documented = re.findall(r"^\| `(.*?)` \|", "".join(tables), re.M)
    manifests = [json.loads(make("json", OK / name / "in.d"))
                 for name in ("declarations", "groups", "records", "spans")]
    assert sorted(documented) == sorted(set().union(*map(fields, manifests)))
    manifest = manifests[0]
    assert "version %d" % manifest["manifest"] in text.lower()


def test_manifest_holds_what_is_no_utf8(tmp_path):
    path = tmp_path / "x.d"
    path.write_bytes(b"/* gr\xfc\xdfe */ provider x { probe y(); };\n")
    manifest = json.loads(make("json", path))
    assert manifest["providers"][0]["doc"] == "gr\xfc\xdfe"
