# SPDX-License-Identifier: BSD-2-Clause
"""Our own <sys/sdt.h> compiles wherever SystemTap's does: standards, warnings,
places, registers, types. -Werror is on everywhere."""

import itertools

import pytest

import sdt_tool
from opt_in import rarely, turns
from programs import which

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wconversion",
            "-Wsign-conversion", "-Wshadow", "-Wundef", "-Wcast-qual",
            "-Wfloat-conversion", "-Wmissing-declarations", "-Werror"]
MORE = {
    "gcc": ["-Wduplicated-branches", "-Wc++-compat",
            "-Wdeclaration-after-statement"],
    "clang": ["-Wdeclaration-after-statement", "-Wasm-operand-widths"],
    "g++": ["-Wold-style-cast", "-Wuseless-cast",
            "-Wzero-as-null-pointer-constant"],
    "clang++": ["-Wold-style-cast"],
}
C = ["c90", "gnu89", "c99", "gnu11", "c17"]
CXX = ["c++98", "gnu++98", "c++11", "c++17", "c++20", "c++23"]
STANDARDS = [(compiler, standard) for compilers, standards in
             ((("gcc", "clang"), C), (("g++", "clang++"), CXX))
             for compiler, standard in itertools.product(compilers, standards)]

PLAIN = """
#include <sys/sdt.h>
#include <sys/sdt.h>
void function(int a, const char *text, unsigned short b, double d);
void function(int a, const char *text, unsigned short b, double d)
{
	DTRACE_PROBE(t, none);
	if (a)
		DTRACE_PROBE1(t, one, a);
	else
		STAP_PROBE4(t, four, text, b, d, "text");
	for (; a; a--)
		DTRACE_PROBE12(t, twelve, a, a, a, a, a, a, a, text, a, b, d,
			       &a);
}
"""
ARGUMENTS = {"none": 0, "one": 1, "four": 4, "twelve": 12}


def c90(standard):
    return standard in ("c90", "gnu89")


@pytest.mark.parametrize("compiler, standard", rarely(STANDARDS, [
    ("gcc", "c90"), ("gcc", "c17"), ("clang", "gnu89"), ("clang", "c99"),
    ("g++", "c++98"), ("g++", "c++23"), ("clang++", "gnu++98"),
    ("clang++", "c++17")]))
def test_standard(compiler, standard, tmp_path):
    if standard == "c++23" and compiler == "clang++":
        standard = "c++2b"
    # strings of an asm are long; the warning of clang has no other place
    long = ["-Wno-overlength-strings"] * (compiler == "clang")
    found, _ = sdt_tool.compiled(
        tmp_path, PLAIN, compiler, "-std=" + standard, *WARNINGS,
        *MORE[compiler], *long, name="p.cc" if "++" in compiler else "p.c")
    assert {name: len(note.args) for name, note in found.items()} == ARGUMENTS


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_as_if_in_usr_include(compiler, tmp_path):
    """The header itself has no warning that a program could switch on."""
    text = PLAIN.replace("d)", "d)", 1)
    flags = ["-Weverything"] if "clang" in compiler else [
        "-Wsystem-headers", "-Wno-long-long", "-Wno-pragmas"]
    status, said = sdt_tool.run(
        [compiler, *sdt_tool.OURS, *flags, "-fsyntax-only",
         sdt_tool.source(tmp_path, text, "p.cc" if "++" in compiler
                         else "p.c")], tmp_path)
    assert status == 0
    assert "sdt-word.h" not in said.replace("from ", "")


@pytest.mark.parametrize("standard, compiler", turns(
    ["c++98", "c++17", "c++20"], ["g++", "clang++"]))
def test_extern_c(compiler, standard, tmp_path):
    """SystemTap's has templates there, and fails."""
    text = 'extern "C" {\n%s}\n' % PLAIN
    sdt_tool.compiled(tmp_path, text, compiler, "-std=" + standard, *WARNINGS,
                      name="p.cc")


