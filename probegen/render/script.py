# SPDX-License-Identifier: BSD-2-Clause
"""What a script has to make of an argument, on the 64-bit machines (LP64) where
scripts run: `uint16_t opcode` is unsigned, of 16 bits; `char *who` a string.

A header leaves sizes to the C compiler; a script has none. Plain ``char``
counts as 64 bits, which leaves it as the platform widened it.
"""

from collections import namedtuple

from .. import ctypes_table

STRING = "string"
RECORD = "record"
TEXT = "text"       # characters that lie in a record
ARRAY = "array"     # of numbers, there too
POINTER = ctypes_table.POINTER
SIGNED = ctypes_table.SIGNED
UNSIGNED = ctypes_table.UNSIGNED

# bits: of a number, as a tracer gets it; note: what its reader must know
View = namedtuple("View", "form bits note")


def view(arg):
    """The View of a model.Arg."""
    if arg.record:
        return View(RECORD, 64, "")
    ctype = arg.type
    if ctype.is_pointer:
        return View(STRING if ctype.is_text else POINTER, 64, "")
    if ctype.is_floating:
        return View(UNSIGNED, ctype.bits, "the bits of a " + ctype.spelling)
    return View(ctype.kind, ctype.bits, "")


def member(field):
    """The View of a model.Field; of an array, that of an element in its
    bits."""
    if field.is_text:
        return View(TEXT, 8, "")
    if field.sizes:
        return View(ARRAY, 64, field.arg.stated)
    return view(field.arg)


def fixed(kind, size):
    """unsigned, 16 -> uint16_t"""
    return "%sint%d_t" % ("" if kind == SIGNED else "u", size)
