# SPDX-License-Identifier: BSD-2-Clause
"""The description of a probe in .note.sdtkit, see sdtkit/describe.h.

For `probe idle(dev_t disk, char *why);` in provider smb2:

    SDTKIT_DESCRIBE(smb2, idle,
    	"Nothing to do",
    	SDTKIT_TELL("u%c[dev_t]", "dev_t", "disk")
    	SDTKIT_TELL("z", "char *", "why"),
    	SDTKIT_SIZE(dev_t))

and if any argument has a comment, with "" for the arguments without one:

    SDTKIT_COMMENTS(smb2, idle,
    	"\\\\000"
    	"for people to read\\\\000")

A text is read three times: as a C string, as a template of asm, and as a
string of the assembler. All three know octal escapes or pass them on, so
characters that mean something to one of them are written that way: `100%` is
`100\\\\045`.
"""

import functools
import re
import textwrap

from .. import model as models
from . import layout

_SPECIAL = re.compile(rb"[^A-Za-z0-9 _.,:()*+=<>~-]")
_INDENT = "\t\t"


def emit(probe):
    """Returns the statements that describe a probe. An alias is described too,
    because to tracers it is another provider."""
    rows = tuple((_wire(arg.type), arg.declared_type, arg.name)
                 for arg in probe.args)
    return "%s,\n%s,\n%s%s)\n" % (
        _begin("SDTKIT_DESCRIBE", probe), lines(models.summary(probe.doc)),
        _tells(rows), _sizes(probe)) + _comments(probe)


def quote(text):
    """Returns a text as a C string for the assembler."""
    return '"%s"' % _escape(text)


def _begin(macro, probe):
    site = [probe.provider, probe.name]
    if probe.alias:
        macro, site = macro + "_ALIAS", site + [probe.alias]
    return "\t%s(%s" % (macro, ", ".join(site))


def _comments(probe):
    """Returns the statement with the first sentence about each argument;
    nothing if there is none."""
    comments = [models.summary(arg.doc) for arg in probe.args]
    if not any(comments):
        return ""
    return "%s,\n%s)\n" % (_begin("SDTKIT_COMMENTS", probe), "\n".join(
        lines(comment, r"\\000") for comment in comments))


def lines(text, end=""):
    """Returns a string, divided into several lines if it is long."""
    parts = textwrap.wrap(_escape(text) + end, 58, drop_whitespace=False,
                          break_long_words=False) or [""]
    return "\n".join('%s"%s"' % (_INDENT, part) for part in parts)


@functools.lru_cache(maxsize=None)
def _tells(rows):
    """Returns the description of all arguments. Files have few different
    lists, so they are kept."""
    tells = ""
    for wire, declared_type, name in rows:
        items = [wire, quote(declared_type), quote(name)]
        line = "%sSDTKIT_TELL(%s)" % (_INDENT, ", ".join(items))
        if len(line.expandtabs(8)) > layout.MACRO:
            line = "%sSDTKIT_TELL(\n%s" % (_INDENT, layout.wrap_list(
                items, _INDENT + "\t", ",", ")", layout.MACRO))
        tells += line + "\n"
    return tells[:-1] + ",\n" + _INDENT if tells else _INDENT + '"", '


def _wire(ctype):
    """Returns the wire type as a C string. The compiler fills in the digits of
    sizes that only it knows."""
    if ctype.is_char:
        return "SDTKIT_CHAR"
    return '"%s"' % ctype.wire.replace("?", "%%c[%s]" % ctype.spelling)


def _sizes(probe):
    sizes = dict.fromkeys("SDTKIT_SIZE(%s)" % arg.type.spelling
                          for arg in probe.args
                          if arg.type.is_sized_by_compiler)
    return ", ".join(sizes) or "SDTKIT_NO_SIZE"


@functools.lru_cache(maxsize=None)
def _escape(text):
    """Escapes a text, which is UTF-8 in the note."""
    return _SPECIAL.sub(lambda byte: b"\\\\%03o" % ord(byte[0]),
                        text.encode("utf-8")).decode("ascii")
