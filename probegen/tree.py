# SPDX-License-Identifier: BSD-2-Clause
"""A provider description as written: no meaning yet, every node with its place
(offsets ``start`` and ``end`` into the source's text)."""

from collections import namedtuple

File = namedtuple("File", "source providers")

# doc: the lines of the comment that describes the thing, or []
Provider = namedtuple("Provider", "name doc probes start end")
Probe = namedtuple("Probe", "name doc params start end")

# words: the type's words without qualifiers ("unsigned", "int"), or the tag
#   with its keyword ("struct", "stat")
# qualifiers: those of the type itself ("const" in `const char *p`)
# pointers: one tuple of qualifiers for each `*`; an array counts as a pointer
# name: None where the parameter has none
# type_end, name_start: ends of the two parts
Param = namedtuple(
    "Param", "words qualifiers pointers name doc start end type_end name_start")
