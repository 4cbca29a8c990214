# SPDX-License-Identifier: BSD-2-Clause
"""The description of an enum in .note.sdtkit, see sdtkit/describe.h.

For arguments `enum kind k` and `uint16_t opcode` of provider smb2, where a
pragma gives the names of `enum kind` to `opcode`, once before the probes

    #define SDTKIT_NAMES_kind_1f2e3d4c \\
    	SDTKIT_NAMED("enum kind", "") \\
    	SDTKIT_NAMED("uint16_t", "opcode") \\
    	SDTKIT_ENUMERATOR("0", "FILE") \\
    	SDTKIT_ENUMERATOR("1", "PIPE")

and in the macro of each probe that has such an argument

    	SDTKIT_DESCRIBE_ENUM(smb2, "kind", 0x1f2e3d4c, "2",
    		SDTKIT_NAMES_kind_1f2e3d4c)

The number is a checksum of the text, so that readers notice two files of a
program with different descriptions.
"""

import binascii
from collections import namedtuple

from .. import model as models
from . import description, layout

# name: that of the enum; checksum: 8 digits; rows: how many types and names
# there are; text: the definition behind the name of its macro
_Described = namedtuple("_Described", "name checksum rows text")


def describe(provider):
    """Returns a dict: model.Enum that arguments of a provider have -> what
    emit() needs of it."""
    rows = {}
    for probe in provider.probes:
        for arg in _named(probe):
            row = arg.declared_type, arg.name if arg.is_enum_by_name else ""
            rows.setdefault(arg.enum, {})[row] = True
    return {enum: _described(enum, list(rows[enum])) for enum in rows}


def define(enums):
    """Returns the macros with the names of all enums that describe() found."""
    return "".join("\n#define %s \\\n%s\n" % (_macro(each), each.text)
                   for each in enums.values())


def emit(probe, enums):
    """Returns the statements that describe all enums of a probe."""
    macro, names = "SDTKIT_DESCRIBE_ENUM", [probe.provider]
    if probe.alias:
        macro, names = macro + "_ALIAS", names + [probe.alias]
    found = {arg.enum: enums[arg.enum] for arg in _named(probe)}
    return "".join('\t%s(%s, %s, 0x%s, "%d",\n\t\t%s)\n' % (
        macro, ", ".join(names), description.quote(each.name), each.checksum,
        each.rows, _macro(each)) for each in found.values())


def _named(probe):
    """Yields the arguments of a probe that have an enum, and the members of
    its records."""
    for arg in probe.args:
        if arg.enum:
            yield arg
        for _, _, field in models.leaves(arg.record) if arg.record else ():
            if field.arg.enum:
                yield field.arg


def _described(enum, rows):
    lines = ["SDTKIT_NAMED(%s, %s)" % tuple(map(description.quote, row))
             for row in rows]
    lines += ["SDTKIT_ENUMERATOR(%s, %s)" % (
        description.quote(str(number)), description.quote(name))
        for (name, _), number in zip(enum.values, enum.numbers)]
    text = layout.wrap_list(lines, "\t", "", "", layout.MACRO).replace(
        "\n", " \\\n")
    return _Described(enum.name, "%08x" % (
        binascii.crc32(text.encode()) & 0xffffffff), len(rows), text)


def _macro(described):
    return "SDTKIT_NAMES_%s_%s" % (described.name, described.checksum)
