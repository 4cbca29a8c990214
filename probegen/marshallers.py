# SPDX-License-Identifier: BSD-2-Clause
"""Marshallers: types of arguments for which the site passes what it has, and a
function of sdtkit/arg.h makes what tracers read.

    sdtkit_sockaddr_t remote

in a description is, in the generated function, a parameter
`const void *sdtkit_remote`, and to tracers a `char *remote`.

To add a marshaller, touch five files:
- a row in _ROWS of this file
- include/sdtkit/arg-PART.h has the function, see SDTKIT_ARG_TEXT
- docs/arg.md has a row for it
- tests/arg/every.d declares a probe with it
- tests/arg/test_PART.c tests what the function makes

A new kind of input is one more argtype.Type, for which nothing else has to
change.
"""

from collections import namedtuple

from . import argtype

PREFIX = "sdtkit_"

# inputs: for each parameter, what follows the argument's name in that of the
#   parameter, and the parameter's Type
# made: the argtype.Type of what the function makes; declared_type: the type
#   that tracers see, as a description would spell it
# part: the header sdtkit/arg-PART.h has the function
# function: the name of the function; if is_text, FUNCTION_to() writes a text
# is_out: whether the function needs a call or a buffer. Then the probe fires
#   out of line, so that the code around it does not pay for them.
# what: what the reference says to people who write the program
Marshaller = namedtuple(
    "Marshaller", "name inputs made declared_type part function is_text "
    "is_out what")

_TEXT = argtype.pointer("char")
_ADDRESS = argtype.pointer("void")
_SIZE = argtype.named("size_t")
_MADE = {
    "text": _TEXT,
    "string": _TEXT,
    "signed": argtype.named("int64_t"),
    "unsigned": argtype.named("uint64_t"),
    "clock": argtype.named("uint64_t"),
}

_BYTES = [("", _ADDRESS), ("_length", _SIZE)]

# name without sdtkit_ and _t, part, key of _MADE, inputs, and what the
# reference says; nothing for one where the site passes what tracers see
_ROWS = [
    ("str", "str", "string", [("", _TEXT)], ""),
    ("counted", "bytes", "text", _BYTES,
     "a counted string; pass its address and its length"),
    ("printable", "bytes", "text", _BYTES,
     "bytes, '.' for each that is not printable; pass address and length"),
    ("hex", "bytes", "text", _BYTES,
     "bytes in hexadecimal; pass address and length"),
    ("utf16", "bytes", "text", _BYTES,
     "UTF-16LE as UTF-8; pass its address and its length in bytes"),
    ("sockaddr", "address", "text", [("", argtype.ANY_SOCKADDR)],
     "a socket address; pass a pointer to it"),
    ("sockaddr_len", "address", "text", [
        ("", argtype.ANY_SOCKADDR), ("_length", _SIZE)],
     "a socket address; pass a pointer to it and its length"),
    ("guid", "id", "text", [("", _ADDRESS)],
     "a GUID as Windows stores it; pass a pointer to its 16 bytes"),
    ("uuid", "id", "text", [("", _ADDRESS)],
     "a UUID as RFC 9562 stores it; pass a pointer to its 16 bytes"),
    ("sid", "id", "text", _BYTES,
     "a SID as on the wire; pass its address and its length"),
    ("ntstatus", "status", "text", [("", argtype.named("uint32_t"))],
     "the name of an NTSTATUS; pass its value"),
    ("errno", "name", "text", [("", argtype.named("int"))],
     "the name of an error number; pass the number"),
    ("flags", "name", "text", [
        ("", argtype.named("uint64_t")),
        ("_table", argtype.pointer_to_struct("sdtkit_flag"))],
     "the names of the bits that are set; pass the value and a table"),
    ("iov", "value", "unsigned", [
        ("", argtype.pointer_to_struct("iovec")), ("_count", _SIZE)],
     "bytes in a vector of buffers; pass the vector and its count"),
    ("timespec", "value", "signed", [
        ("", argtype.pointer_to_struct("timespec"))],
     "nanoseconds; pass a pointer to a struct timespec"),
    ("timeval", "value", "signed", [
        ("", argtype.pointer_to_struct("timeval"))],
     "nanoseconds; pass a pointer to a struct timeval"),
    ("nttime", "value", "signed", [("", argtype.named("uint64_t"))],
     "nanoseconds since 1970; pass an NTTIME"),
    ("milli", "value", "signed", [("", argtype.named("double"))],
     "thousandths, rounded; pass a double"),
    ("micro", "value", "signed", [("", argtype.named("double"))],
     "millionths, rounded; pass a double"),
    ("monotonic", "clock", "clock", [],
     "nanoseconds of CLOCK_MONOTONIC; pass nothing"),
    ("boottime", "clock", "clock", [],
     "nanoseconds of CLOCK_BOOTTIME; pass nothing"),
]


def _marshaller(name, part, makes, inputs, what):
    made = _MADE[makes]
    return Marshaller(
        name="%s%s_t" % (PREFIX, name), inputs=inputs, made=made,
        declared_type=made._replace(before="char *") if made.is_text else made,
        part=part, function="%sarg_%s" % (PREFIX, name),
        is_text=makes == "text", is_out=makes in ("text", "clock"), what=what)


MARSHALLERS = {row.name: row for row in (_marshaller(*row) for row in _ROWS)}


def passes_on(row):
    """Returns whether tracers read what the site passes; only NULL is
    replaced."""
    return row.name == "sdtkit_str_t"


def part(row):
    """Returns the header of sdtkit that declares the marshaller's function."""
    return "sdtkit/arg-%s.h" % row.part


def headers(row):
    """Returns the standard headers that the parameters need."""
    types = [ctype for _, ctype in row.inputs] + [row.made]
    return {ctype.row.header for ctype in types
            if ctype.row and ctype.row.header}


def tags(row):
    """Returns the Tags of the structs that the parameters point to."""
    return [ctype.tag for _, ctype in row.inputs if ctype.tag]


def call(row, identifiers):
    """Returns the expression that makes the value."""
    text = "%s(%s)" % (row.function, ", ".join(identifiers))
    # the line begins with tabs and the name of a macro
    return text if len(text) < 45 else text.replace(", ", ",\n\t\t\t\t")
