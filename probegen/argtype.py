# SPDX-License-Identifier: BSD-2-Clause
"""The types of the values that a probe takes and shows.

    in the description      kind        in C, as a parameter
    uint16_t opcode         unsigned    uint16_t sdtkit_opcode
    char *who               pointer     const char *sdtkit_who
    struct stat *st         pointer     const struct stat *sdtkit_st
    void (*done)(int)       pointer     void (*sdtkit_done)(int)
    int sizes[2][3]         pointer     int sdtkit_sizes[2][3]

``arguments``, ``marshallers`` and ``translators`` make the types with the
functions below. Whoever needs to know something about a value asks its type,
and never looks into the text of a declaration.
"""

import re
from collections import namedtuple

from . import ctypes_table

# The shapes of a declaration
NUMBER = "number"       # a row of ctypes_table
POINTER = "pointer"     # TYPE *NAME
ARRAY = "array"         # as the description writes it, NAME[2][3]
WRITTEN = "written"     # as the description writes it, with a function in it
STRUCT = "struct"       # a record that is a member of another record
OPAQUE = "opaque"       # only the C program knows it; for drop-in headers

# What a pointer points to: "struct" or "union", and its name
Tag = namedtuple("Tag", "kind name")

# (NAME), and (*NAME) where another bracket follows, as in (*(*NAME))(int)
_OPENED, _CLOSED = re.compile(r"\(\s*\Z"), re.compile(r"\s*\)")
_STARS, _CLOSED_TWICE = re.compile(r"\((\*+\s*)\Z"), re.compile(
    r"\s*\)(?=\s*\))")


class Type(namedtuple("Type", "shape kind wire row before behind tag takes "
                      "marshaller record")):
    """The type of a value.

    kind, wire: see ctypes_table; wire is also "p" for an address, "z" for the
    address of a string, "" for OPAQUE
    row: the row of ctypes_table of a NUMBER, else None
    before, behind: the declaration in C, without the name in its middle
    tag: the Tag of the struct that a plain pointer points to, or None
    takes: what sdtkit calls the type that a macro takes for this one, or None
    marshaller: what makes the value of other parameters, or None
    record: the model.Record that a POINTER points to or a STRUCT is, or None
    """

    def declare(self, identifier):
        """`const char *sdtkit_who`"""
        return self.before + identifier + self.behind

    @property
    def spelling(self):
        """The type without a name: `const char *`"""
        return (self.before + self.behind).strip()

    def as_member(self):
        """The type that a struct has for a parameter of this type: to a
        function, an array and a function are pointers."""
        if self.shape not in (ARRAY, WRITTEN):
            return self
        before, behind = _without_brackets(self.before, self.behind)
        if self.shape == ARRAY:
            return pointer("void")
        if behind.lstrip().startswith("("):
            before, behind = before + "(*", ")" + behind.lstrip()
        return self._replace(before=before, behind=behind)

    def as_bits(self):
        """The type of an integer that holds the bits of this type; the type
        itself if it is not a floating-point one."""
        if not self.is_floating:
            return self
        return number(_FLOAT_BITS if self.kind == ctypes_table.FLOAT
                      else _DOUBLE_BITS)

    is_pointer = property(lambda self: self.kind == ctypes_table.POINTER)
    is_signed = property(lambda self: self.kind == ctypes_table.SIGNED)
    is_floating = property(lambda self: self.kind in (ctypes_table.FLOAT,
                                                      ctypes_table.DOUBLE))
    # char, which has the sign of the platform
    is_char = property(lambda self: self.wire == "?1")
    is_bool = property(lambda self: self.row is not None
                       and self.row.spelling == "bool")
    # the address of a string
    is_text = property(lambda self: self.wire == "z")
    # whether only the compiler knows the size
    is_sized_by_compiler = property(lambda self: self.wire[1:] == "?")
    # whether some machine needs more than one word for it
    may_exceed_word = property(lambda self: self.wire[1:] in ("8", "?"))
    # whether an array is a part of the type
    has_array = property(lambda self: "[" in self.behind)

    @property
    def compared_as(self):
        """What two values must have in common to be compared as the keys of a
        span; None if this one cannot be a key. A tracer compares registers,
        which a program widens by the sign of the type."""
        if self.record or self.is_text or self.kind not in (
                ctypes_table.POINTER, ctypes_table.SIGNED,
                ctypes_table.UNSIGNED):
            return None
        if self.is_pointer or self.bytes == 8:
            return 8, False
        return self.bytes, self.is_char or self.is_signed

    @property
    def bytes(self):
        """The size in a script, on a 64-bit machine."""
        return ctypes_table.script_bytes(self.row) if self.row else 8

    @property
    def bits(self):
        """How many bits a script has to look at. For `char` these are all of
        the register: the program widens it with the platform's sign."""
        return 64 if self.is_char else 8 * self.bytes

    @property
    def in_script(self):
        """The type as a script and a record spell it: it has the same size on
        every machine."""
        return ctypes_table.script_type(self.row) if self.row else (
            self.spelling)

    @property
    def fixed_wire(self):
        """The wire type of an integer in a record: `u8` for `uw`."""
        return self.wire if self.is_char else "%s%d" % (
            "s" if self.is_signed else "u", self.bytes)


