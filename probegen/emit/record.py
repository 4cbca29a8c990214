# SPDX-License-Identifier: BSD-2-Clause
"""Probes that carry other things than they are given, see ``mapping``, in C.

For `probe done(struct req *req) : (info_t *req);`, whose translator says
`mid = R->mid;`, in provider smb2:

    struct info {
    	SDTKIT_RECORD_8(unsigned long long, mid);
    };
    struct sdtkit_smb2_done_native {
    	const struct req *sdtkit_req;
    };
    SDTKIT_INLINE struct sdtkit_smb2_done_native
    sdtkit_smb2_done_native_of(
    	const struct req *sdtkit_req)
    {
    	struct sdtkit_smb2_done_native sdtkit_native = {
    		sdtkit_req,
    	};

    	return sdtkit_native;
    }
    #define SMB2_DONE(...) \\
    	(SMB2_DONE_ENABLED() \\
    	 ? SDTKIT_RECORD_CALL(sdtkit_smb2_done_native, (__VA_ARGS__), \\
    		struct info sdtkit_0; \\
    		SDTKIT_RECORD_SET(sdtkit_0, mid, \\
    			sdtkit_native.sdtkit_req->mid); \\
    		sdtkit_smb2_done(&sdtkit_0)) \\
    	 : (void)0)

What the words mean: sdtkit/record.h.
"""

import binascii
import textwrap

from .. import names
from . import layout


def define(record):
    """The struct. Two headers of a program may have the same one; that it is
    the same, the preprocessor can tell by a number."""
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
    """The struct as a script has it: the same layout, on 64-bit machines."""
    return "\nstruct %s {\n%s};\n" % (record.name, "".join(
        "\t%s%s%s%s;\n" % (_type(field), " " * (field.ctype is not None),
                          field.arg.name, _brackets(field))
        for field in record.fields))


def _type(field):
    """Of a pointer's target too, what a header or a script can spell."""
    if field.ctype is not None:
        return field.ctype
    return names.without(field.arg.declaration, field.arg.identifier)


def _member(field):
    name = field.arg.name + _brackets(field)
    if field.ctype is None:
        return "SDTKIT_RECORD_POINTER(%s, %s)" % (_type(field), name)
    if field.ctype.endswith("long long"):
        return "SDTKIT_RECORD_8(%s, %s)" % (field.ctype, name)
    return "%s %s" % (field.ctype, name)


def _brackets(field):
    return "".join("[%d]" % size for size in field.sizes)


def inputs(probe):
    """The struct of the inputs, and the function that fills it."""
    parameters = [p for arg in probe.inputs for p in arg.parameters]
    parts = ["struct %s {\n" % probe.native]
    parts += ["\t%s;\n" % p.declaration for p in parameters] or [
        "\tint sdtkit_none;\n"]
    parts += ["};\nSDTKIT_INLINE struct %s\n%s_of(%s)\n{\n" % (
        probe.native, probe.native,
        ",".join("\n\t" + p.declaration for p in parameters) or "void")]
    parts += ["\tstruct %s sdtkit_native = {\n" % probe.native]
    parts += ["\t\t%s,\n" % p.identifier for p in parameters] or ["\t\t0,\n"]
    return "".join(parts) + "\t};\n\n\treturn sdtkit_native;\n}\n"


def macro(probe):
    """The definition of the probe's macro."""
    records = [arg for arg in probe.args if arg.record]
    lines = ["struct %s %s" % (arg.record.name, arg.identifier)
             for arg in records]
    for arg in records:
        lines += _filled(arg.identifier, arg.record, arg.members)
    call = "%s(%s)" % (probe.function, _broken(probe.passed))
    has_inputs = any(arg.parameters for arg in probe.inputs)
    return ("#define %s(%s) \\\n\t(%s() \\\n"
            "\t ? SDTKIT_RECORD_CALL(%s, (%s), \\\n%s\t\t%s) \\\n"
            "\t : (void)0)\n" % (
                probe.macro, "..." if has_inputs else "", probe.enabled,
                probe.native, "__VA_ARGS__" if has_inputs else "",
                "".join("\t\t%s; \\\n" % line for line in lines), call))


def _filled(place, record, members):
    """The statements that make a record."""
    lines = []
    for field, value in zip(record.fields, members):
        word, last = "SDTKIT_RECORD_SET", ""
        if field.record:
            lines += _filled("%s.%s" % (place, field.arg.name), field.record,
                             value)
            continue
        if field.ctype is None:
            word += "_STRING" if field.is_string else "_POINTER"
        elif field.is_text:
            word += "_TEXT"
        elif field.sizes:
            word, last = word + "_ARRAY", ", " + "[0]" * len(field.sizes)
        elif field.arg.declaration.startswith("bool "):
            value = "!!(%s)" % value
        lines.append("%s(%s, %s,%s%s)" % (word, place, field.arg.name,
                                          _broken([value]), last))
    return lines


def _broken(values):
    """Expressions on lines of their own; strings stay whole."""
    return ",".join(" \\\n\t\t\t" + " \\\n\t\t\t\t".join(
        [value] if '"' in value or "'" in value else textwrap.wrap(
            value, layout.WIDTH - 28, break_long_words=False,
            break_on_hyphens=False)) for value in values)
