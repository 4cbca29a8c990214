# SPDX-License-Identifier: BSD-2-Clause
"""The closed table of C types that an argument can have.

A row has
- the kind: how a value is widened to a register (UNSIGNED, SIGNED)
- the wire type (docs/format.md): `u2` is unsigned and has two bytes, `sw` is a
  signed machine word
- the standard header that declares the name

What differs between platforms is left to the C compiler: `u?` is unsigned and
has a size that only the compiler knows (``dev_t``), and `?1` is ``char``,
whose sign the platform decides.
"""

import re
from collections import namedtuple

UNSIGNED = "unsigned"
SIGNED = "signed"
POINTER = "pointer"
FLOAT = "float"         # handed over as the bits of its representation
DOUBLE = "double"       # the same
OPAQUE = "opaque"       # known to the C program only; for drop-in headers

Row = namedtuple("Row", "spelling kind wire header")

_ROWS = """
    bool                unsigned    u1  stdbool.h
    int8_t              signed      s1  stdint.h
    int16_t             signed      s2  stdint.h
    int32_t             signed      s4  stdint.h
    int64_t             signed      s8  stdint.h
    intmax_t            signed      s8  stdint.h
    intptr_t            signed      sw  stdint.h
    uint8_t             unsigned    u1  stdint.h
    uint16_t            unsigned    u2  stdint.h
    uint32_t            unsigned    u4  stdint.h
    uint64_t            unsigned    u8  stdint.h
    uintmax_t           unsigned    u8  stdint.h
    uintptr_t           unsigned    uw  stdint.h
    ptrdiff_t           signed      sw  stddef.h
    size_t              unsigned    uw  stddef.h
    dev_t               unsigned    u?  sys/types.h
    gid_t               unsigned    u?  sys/types.h
    id_t                unsigned    u?  sys/types.h
    ino_t               unsigned    u?  sys/types.h
    mode_t              unsigned    u?  sys/types.h
    nlink_t             unsigned    u?  sys/types.h
    off_t               signed      s?  sys/types.h
    pid_t               signed      s?  sys/types.h
    ssize_t             signed      sw  sys/types.h
    time_t              signed      s?  sys/types.h
    uid_t               unsigned    u?  sys/types.h
    u_char              unsigned    u1  sys/types.h
    u_short             unsigned    u2  sys/types.h
    u_int               unsigned    u4  sys/types.h
    u_long              unsigned    uw  sys/types.h
"""

NAMED = {}
for _line in _ROWS.split("\n"):
    if _line:
        NAMED[_line.split()[0]] = Row(*_line.split())

BASIC_WORDS = frozenset((
    "void", "char", "short", "int", "long", "signed", "unsigned", "_Bool",
    "float", "double", "__signed__", "_Complex", "__int128"))

# sorted words of a type, without an "int" that changes nothing
# -> spelling, kind, wire
_BASIC = {
    ("char",): ("char", SIGNED, "?1"),
    ("char", "signed"): ("signed char", SIGNED, "s1"),
    ("char", "unsigned"): ("unsigned char", UNSIGNED, "u1"),
    ("short",): ("short", SIGNED, "s2"),
    ("short", "unsigned"): ("unsigned short", UNSIGNED, "u2"),
    ("int",): ("int", SIGNED, "s4"),
    ("unsigned",): ("unsigned int", UNSIGNED, "u4"),
    ("long",): ("long", SIGNED, "sw"),
    ("long", "unsigned"): ("unsigned long", UNSIGNED, "uw"),
    ("long", "long"): ("long long", SIGNED, "s8"),
    ("long", "long", "unsigned"): ("unsigned long long", UNSIGNED, "u8"),
    ("float",): ("float", FLOAT, "f4"),
    ("double",): ("double", DOUBLE, "f8"),
}


def _key(words):
    rest = sorted("signed" if word == "__signed__" else word
                  for word in words if word != "int")
    if "char" not in rest and "signed" in rest:
        rest.remove("signed")
    return tuple(rest) or ("int",)


# Bytes of the `u?` and `s?` types on 64-bit Linux, where scripts run; 8 for
# types that are missing here.
_SCRIPT_BYTES = {"gid_t": 4, "id_t": 4, "mode_t": 4, "pid_t": 4, "uid_t": 4}


def script_bytes(row):
    """Returns the size in bytes that scripts assume for a type of the table.
    """
    if row.wire[1] == "?":
        return _SCRIPT_BYTES.get(row.spelling, 8)
    return 8 if row.wire[1] == "w" else int(row.wire[1])


_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long long"}


def script_type(row):
    """Returns a type of C that has the size script_bytes() on every machine.
    bpftrace knows uint32_t only where kernel headers happen to declare it."""
    if row.wire == "?1" or row.kind in (FLOAT, DOUBLE):
        return row.spelling
    size = script_bytes(row)
    if row.kind == UNSIGNED:
        return "unsigned " + _INTEGERS[size]
    return "signed char" if size == 1 else _INTEGERS[size]


def lookup(words):
    """Returns the row for the words of a type, or None if the table does not
    have the type."""
    if words[0] not in BASIC_WORDS:
        return NAMED.get(words[0])
    if list(words) == ["_Bool"]:
        return NAMED["bool"]
    if "int" in words and set(words) & {"char", "double", "float"}:
        return None
    found = _BASIC.get(_key(words))
    return Row(*(found + (None,))) if found else None


_INTEGER = re.compile(r"_*([us]?)(?:_?int|i)?_?(8|16|32|64)(?:_?t)?", re.I)


def meant(word):
    """Returns the type that an unknown one may stand for, `uint32_t` for
    `uint32`, `u32` and `__uint32_t`; None if it looks like none of these."""
    found = _INTEGER.fullmatch(word)
    if not found:
        return None
    return "%sint%s_t" % ("u" if found[1] in ("u", "U") else "", found[2])


def is_known_word(word):
    """Returns whether C or the table has a type that begins with ``word``."""
    return word in BASIC_WORDS or word in NAMED or word in (
        "struct", "union", "enum", "string")
