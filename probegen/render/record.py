# SPDX-License-Identifier: BSD-2-Clause
"""C for probes that carry records, see ``translators``.

For `probe done(struct req *req) : (info_t *req);`, whose translator says
`mid = R->mid;`, in provider smb2:

    struct info {
    	SDTKIT_RECORD_8(unsigned long long, mid);
    };
and in the macro, before the site:

    SDTKIT_RECORD(info, sdtkit_0)
    SDTKIT_RECORD_SET(sdtkit_0, mid,
    	sdtkit_in.sdtkit_req->mid)

sdtkit/record.h explains the macros.
"""

import binascii
import textwrap

from . import layout


def define(record):
    """Returns the definition of the struct. Two headers of a program may
    define the same struct: a checksum tells the preprocessor whether the two
    are the same."""
    guard = "SDTKIT_HAS_RECORD_%s" % record.name
    layout_id = "%#010x" % (binascii.crc32(plain(record).encode())
                            & 0xffffffff)
    doc = "%s, %d bytes" % (record.type, record.size)
    lines = layout.fold(record.doc, doc + " - ") or [doc]
    parts = ["\n#ifndef %s\n#define %s %s\n" % (guard, guard, layout_id),
             layout.comment(lines + [""] + layout.record_table(record)),
             "struct %s {\n" % record.name]
    parts += ["\t%s;\n" % _member(field) for field in record.fields]
    return "".join(parts) + (
        "};\n#elif %s != %s\n"
        "#error another header has another 'struct %s'\n#endif\n" % (
            guard, layout_id, record.name))


def plain(record):
    """Returns the struct for a script, with the layout that it has on 64-bit
    machines."""
    return "\nstruct %s {\n%s};\n" % (record.name, "".join(
        "\t%s%s%s%s;\n" % (field.type.in_script, " " * (not field.is_pointer),
                          field.arg.name, _brackets(field))
        for field in record.fields))


def _member(field):
    name, ctype = field.arg.name + _brackets(field), field.type
    if ctype.is_pointer:
        return "SDTKIT_RECORD_POINTER(%s, %s)" % (ctype.in_script, name)
    if field.record is None and ctype.bytes == 8:
        return "SDTKIT_RECORD_8(%s, %s)" % (ctype.in_script, name)
    return "%s %s" % (ctype.in_script, name)


def _brackets(field):
    return "".join("[%d]" % size for size in field.sizes)


def fill(probe):
    """Returns the statements in the macro of a probe that fill its records."""
    records = [arg for arg in probe.args if arg.record]
    lines = ["SDTKIT_RECORD(%s, %s)" % (arg.record.name, arg.identifier)
             for arg in records]
    for arg in records:
        lines += _filled(arg.identifier, arg.record, arg.members)
    return "".join("\t%s\n" % line for line in lines)


def _filled(target, record, members):
    """Returns the statements that fill a record."""
    lines = []
    for field, value in zip(record.fields, members):
        word, last = "SDTKIT_RECORD_SET", ""
        if field.record:
            lines += _filled("%s.%s" % (target, field.arg.name), field.record,
                             value)
            continue
        if field.is_pointer:
            word += "_STRING" if field.is_string else "_POINTER"
        elif field.is_text:
            word += "_TEXT"
        elif field.sizes:
            word, last = word + "_ARRAY", ", " + "[0]" * len(field.sizes)
        elif field.type.is_bool:
            value = "!!(%s)" % value
        lines.append("%s(%s, %s,%s%s)" % (word, target, field.arg.name,
                                          _broken([value]), last))
    return lines


def _broken(values):
    """Returns expressions on lines of their own; strings are not broken."""
    return ",".join("\n\t\t" + "\n\t\t\t".join(
        [value] if '"' in value or "'" in value else textwrap.wrap(
            value, layout.WIDTH - 28, break_long_words=False,
            break_on_hyphens=False)) for value in values)