@pytest.mark.parametrize("compiler", ["gcc", "clang", "g++", "clang++"])
def test_ours_comes_first(compiler, tmp_path):
    """With both headers on the path, one is read, and nothing of the other."""
    said = sdt_tool.must(
        [compiler, *sdt_tool.OURS, "-H", "-fsyntax-only", sdt_tool.source(
            tmp_path, PLAIN, "p.cc" if "++" in compiler else "p.c")],
        tmp_path)
    assert str(sdt_tool.SDT) in said
    assert "sdt-config.h" not in said
    assert said.count("sys/sdt.h") == 2     # the second includes nothing


# As libstdc++'s unwind-cxx.h does: without the two it has no probes.
FORMAT = """
#include <sys/sdt.h>
#if defined(STAP_PROBE2) && _SDT_NOTE_TYPE >= 3
static const char name[] = _SDT_NOTE_NAME;
int main(void) { STAP_PROBE2(libstdcxx, throw, 1, 2); return name[0] != 's'; }
#endif
"""


@pytest.mark.parametrize("header", ["ours", "theirs"])
def test_format_of_notes(header, tmp_path, unavailable):
    if header == "theirs":
        sdt_tool.need_theirs(unavailable)
    found, _ = sdt_tool.compiled(tmp_path, FORMAT, "gcc", header=header)
    assert list(found) == ["throw"]


@pytest.mark.parametrize("header", ["ours", "theirs"])
def test_separate_comma(header, tmp_path, unavailable):
    """libstdc++'s configure asks for it; else the library has no probes."""
    if header == "theirs":
        sdt_tool.need_theirs(unavailable)
    text = "#include <sys/sdt.h>\nint f() { STAP_PROBE(hi, bob); }\n"
    said = sdt_tool.must(
        ["gcc", *sdt_tool.HEADERS[header], "-E",
         sdt_tool.source(tmp_path, text)], tmp_path)
    assert ' "," ' in said


REGISTERS = [
    ["-O0"], ["-O2"], ["-O3", "-fno-omit-frame-pointer"], ["-O0", "-fPIC"],
    ["-O2", "-fPIC", "-mcmodel=large"], ["-O2", "-masm=intel"],
    ["-O2", "-fstack-protector-strong"], ["-Os", "-flto"],
    ["-O1", "-fsanitize=address,undefined"], ["-O2", "-mno-sse"],
    ["-Og", "-DSDTKIT_USE_FRAME"], ["-O2", "-fcf-protection=full"],
]
FIXED = ["-ffixed-r12", "-ffixed-r13", "-ffixed-r14", "-ffixed-r15",
         "-ffixed-rbx", "-ffixed-r10", "-ffixed-r11"]


@pytest.mark.parametrize("flags, compiler", turns(
    map(" ".join, REGISTERS), ["gcc", "clang"]))
def test_registers(compiler, flags, tmp_path):
    flags = flags.split()
    if compiler == "clang" and "-masm=intel" in flags:
        pytest.skip("clang cannot: AT&T text in an asm")
    text = PLAIN.replace(", double d", ", long d")
    found, _ = sdt_tool.compiled(tmp_path, text, compiler, *flags,
                                 "-fno-lto")
    assert len(found["twelve"].args) == 12
    assert all("(%r" in operand for operand in found["twelve"].args[6:])


@pytest.mark.parametrize("flags", [["-O0"], ["-O2", "-fPIC"]], ids=" ".join)
def test_few_registers(flags, tmp_path):
    """Eight of fifteen are left: twelve arguments still fit."""
    text = PLAIN.replace(", double d", ", long d")
    found, _ = sdt_tool.compiled(tmp_path, text, "gcc", *flags, *FIXED)
    assert len(found["twelve"].args) == 12


C_TYPES = """
#include <sys/sdt.h>
struct fields { int a : 3; unsigned b : 7; _Bool c : 1; } fields;
struct undefined;
union either { int a; long b; } either;
_Atomic int atomic;
_Complex double complex_number;
int (*table[3])(int);
int function(int);
typedef int vector __attribute__((vector_size(16)));
void types(struct undefined *undefined, void *nothing, int n, vector v,
	   __int128 i128, long double ld, char vla[n][n]);
void types(struct undefined *undefined, void *nothing, int n, vector v,
	   __int128 i128, long double ld, char vla[n][n])
{
	register int held = n;
	const volatile int quiet = n;

	DTRACE_PROBE3(t, fields, fields.a, fields.b, fields.c);
	DTRACE_PROBE6(t, pointers, undefined, nothing, function, &function,
		      table, *table);
	DTRACE_PROBE5(t, large, v, i128, ld, complex_number, either);
	DTRACE_PROBE5(t, kinds, atomic, held, quiet, "text"[n], vla[1]);
	DTRACE_PROBE4(t, constants, 0, (void *)0, -1LL, 0xffffffffffffffffULL);
	DTRACE_PROBE2(t, nested, ({ DTRACE_PROBE1(t, inner, n); n; }),
		      ((void)n, n + 1));
}
"""


