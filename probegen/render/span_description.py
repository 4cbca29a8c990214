# SPDX-License-Identifier: BSD-2-Clause
"""The description of a span in .note.sdtkit, see sdtkit/describe.h.

For a span `request` of provider smb2, once before the probes

    #define SDTKIT_SPAN_smb2_request_1f2e3d4c \\
    	SDTKIT_SPAN( \\
    		"A request") \\
    	SDTKIT_PROPERTY("start", "request_start") \\
    	SDTKIT_PROPERTY("end", "request_end") \\
    	SDTKIT_PROPERTY("key", "req")

and in the macro of each probe of the span

    	SDTKIT_DESCRIBE_SPAN(smb2, "request", 0x1f2e3d4c,
    		SDTKIT_SPAN_smb2_request_1f2e3d4c)

The number is a checksum of the text, so that readers notice two files of a
program with different descriptions.
"""

import binascii
from collections import namedtuple

from .. import model as models
from . import description, layout

# span: the model.Span; checksum: 8 digits; text: what its macro stands for
_Described = namedtuple("_Described", "span checksum text")


def describe(model):
    """Returns what emit() needs of all spans of a model."""
    return [_described(span) for provider in model.providers
            for span in provider.spans]


def define(spans):
    """Returns the macros with the properties of all spans."""
    return "".join("\n#define %s \\\n%s\n" % (_macro(each), each.text)
                   for each in spans)


def emit(probe, spans):
    """Returns the statements that describe all spans of a probe."""
    return "".join(_emit(each) for each in spans
                   if any(row.probe is probe for row in each.span.probes))


def _emit(described):
    span = described.span
    macro, names = "SDTKIT_DESCRIBE_SPAN", [span.provider]
    if span.alias:
        macro, names = macro + "_ALIAS", names + [span.alias]
    return "\t%s(%s, %s, 0x%s,\n\t\t%s)\n" % (
        macro, ", ".join(names), description.quote(span.name),
        described.checksum, _macro(described))


def _described(span):
    text = "\tSDTKIT_SPAN(\n%s)\n%s" % (
        description.lines(models.summary(span.doc)),
        layout.wrap_list(["SDTKIT_PROPERTY(%s, %s)" % (
            description.quote(name), description.quote(value))
                          for name, value in span.properties],
                         "\t", "", "", layout.MACRO))
    text = text.replace("\n", " \\\n")
    return _Described(span, "%08x" % (
        binascii.crc32(text.encode()) & 0xffffffff), text)


def _macro(described):
    return "SDTKIT_SPAN_%s_%s_%s" % (
        described.span.provider, described.span.name, described.checksum)