def number(row):
    """The Type of a row of ctypes_table."""
    return Type(shape=NUMBER, kind=row.kind, wire=row.wire, row=row,
                before=row.spelling + " ", behind="", tag=None, takes=None,
                marshaller=None, record=None)


def named(name):
    """The Type of a number: `size_t`, `int`"""
    return number(ctypes_table.lookup([name]))


def pointer(target, depth=1, qualifiers=(), tag=None):
    """The Type of a pointer. Both C and C++ convert a pointer and a pointer to
    const to it: `char *` -> `const char *`, `char **` -> `char *const *`."""
    kept = [q for q in ("const", "volatile") if q in qualifiers]
    stars = "*" * (depth - 1) + "const *"
    if depth == 1:
        kept, stars = ["const"] + [q for q in kept if q != "const"], "*"
    before = " ".join(kept + [target, stars])
    plain = tag if depth == 1 and len(kept) == 1 else None
    return Type(shape=POINTER, kind=ctypes_table.POINTER,
                wire="z" if before == "const char *" else "p", row=None,
                before=before, behind="", tag=plain, takes=None,
                marshaller=None, record=None)


def pointer_to_struct(name):
    """The Type of a pointer to a struct: `const struct iovec *`"""
    return pointer("struct " + name, tag=Tag("struct", name))


def pointer_to_record(record):
    """The Type of a pointer to a record that a translator fills; record: None
    after a fault, which was reported."""
    return pointer("struct " + (record.name if record else ""))._replace(
        record=record)


def record_itself(record):
    """The Type of a member that is a record itself."""
    return opaque()._replace(shape=STRUCT, before="struct %s " % record.name,
                             record=record)


def written(before, behind):
    """The Type of a declarator with functions or arrays in it, which is
    repeated as the description writes it."""
    suffix = _without_brackets(before, behind)[1].lstrip()
    return Type(shape=ARRAY if suffix.startswith("[") else WRITTEN,
                kind=ctypes_table.POINTER, wire="p", row=None, before=before,
                behind=behind, tag=None, takes=None, marshaller=None,
                record=None)


def opaque():
    """The Type of what only the C program knows."""
    return Type(shape=OPAQUE, kind=ctypes_table.OPAQUE, wire="", row=None,
                before="", behind="", tag=None, takes=None, marshaller=None,
                record=None)


def _without_brackets(before, behind):
    """A declaration without brackets that change nothing, about which g++
    warns: `(NAME)(int)`, `*(*NAME))(int)`."""
    while True:
        opened, closed = _OPENED.search(before), _CLOSED.match(behind)
        stars, twice = _STARS.search(before), _CLOSED_TWICE.match(behind)
        if opened and closed:
            before, behind = before[:opened.start()], behind[closed.end():]
        elif stars and twice:
            before = before[:stars.start()] + stars[1]
            behind = behind[closed.end():]
        else:
            return before, behind


ENUM = named("int")
# any pointer to a socket address; what takes it is in sdtkit/arg-address.h
ANY_SOCKADDR = pointer("void")._replace(takes="sdtkit_any_sockaddr")
# what floating point is passed as where no vector register may be touched
_FLOAT_BITS = ctypes_table.lookup(["unsigned", "long"])
_DOUBLE_BITS = ctypes_table.lookup(["unsigned", "long", "long"])