@pytest.mark.parametrize("flags, compiler", turns(
    [("-O0",), ("-O2",)], ["gcc", "clang"]), ids=str)
def test_types(compiler, flags, tmp_path):
    found, _ = sdt_tool.compiled(tmp_path, C_TYPES, compiler, *flags,
                                 "-Wall", "-Wextra", "-Werror")
    sizes = {name: [arg.split("@")[0] for arg in note.args]
             for name, note in found.items()}
    assert sizes["pointers"] == ["8"] * 6
    assert sizes["large"] == ["8", "-8", "8", "8", "8"]
    assert sizes["kinds"] == ["-4", "-4", "-4", "-4", "8"]
    assert sizes["constants"] == ["-4", "8", "-8", "8"]
    assert sizes["nested"] == ["-4", "-4"]
    assert len(sizes["fields"]) == 3


CXX_TYPES = """
#include <sys/sdt.h>
#include <string>
#if __cplusplus >= 201103L
#include <atomic>
#include <memory>
struct only { only(const only &) = delete; int x; };
enum class scoped : short { a = -3 };
void newer(std::atomic<int> &atomic, only &one, char16_t c,
	   std::unique_ptr<int> &owner)
{
	DTRACE_PROBE6(t, newer, atomic, one, scoped::a, c, nullptr,
		      owner.get());
	DTRACE_PROBE1(t, owner, owner);
}
#endif
enum plain { zero, many = 70000 };
struct abstract { virtual void f() = 0; virtual ~abstract() {} };
struct klass { static const int constant = 5; int member; void call() const; };
namespace {
template <typename T> void generic(T value, const T &reference)
{
	DTRACE_PROBE3(t, generic, value, reference, sizeof(T));
}
}
void function(int &reference, const char (&array)[4], std::string &s, bool b,
	      abstract &a, plain p)
{
	DTRACE_PROBE6(t, usual, reference, array, s.c_str(), b, p, 'x');
	DTRACE_PROBE6(t, members, klass::constant, &klass::member,
		      &klass::call, function, &a, a);
	DTRACE_PROBE4(t, others, s, (reference > 3), L'x', 1.0f);
	generic(1, 2);
	generic(1.0, 2.0);
	generic<const char *>("a", "b");
}
void klass::call() const {}
int main() { return 0; }
"""


CXX_BUILDS = [(flags, compiler) for compiler in ("g++", "clang++")
              for flags in ("-O0 -std=c++98", "-O2 -std=c++11",
                            "-O0 -std=c++17", "-O2 -std=c++20",
                            "-O2 -fno-inline -std=c++17")]


@pytest.mark.parametrize("flags, compiler", rarely(CXX_BUILDS, [
    ("-O0 -std=c++98", "clang++"), ("-O2 -std=c++20", "g++")]))
def test_cxx_types(compiler, flags, tmp_path):
    """They link, too: a static const member has no definition."""
    flags = flags.split()
    found, every = sdt_tool.compiled(tmp_path, CXX_TYPES, compiler, *flags,
                                     "-Wall", "-Wextra", "-Werror",
                                     name="p.cc")
    sdt_tool.must([compiler, "p.o", "-o", "p"], tmp_path)
    sizes = {name: [arg.split("@")[0] for arg in note.args]
             for name, note in found.items()}
    assert sizes["usual"] == ["-4", "8", "8", "1", "4", "-4"]
    assert sizes["members"] == ["-4", "8", "8", "8", "8", "8"]
    assert sizes["others"] == ["8", "1", "-4", "4"]
    assert len([note for note in every if note.name == "generic"]) == 3
    if "98" not in flags[-1]:
        assert sizes["newer"] == ["8", "8", "-4", "2", "8", "8"]


