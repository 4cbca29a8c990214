# SPDX-License-Identifier: BSD-2-Clause
"""How a script reads an argument on the 64-bit machines (LP64) where scripts
run: `uint16_t opcode` is an unsigned number of 16 bits, `char *who` a string.

A header leaves sizes to the C compiler, which a script does not have. A plain
``char`` counts as 64 bits, so that it stays as the platform has widened it.
"""

from collections import namedtuple

from .. import ctypes_table

STRING = "string"
RECORD = "record"
TEXT = "text"       # an array of characters in a record
ARRAY = "array"     # an array of numbers in a record
POINTER = ctypes_table.POINTER
SIGNED = ctypes_table.SIGNED
UNSIGNED = ctypes_table.UNSIGNED

# form: one of the names above; bits: how many bits of the value count; note:
# what people who read the script must know, or ""
View = namedtuple("View", "form bits note")


def view(arg):
    """Returns the View of a model.Arg."""
    if arg.record:
        return View(RECORD, 64, "")
    ctype = arg.type
    if ctype.is_pointer:
        return View(STRING if ctype.is_text else POINTER, 64, "")
    if ctype.is_floating:
        return View(UNSIGNED, ctype.bits, "the bits of a " + ctype.spelling)
    return View(ctype.kind, ctype.bits, "")


def member(field):
    """Returns the View of a model.Field; of an array, its bits are those of an
    address."""
    if field.is_text:
        return View(TEXT, 8, "")
    if field.sizes:
        return View(ARRAY, 64, field.arg.declared_type)
    return view(field.arg)


def systemtap(arg, index):
    """Returns an argument of a clause of SystemTap, with its declared type."""
    form, bits, _ = view(arg)
    value = "$arg%d" % (index + 1)
    if form == STRING:
        return 'user_string2(%s, "")' % value
    if form == UNSIGNED and bits < 64:
        return "%s & 0x%x" % (value, (1 << bits) - 1)
    if form == SIGNED and bits < 64:
        return "(%s << %d) >> %d" % (value, 64 - bits, 64 - bits)
    return value


def fixed(kind, size):
    """unsigned, 16 -> uint16_t"""
    return "%sint%d_t" % ("" if kind == SIGNED else "u", size)
