# SPDX-License-Identifier: BSD-2-Clause
"""What docs/language.md says of C++ under "C++"; that temporaries live:
test_temporaries.py."""

import re
import subprocess
import sys

import pytest

import probe_tool

DESCRIPTION = """
struct Client;
enum color { RED };
typedef struct { int fd; string name; } info_t;
translator info_t < struct Client *C > { fd = C->fd; name = C->name; };
typedef struct { char name[16]; } text_t;
translator text_t < struct Named *N > { name = N->name; };
typedef struct { uint8_t id[4]; } id_t_;
translator id_t_ < struct Array *A > { id = A->id; };
provider srv {
	probe text(sdtkit_str_t s);
	probe bytes(sdtkit_counted_t s);
	probe object(struct Client *c);
	probe any(void *c);
	probe kind(enum color c);
	probe record(struct Client *c) : (info_t *c);
	probe named(struct Named *n) : (text_t *n);
	probe array(struct Array *a) : (id_t_ *a);
};
"""
PROGRAM = """
#include <array>
#include <memory>
#include <string>
#include "srv.h"
class Client {
	const char *name = "";
public:
	int fd = 3;
	void member() { SRV_RECORD(this); SRV_OBJECT(this); }
	friend void a_friend(Client *c);
};
struct Named { std::string name; };
struct Array { std::array<unsigned char, 4> id; };
namespace net { class Peer { public: int x; }; }
enum class Kind { Red };
std::string make();
%s
"""
RIGHT = """
void a_friend(Client *c) { SRV_RECORD(c); }
void text(const std::string &s)
{
	SRV_TEXT(s.c_str()); SRV_TEXT((s + make()).c_str());
	SRV_BYTES(s.data(), s.size());
}
void object(Client &c, std::unique_ptr<Client> p, net::Peer *peer)
{
	SRV_OBJECT(&c); SRV_OBJECT(p.get()); SRV_ANY(peer);
	auto lambda = [&] { SRV_OBJECT(&c); };
	lambda();
}
void kind(Kind k) { SRV_KIND((int)k); }
template <class T> void one(T x) { SRV_TEXT(x); }
template <class... T> void many(T... x) { int a[] = {(one(x), 0)...}; (void)a; }
void all() { many("a", "b"); }
struct Holder { int x; Holder() : x((SRV_TEXT("a"), 3)) { } };
int held() { return Holder().x; }
"""
WRONG = {
    "string": "void f(std::string s) { SRV_TEXT(s); }",
    "reference": "void f(Client &c) { SRV_OBJECT(c); }",
    "smart-pointer": "void f(std::unique_ptr<Client> p) { SRV_OBJECT(p); }",
    "namespace": "void f(net::Peer *p) { SRV_OBJECT(p); }",
    "enum-class": "void f(Kind k) { SRV_KIND(k); }",
    "private": "void f(Client *c) { SRV_RECORD(c); }",
    "string-in-translator": "void f(Named *n) { SRV_NAMED(n); }",
    "array-in-translator": "void f(Array *a) { SRV_ARRAY(a); }",
    "constexpr": "constexpr int f(int x) { SRV_TEXT(\"\"); return x; }\n"
                 "constexpr int g = f(1);",
    "initialiser": "struct S { int a = (SRV_TEXT(\"\"), 3); };\n"
                   "int f() { return S().a; }",
    "default-argument": "int f(int x = (SRV_TEXT(\"\"), 3)) { return x; }\n"
                        "int g() { return f(); }",
    "file-scope": "int a = (SRV_TEXT(\"\"), 3);",
}
COMPILERS = ["g++ -std=c++14", "clang++ -std=c++17"]


def compiled(folder, compiler, text, *flags):
    (folder / "srv.d").write_text(DESCRIPTION)
    probe_tool.generate_file(folder / "srv.d")
    return subprocess.run(
        [*compiler.split(), *flags, "-I", folder, "-I",
         probe_tool.SOURCE / "include", "-fsyntax-only", "-xc++", "-"],
        input=PROGRAM % text, text=True, stderr=subprocess.PIPE)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_works(compiler, tmp_path):
    run = compiled(tmp_path, compiler, RIGHT, "-Wall", "-Wextra", "-Werror",
                   "-Wno-mismatched-tags")
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_does_not(compiler, tmp_path):
    """Each case has a file name of its own, and each of these an error."""
    limit = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    run = compiled(tmp_path, compiler, "".join(
        '#line 1 "%s.case"\nnamespace case_%d {\n%s\n}\n' % (name, i, text)
        for i, (name, text) in enumerate(WRONG.items())), "-w", limit)
    assert run.returncode != 0
    found = set(re.findall(r"^(?:In file included from )?([\w-]+)\.case:\d+",
                           run.stderr, re.M))
    assert found == set(WRONG)


@pytest.mark.parametrize("text,warns", [
    ("", True), ('#pragma clang diagnostic ignored "-Wmismatched-tags"\n',
                 False)])
def test_a_class_that_is_declared_as_a_struct(text, warns, tmp_path):
    (tmp_path / "srv.d").write_text(DESCRIPTION)
    probe_tool.generate_file(tmp_path / "srv.d")
    run = subprocess.run(
        ["clang++", "-Wall", "-I", tmp_path, "-I",
         probe_tool.SOURCE / "include", "-fsyntax-only", "-xc++", "-"],
        input=text + PROGRAM % "", text=True, stderr=subprocess.PIPE)
    assert run.returncode == 0
    assert ("-Wmismatched-tags" in run.stderr) == warns


def test_a_pack_expansion(tmp_path):
    """clang refuses it; gcc takes it."""
    text = ("template <class... T> void f(T... x) "
            "{ int a[] = {(SRV_TEXT(x), 0)...}; (void)a; }\n"
            "void g() { f(\"a\", \"b\"); }")
    assert compiled(tmp_path, "clang++", text, "-w").returncode != 0


@pytest.mark.parametrize("value", ["C->get()", "C->name.size()", "get(C)"])
def test_no_calls_in_translators(value, tmp_path):
    path = tmp_path / "x.d"
    path.write_text("typedef struct { int fd; } info_t;\ntranslator info_t "
                    "< struct Client *C > { fd = %s; };\nprovider srv { probe "
                    "event(struct Client *c) : (info_t *c); };\n" % value)
    run = subprocess.run([sys.executable, probe_tool.SOURCE / "probegen", path,
                          "-o", "-"], text=True, capture_output=True)
    assert run.returncode == 1 and "NOT_TRANSLATABLE" in run.stderr
