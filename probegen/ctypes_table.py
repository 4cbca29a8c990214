# SPDX-License-Identifier: BSD-2-Clause
"""The closed table of C types that an argument can have.

A row says how a value is widened to a register (UNSIGNED, SIGNED) and which
standard header declares the name. What the C standard leaves to the platform
(``long``, ``size_t``, ``time_t``) is left to the C compiler: no size is stated
here. Plain ``char`` widens as the platform's char does.
"""

from collections import namedtuple

UNSIGNED = "unsigned"
SIGNED = "signed"
POINTER = "pointer"
FLOAT = "float"         # as the bits of its representation
DOUBLE = "double"
OPAQUE = "opaque"       # known to the C program only; drop-in headers

Row = namedtuple("Row", "spelling kind header")

_ROWS = """
    bool                unsigned    stdbool.h
    int8_t              signed      stdint.h
    int16_t             signed      stdint.h
    int32_t             signed      stdint.h
    int64_t             signed      stdint.h
    intmax_t            signed      stdint.h
    intptr_t            signed      stdint.h
    uint8_t             unsigned    stdint.h
    uint16_t            unsigned    stdint.h
    uint32_t            unsigned    stdint.h
    uint64_t            unsigned    stdint.h
    uintmax_t           unsigned    stdint.h
    uintptr_t           unsigned    stdint.h
    ptrdiff_t           signed      stddef.h
    size_t              unsigned    stddef.h
    dev_t               unsigned    sys/types.h
    gid_t               unsigned    sys/types.h
    id_t                unsigned    sys/types.h
    ino_t               unsigned    sys/types.h
    mode_t              unsigned    sys/types.h
    nlink_t             unsigned    sys/types.h
    off_t               signed      sys/types.h
    pid_t               signed      sys/types.h
    ssize_t             signed      sys/types.h
    time_t              signed      sys/types.h
    uid_t               unsigned    sys/types.h
    u_char              unsigned    sys/types.h
    u_short             unsigned    sys/types.h
    u_int               unsigned    sys/types.h
    u_long              unsigned    sys/types.h
"""

NAMED = {}
for _line in _ROWS.split("\n"):
    if _line:
        NAMED[_line.split()[0]] = Row(*_line.split())

BASIC_WORDS = frozenset((
    "void", "char", "short", "int", "long", "signed", "unsigned", "_Bool",
    "float", "double", "__signed__", "_Complex", "__int128"))

# sorted words without "int" where another word says enough -> spelling, kind
_BASIC = {
    ("char",): ("char", SIGNED),
    ("char", "signed"): ("signed char", SIGNED),
    ("char", "unsigned"): ("unsigned char", UNSIGNED),
    ("short",): ("short", SIGNED),
    ("short", "unsigned"): ("unsigned short", UNSIGNED),
    ("int",): ("int", SIGNED),
    ("unsigned",): ("unsigned int", UNSIGNED),
    ("long",): ("long", SIGNED),
    ("long", "unsigned"): ("unsigned long", UNSIGNED),
    ("long", "long"): ("long long", SIGNED),
    ("long", "long", "unsigned"): ("unsigned long long", UNSIGNED),
    ("float",): ("float", FLOAT),
    ("double",): ("double", DOUBLE),
}


def _key(words):
    rest = sorted("signed" if word == "__signed__" else word
                  for word in words if word != "int")
    if "char" not in rest and "signed" in rest:
        rest.remove("signed")
    return tuple(rest) or ("int",)


def lookup(words):
    """The row for a type's words, None for one that is not in the table."""
    if words[0] not in BASIC_WORDS:
        return NAMED.get(words[0])
    if list(words) == ["_Bool"]:
        return NAMED["bool"]
    if "int" in words and set(words) & {"char", "double", "float"}:
        return None
    found = _BASIC.get(_key(words))
    return Row(found[0], found[1], None) if found else None


def is_known_word(word):
    """Whether C or the table knows the type that begins with ``word``."""
    return word in BASIC_WORDS or word in NAMED or word in (
        "struct", "union", "enum", "string")
