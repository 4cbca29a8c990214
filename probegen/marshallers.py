# SPDX-License-Identifier: BSD-2-Clause
"""The argument types that name a marshaller: the site passes what it has, a
function of sdtkit/arg.h makes of it what tracers read.

    sdtkit_sockaddr_t remote

in a description is, in the generated function, a parameter
`sdtkit_any_sockaddr sdtkit_remote`, and to tracers a `char *remote`. To add
one: a row here, the function in sdtkit/arg*.h, a line in docs/arg.md.
"""

from collections import namedtuple

from . import ctypes_table

PREFIX = "sdtkit_"

# inputs: what the site passes, (what follows the argument's name, type)
# made: the type that tracers see, with kind and wire as in ctypes_table
# function: of sdtkit/arg.h; with is_text, FUNCTION_to() writes a text
# is_out: whether it needs a call or a buffer, neither of which the code around
#   a probe should pay for
Marshaller = namedtuple(
    "Marshaller", "name inputs made kind wire function is_text is_out what")

_MADE = {
    "text": ("char *", ctypes_table.POINTER, "z"),
    "string": ("char *", ctypes_table.POINTER, "z"),
    "signed": ("int64_t", ctypes_table.SIGNED, "s8"),
    "unsigned": ("uint64_t", ctypes_table.UNSIGNED, "u8"),
    "clock": ("uint64_t", ctypes_table.UNSIGNED, "u8"),
}

_BYTES = [("", "const void *"), ("_length", "size_t")]

# name without sdtkit_ and _t, what it makes, inputs, and what the reference
# says of it, nothing where the site passes what tracers see
_ROWS = [
    ("str", "string", [("", "const char *")], ""),
    ("counted", "text", _BYTES,
     "a counted string; pass its address and its length"),
    ("printable", "text", _BYTES,
     "bytes, '.' for each that is not printable; pass address and length"),
    ("hex", "text", _BYTES,
     "bytes in hexadecimal; pass address and length"),
    ("utf16", "text", _BYTES,
     "UTF-16LE as UTF-8; pass its address and its length in bytes"),
    ("sockaddr", "text", [("", "sdtkit_any_sockaddr")],
     "a socket address; pass a pointer to it"),
    ("sockaddr_len", "text", [("", "sdtkit_any_sockaddr"),
                              ("_length", "size_t")],
     "a socket address; pass a pointer to it and its length"),
    ("guid", "text", [("", "const void *")],
     "a GUID as Windows stores it; pass a pointer to its 16 bytes"),
    ("uuid", "text", [("", "const void *")],
     "a UUID as RFC 9562 stores it; pass a pointer to its 16 bytes"),
    ("sid", "text", _BYTES,
     "a SID as on the wire; pass its address and its length"),
    ("ntstatus", "text", [("", "uint32_t")],
     "the name of an NTSTATUS; pass its value"),
    ("errno", "text", [("", "int")],
     "the name of an error number; pass the number"),
    ("flags", "text", [("", "uint64_t"),
                       ("_table", "const struct sdtkit_flag *")],
     "the names of the bits that are set; pass the value and a table"),
    ("iov", "unsigned", [("", "const struct iovec *"), ("_count", "size_t")],
     "bytes in a vector of buffers; pass the vector and its count"),
    ("timespec", "signed", [("", "const struct timespec *")],
     "nanoseconds; pass a pointer to a struct timespec"),
    ("timeval", "signed", [("", "const struct timeval *")],
     "nanoseconds; pass a pointer to a struct timeval"),
    ("nttime", "signed", [("", "uint64_t")],
     "nanoseconds since 1970; pass an NTTIME"),
    ("milli", "signed", [("", "double")],
     "thousandths, rounded; pass a double"),
    ("micro", "signed", [("", "double")],
     "millionths, rounded; pass a double"),
    ("monotonic", "clock", [],
     "nanoseconds of CLOCK_MONOTONIC; pass nothing"),
    ("boottime", "clock", [],
     "nanoseconds of CLOCK_BOOTTIME; pass nothing"),
]


def _marshaller(name, made, inputs, what):
    ctype, kind, wire = _MADE[made]
    return Marshaller(
        "%s%s_t" % (PREFIX, name), inputs, ctype, kind, wire,
        "%sarg_%s" % (PREFIX, name), made == "text", made in ("text", "clock"),
        what)


# which of sdtkit's headers has the functions, sdtkit/arg-value.h has the rest
_PARTS = {
    "address": ("sockaddr", "sockaddr_len"),
    "bytes": ("counted", "printable", "hex", "utf16"),
    "clock": ("monotonic", "boottime"),
    "id": ("guid", "uuid", "sid"),
    "name": ("errno", "flags"),
    "status": ("ntstatus",),
}
_PART_OF = {"%s%s_t" % (PREFIX, name): part
            for part, names in _PARTS.items() for name in names}

MARSHALLERS = {row.name: row for row in (_marshaller(*row) for row in _ROWS)}

_HEADERS = {"size_t": "stddef.h", "uint32_t": "stdint.h",
            "uint64_t": "stdint.h", "int64_t": "stdint.h"}


def passes_on(row):
    """Whether what the site passes is, but for NULL, what tracers read."""
    return row.name == "sdtkit_str_t"


def part(row):
    """The header of sdtkit that declares what a marshaller calls."""
    return "sdtkit/arg-%s.h" % _PART_OF.get(row.name, "value")


def headers(row):
    """The standard headers that its parameters need."""
    types = [ctype for _, ctype in row.inputs] + [row.made]
    return {_HEADERS[ctype] for ctype in types if ctype in _HEADERS}


def tags(row):
    """`struct iovec`, as a parameter points to one."""
    return [ctype[len("const "):-len(" *")] for _, ctype in row.inputs
            if ctype.startswith("const struct ")]


def call(row, identifiers):
    """The expression that makes the value."""
    text = "%s(%s)" % (row.function, ", ".join(identifiers))
    # it stands behind tabs and a macro
    return text if len(text) < 45 else text.replace(", ", ",\n\t\t\t\t")


def standard(declaration):
    """A parameter as a header can spell it that has nothing of sdtkit."""
    return declaration.replace("sdtkit_any_sockaddr ", "const void *")
