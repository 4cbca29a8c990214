# SPDX-License-Identifier: BSD-2-Clause
"""What a tracer must read of each probe of form.d: the one table.

A row is a probe: what it is about, then its arguments at each hit. A number is
compared modulo 2**64, which is how tracers without types see it. TOLD is an
address, which the program tells when it runs; a string is what is at such an
address, and tracers that do not follow addresses must read the address.
"""

import struct

import tracers

TOLD = object()

SIX = [-128, -32768, -2**31, 255, 65535, 2**64 - 1]
COUNTED = [-1, -2, -3, -4, 5, 6, -7, 8, -9, 10, -11]
C, CXX = ("gcc", "clang"), ("g++", "clang++")


def floats(*values):
    """Their bits."""
    return list(struct.unpack("<%dI" % len(values),
                              struct.pack("<%df" % len(values), *values)))


def doubles(*values):
    return list(struct.unpack("<%dQ" % len(values),
                              struct.pack("<%dd" % len(values), *values)))


# probe: (what is passed, hits)
ROWS = {
    "parameter_signed": ("parameters, signed", [
        [-128, -32768, -2**31, -2**63, -5, -6]]),
    "parameter_unsigned": ("parameters, unsigned", [
        [255, 65535, 2**32 - 1, 2**64 - 1, 5, 6]]),
    "parameter_other": ("`char`, `signed char`, `unsigned char`, `bool`, "
                        "`enum`, `short`", [
                            [ord("z"), -2, 200, 1, -7, -3]]),
    "computed": ("computed locals", [SIX]),
    "constant_signed": ("constants, signed and `char`", [
        [-128, -2, -2**31, -2**63, -5, ord("A")]]),
    "constant_unsigned": ("constants, unsigned and `bool`", [
        [200, 0xfffe, 0xfffffffd, 2**64 - 1, 0, 1]]),
    "volatile_object": ("`volatile` objects", [SIX]),
    "const_object": ("`const` objects", [SIX]),
    "atomic_object": ("`_Atomic` objects, `std::atomic<>`", [SIX]),
    "global_variable": ("global variables and their members", [SIX]),
    "static_variable": ("static variables and their members", [SIX]),
    "function_static": ("a function's static variables", [SIX]),
    "thread_variable": ("thread-local variables", [SIX]),
    "member": ("members through a pointer", [SIX]),
    "bit_field": ("bit-fields", [[-4, 31, -0x8000000000, 0x1ffffffff, 1, 1]]),
    "element": ("elements, variable index", [SIX]),
    "pointer": ("pointers, functions, NULL", [[TOLD] * 5 + [0]]),
    "address": ("addresses of objects", [[TOLD] * 6]),
    "text": ("strings: literal, arrays", [
        ["bal", "local", "global", "static", "member", "literal"]]),
    "text_made": ("strings: heap, alloca, VLA, `__func__`", [
        ["heap", "stack", "variable", "literal", "pair", "texts_made"]]),
    "call": ("calls and expressions", [[-7, 7, 8, -9, -11, 16]]),
    "effects": ("evaluated exactly once", [[7, 8]]),
    "float_bits": ("`float`: its bits", [
        floats(1.5, 3.0, 0.1, 0.5, 1e30, -0.5)]),
    "double_bits": ("`double`: its bits", [
        doubles(-1.5, -3.0, 0.1, -0.5, -1e300, -0.25)]),
    "narrowed": ("converted to a narrower declared type", [
        [255, -56, 65520, 0x800001ff - 2**32, 1, 2**32 - 16]]),
    "widened": ("converted to a wider declared type", [
        [-8, 200, 2**32 - 1, -3, 2**64 - 16, 1]]),
    "recursive": ("in a recursive function", [[2], [1], [0]]),
    "variadic": ("in a variadic function", [[3, -6]]),
    "looped": ("in a loop that may be unrolled", [[0, 0], [1, 5], [2, 10]]),
    "inlined": ("in a function inlined three times", [
        [-3, -2, ord("x")], [-4, -5, ord("y")], [-9, -10, ord("z")]]),
    "frame": ("in a function with a VLA and alloca", [[9, -9, -2, 0xfefe]]),
    "live_bytes": ("many bytes at once", [[-15, 210, -18, 240, -12]]),
    "args0": ("no argument", [[]]),
    "args7": ("7 arguments", [COUNTED[:7]]),
    "args8": ("8 arguments", [COUNTED[:8]]),
    "args9": ("9 arguments", [COUNTED[:9]]),
    "args10": ("10 arguments", [COUNTED[:10]]),
    "args11": ("11 arguments", [COUNTED]),
    "args12": ("12 arguments, strings among them", [
        SIX[:3] + [-4] + SIX[3:5] + [2**31, 2**64 - 1, ord("A"), 1, 8,
                                     "twelfth"]]),
    "one_site": ("one site for four uses, 8 arguments", [
        [-128, 65535, -2**31, 2**64 - 1, "twelfth", 1, -7, 2**32 - 1]] * 4),
    "templated": ("C++: in a template, three types", [
        [-8], [65535], [-2**63]]),
    "lambda": ("C++: in a lambda, captured", [[-11, -12, 200]]),
    "object": ("C++: constructor, method, destructor", [
        [1, 65000], [2, 65003], [3, 65003]]),
    "caught": ("C++: in a catch clause", [[-2] + doubles(-2.0)]),
}
ONLY_CXX = {"templated", "lambda", "object", "caught"}


def expressions(probe):
    """What a tracer is asked for: each argument, strings by what is there."""
    return [tracers.Expression(index, isinstance(value, str), None)
            for index, value in enumerate(ROWS[probe][1][0])]


def wanted(compiler):
    """{probe: expressions} of what a program by this compiler has."""
    return {probe: expressions(probe) for probe in ROWS
            if compiler in CXX or probe not in ONLY_CXX}


def right(probe, hits, told, most):
    """How many arguments were read right at every hit, of the first ``most``;
    a probe without arguments counts as one that is right when it is hit."""
    rows = ROWS[probe][1]
    if len(hits) != len(rows):
        return 0
    if not rows[0]:
        return 1
    return sum(
        all(_same(row[i], hit[i] if i < len(hit) else None,
                  told.get((probe, i))) for row, hit in zip(rows, hits))
        for i in range(min(most, len(rows[0]))))


def count(probe, most):
    """What right() is at best."""
    return min(most, len(ROWS[probe][1][0])) or 1


def _same(value, read, address):
    if read is None:
        return False
    if isinstance(read, str):
        return read == value
    if value is TOLD or isinstance(value, str):
        value = address
    return (read - value) % 2**64 == 0
