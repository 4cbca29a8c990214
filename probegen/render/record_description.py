# SPDX-License-Identifier: BSD-2-Clause
"""The description of a record in .note.sdtkit, see sdtkit/describe.h.

For an argument `info_t *req` of provider smb2, whose record has 32 bytes:

    	SDTKIT_DESCRIBE_RECORD(smb2, info, 0x1f2e3d4c, "info_t *", "32",
    		SDTKIT_MEMBER("0", "u8", "uint64_t", "mid", "MessageId")
    		SDTKIT_MEMBER("8", "u2", "uint16_t", "peer.port", "")
    		SDTKIT_MEMBER("16", "a16", "char [16]", "peer.name", ""))

Readers take an argument for this record if it has exactly this type and
belongs to this provider. The number is a checksum of the description, so that
readers notice two files of a program with different descriptions.
"""

import binascii
import functools

from .. import model
from . import description, layout


def emit(probe):
    """Returns the statements that describe all records of a probe."""
    records = {arg.declared_type: arg.record
               for arg in probe.args if arg.record}
    macro, names = "SDTKIT_DESCRIBE_RECORD", [probe.provider]
    if probe.alias:
        macro, names = macro + "_ALIAS", names + [probe.alias]
    return "".join("\t%s(%s, %s)\n" % (
        macro, ", ".join(names), _record(
            record.name, ctype, record.size, tuple(
                _member(path, offset, field)
                for path, offset, field in model.leaves(record))))
        for ctype, record in records.items())


@functools.lru_cache(maxsize=None)
def _record(tag, ctype, size, members):
    """Returns what follows the names of the providers. Files have few records,
    so the texts are kept."""
    rows = "\n".join(_row([
        description.quote(offset), _spell(wire), description.quote(member),
        description.quote(name), description.quote(doc)])
                     for offset, wire, member, name, doc in members)
    text = "%s, %s,\n%s" % (description.quote(ctype),
                            description.quote(str(size)), rows)
    return "%s, %#010x,\n\t\t%s" % (
        tag, binascii.crc32(text.encode()) & 0xffffffff, text)


def _row(items):
    line = "\t\tSDTKIT_MEMBER(%s)" % ", ".join(items)
    if len(line.expandtabs(8)) <= layout.MACRO:
        return line
    return "\t\tSDTKIT_MEMBER(\n%s" % layout.wrap_list(
        items, "\t\t\t", ",", ")", layout.MACRO)


def _spell(wire):
    """Returns a wire type as a C string; plain char has the sign of the
    platform."""
    if not wire.startswith("?1"):
        return '"%s"' % wire
    return "SDTKIT_CHAR" + (' "%s"' % wire[2:] if wire[2:] else "")


def _member(path, offset, field):
    """Returns (offset, wire type, C type, name, comment)."""
    return (str(offset), _wire(field), field.arg.declared_type, ".".join(path),
            model.summary(field.arg.doc))


def _wire(field):
    if field.is_pointer:
        return field.type.wire
    if field.is_text:
        return "a%d" % field.size
    return "*".join([field.type.fixed_wire]
                    + [str(count) for count in field.sizes])
