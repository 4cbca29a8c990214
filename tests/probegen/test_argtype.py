# SPDX-License-Identifier: BSD-2-Clause
"""What a declaration becomes: a row of TYPES is an argument of a description,
the parameter in C, the member of a struct in C, its wire type, and how many
bits a script looks at."""

import pytest

from probegen_tool import codes
from test_goldens import USUAL, compile_header, run

assert codes()

from probegen import (      # noqa: E402  (the path of probegen is set now)
    argtype, diag, lexer, marshallers, parser, resolve, source)

TYPES = [
    ("uint16_t x", "uint16_t sdtkit_x", None, "u2", 16),
    ("pid_t x", "pid_t sdtkit_x", None, "s?", 32),
    ("dev_t x", "dev_t sdtkit_x", None, "u?", 64),
    ("char x", "char sdtkit_x", None, "?1", 64),
    ("signed char x", "signed char sdtkit_x", None, "s1", 8),
    ("float x", "float sdtkit_x", None, "f4", 32),
    ("enum e x", "int sdtkit_x", None, "s4", 32),
    ("string x", "const char *sdtkit_x", None, "z", 64),
    ("char x[16]", "const char *sdtkit_x", None, "z", 64),
    ("char **x", "char *const *sdtkit_x", None, "p", 64),
    ("volatile struct s *x", "const volatile struct s *sdtkit_x", None, "p",
     64),
    ("void (*x)(int)", "void (*sdtkit_x)(int)", None, "p", 64),
    ("void x(int)", "void sdtkit_x (int)", "void (*sdtkit_x)(int)", "p", 64),
    ("int ((x))(int)", "int ((sdtkit_x))(int)", "int (*sdtkit_x)(int)", "p",
     64),
    ("int (*(*x))(int)", "int (*(*sdtkit_x))(int)", "int (**sdtkit_x)(int)",
     "p", 64),
    ("int x[2][3]", "int sdtkit_x[2][3]", "const void *sdtkit_x", "p", 64),
    ("int (*x)[3]", "int (*sdtkit_x)[3]", None, "p", 64),
]


def resolved(declaration):
    """Returns the model.Arg of a declaration."""
    faults = diag.Diagnostics()
    text = source.Source("x.d", "provider p { probe q(%s); };" % declaration)
    tree = parser.parse(lexer.lex(text, faults), faults)
    model = resolve.resolve([tree], faults, "x.d")
    assert faults.render() == ""
    return model.providers[0].probes[0].args[0]


@pytest.mark.parametrize("declaration,parameter,member,wire,bits", TYPES)
def test_type(declaration, parameter, member, wire, bits):
    arg = resolved(declaration)
    assert arg.declaration == parameter
    assert arg.type.as_member().declare(arg.identifier) == (member
                                                          or parameter)
    assert (arg.type.wire, arg.type.bits) == (wire, bits)


def test_only_a_plain_pointer_has_a_tag():
    assert resolved("const struct s *x").type.tag == argtype.Tag("struct", "s")
    for other in "volatile struct s *x", "struct s **x", "void *x":
        assert resolved(other).type.tag is None


def test_floating_point_has_no_vector_register_as_bits():
    assert resolved("float x").type.as_bits().wire == "uw"
    assert resolved("double x").type.as_bits().wire == "u8"
    assert resolved("int x").type.as_bits() == resolved("int x").type


def test_no_text_is_made_of_floating_point():
    """A function out of line gets the bits of a floating-point number, and a
    marshaller would take them for the number itself."""
    for row in marshallers.MARSHALLERS.values():
        assert not row.is_out or not any(
            ctype.is_floating for _, ctype in row.inputs)


@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
def test_odd_declarators_beside_a_text(compiler, tmp_path):
    """A probe that fires out of line has them as members of a struct."""
    (tmp_path / "x.d").write_text(
        "provider x { probe y(sdtkit_counted_t n, void f(int), int (g)(int), "
        "int (*rows)[3], int sizes[2][3], float h, double d); };\n")
    result = run("-Wno-all", tmp_path / "x.d", "-o", tmp_path / "x.h")
    assert (result.returncode, result.stderr) == (0, "")
    (tmp_path / "use.h").write_text("""#include "x.h"
#ifndef USED
#define USED
void use(void f(int), int g(int), int (*rows)[3]);
void use(void f(int), int g(int), int (*rows)[3])
{
	X_Y("a", 1, f, g, rows, rows, 1.0f, 2.0);
}
#endif
""")
    compile_header(tmp_path / "use.h", compiler)
