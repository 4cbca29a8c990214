# SPDX-License-Identifier: BSD-2-Clause
"""What a script has to make of an argument, on the 64-bit machines (LP64) where
scripts run: `uint16_t opcode` is unsigned, of 16 bits; `char *who` a string.

A header leaves sizes to the C compiler; a script has none. Plain ``char``
counts as 64 bits, which leaves it as the platform widened it.
"""

from collections import namedtuple

from .. import ctypes_table, names

STRING = "string"
RECORD = "record"
TEXT = "text"       # characters that lie in a record
ARRAY = "array"     # of numbers, there too
POINTER = ctypes_table.POINTER
SIGNED = ctypes_table.SIGNED
UNSIGNED = ctypes_table.UNSIGNED

# bits: of a number, as a tracer gets it; note: what its reader must know
View = namedtuple("View", "form bits note")

# types of fewer than 64 bits
_NARROW = """
    8   int8_t, uint8_t, bool, u_char, signed char, unsigned char
    16  int16_t, uint16_t, u_short, short, unsigned short
    32  int32_t, uint32_t, u_int, int, unsigned int, float
    32  pid_t, uid_t, gid_t, id_t, mode_t
"""
_BITS = {name: int(line.split()[0])
         for line in _NARROW.strip().split("\n")
         for name in line.split(None, 1)[1].split(", ")}


def view(arg):
    """The View of a model.Arg."""
    if arg.record:
        return View(RECORD, 64, "")
    ctype = names.without(arg.declaration, arg.identifier)
    if arg.kind == POINTER:
        return View(STRING if ctype == "const char *" else POINTER, 64, "")
    if arg.kind in (ctypes_table.FLOAT, ctypes_table.DOUBLE):
        return View(UNSIGNED, bits(ctype), "the bits of a " + ctype)
    return View(arg.kind, bits(ctype), "")


def member(field):
    """The View of a model.Field; of an array, that of an element in its
    bits."""
    if field.is_text:
        return View(TEXT, 8, "")
    if field.sizes:
        return View(ARRAY, 64, field.arg.type)
    return view(field.arg)


def bits(ctype):
    """The size of a type of numbers, spelled as in ctypes_table."""
    return _BITS.get(ctype, 64)


def fixed(kind, size):
    """unsigned, 16 -> uint16_t"""
    return "%sint%d_t" % ("" if kind == SIGNED else "u", size)