def test_attributes_that_differ(tmp_path):
    """An inlined function of the header would be an error here."""
    text = PLAIN.replace(
        "void function(",
        '__attribute__((no_sanitize("address"), target("no-avx2")))\n'
        "void function(", 1)
    for compiler, level in turns(["gcc", "g++", "clang", "clang++"],
                                 ["-O0", "-O2"]):
        sdt_tool.compiled(tmp_path, text, compiler, level, "-mavx2",
                          "-fsanitize=address",
                          name="p.cc" if "++" in compiler else "p.c")


def test_evaluated_once(tmp_path):
    """Also where C's typeof would evaluate: a pointer to an array of variable
    length."""
    text = """
#include <sys/sdt.h>
int n;
int next(void) { return ++n; }
int main(int count, char **words)
{
	int table[4][count];
	int (*row)[count] = table;

	(void)words;
	DTRACE_PROBE2(t, a, row++, next());
	DTRACE_PROBE7(t, b, 1, 2, 3, 4, 5, next(), row++);
	return row == table + 2 && n == 2 ? 0 : 1;
}
"""
    for compiler, level in turns(["gcc", "clang"], ["-O0", "-O2"]):
        sdt_tool.must([compiler, level, *sdt_tool.OURS,
                       sdt_tool.source(tmp_path, text), "-o", "p"], tmp_path)
        sdt_tool.must(["./p"], tmp_path)
        assert len(sdt_tool.notes(tmp_path / "p")) == 2


def test_macros_of_the_program(tmp_path):
    """SystemTap's header fails with these."""
    words = ["hidden", "weak", "size", "space", "note", "comdat", "base",
             "balign", "asciz", "nop", "frame", "word", "r", "memory", "a"]
    text = "".join("#define %s broken(\n" % word for word in words)
    text += "#include <sys/sdt.h>\nvoid f(int b)\n{\n" \
        "\tDTRACE_PROBE7(t, p, b, 2, 3, 4, 5, 6, 7);\n}\n"
    for compiler in "gcc", "clang", "g++":
        found, _ = sdt_tool.compiled(tmp_path, text, compiler)
        assert len(found["p"].args) == 7


def test_variadic(tmp_path):
    text = """
#define SDT_USE_VARIADIC
#include <sys/sdt.h>
#define PROVIDER t
#define NAME(x) x
void f(int a, long b) {
	STAP_PROBEV(PROVIDER, NAME(none));
	STAP_PROBEV(t, two, a, b);
	STAP_PROBEV(t, twelve, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
	DTRACE_PROBE2(PROVIDER, NAME(macro), a, b);
}
"""
    pedantic = " -Wall -Wextra -Wpedantic -Werror"
    for compiler in ("gcc -std=c99" + pedantic, "gcc -std=gnu89",
                     "clang" + pedantic, "clang++ -xc++ -std=c++11" + pedantic,
                     "g++" + pedantic):
        found, _ = sdt_tool.compiled(tmp_path, text, *compiler.split())
        assert {name: len(note.args) for name, note in found.items()} == {
            "none": 0, "two": 2, "twelve": 12, "macro": 2}
        assert {note.provider for note in found.values()} == {"t"}


def test_disabled(tmp_path):
    """-DSDTKIT_DISABLE, and compilers without GNU C: arguments are evaluated,
    as without it."""
    text = """
#include <sys/sdt.h>
int n;
int next(void) { return ++n; }
int main(void)
{
	DTRACE_PROBE(t, a);
	DTRACE_PROBE2(t, b, next(), next());
	STAP_PROBEV(t, c, next());
	return n == 3 && !DTRACE_PROBE_ENABLED(t, a) ? 0 : 1;
}
"""
    for compiler in ["gcc", "tcc"]:
        if not which(compiler):
            continue
        sdt_tool.must([compiler, "-DSDTKIT_DISABLE", *sdt_tool.OURS,
                       sdt_tool.source(tmp_path, text), "-o", "p"], tmp_path)
        sdt_tool.must(["./p"], tmp_path)
        assert sdt_tool.notes(tmp_path / "p") == []
