# SPDX-License-Identifier: BSD-2-Clause
"""What a header says of a probe for .note.sdtkit, see sdtkit/describe.h.

For `probe idle(dev_t disk, char *why);` in provider smb2:

    	SDTKIT_DESCRIBE(smb2, idle,
    		"Nothing to do",
    		SDTKIT_TELL("u%c[dev_t]", "dev_t", "disk")
    		SDTKIT_TELL("z", "char *", "why"),
    		SDTKIT_SIZE(dev_t));

A text goes through three hands that read it: C strings, asm templates and the
assembler's strings. All know octal escapes or pass them on, so whatever might
mean something to one of them is written so: `100%` is `100\\\\045`.
"""

import functools
import re
import textwrap

from .. import model as models, names
from . import layout

_SPECIAL = re.compile(rb"[^A-Za-z0-9 _.,:()*+=<>~-]")
_INDENT = "\t\t"


def emit(probe):
    """The statement. An alias is described too: to tracers it is a provider
    of its own."""
    macro, site = "SDTKIT_DESCRIBE", [probe.provider, probe.name]
    if probe.alias:
        macro, site = macro + "_ALIAS", site + [probe.alias]
    rows = tuple((arg.wire, arg.type, arg.name,
                  names.without(arg.declaration, arg.identifier))
                 for arg in probe.args)
    return "\t%s(%s,\n%s,\n%s%s);\n" % (
        macro, ", ".join(site), _summary(probe), _tells(rows), _sizes(rows))


def _summary(probe):
    """A string, or several in as many lines."""
    text = _escape(models.summary(probe.doc))
    lines = textwrap.wrap(text, 60, drop_whitespace=False,
                          break_long_words=False) or [""]
    return "\n".join('%s"%s"' % (_INDENT, line) for line in lines)


@functools.lru_cache(maxsize=None)
def _tells(rows):
    """The arguments; files have few such lists."""
    tells = ""
    for wire, ctype, name, spelling in rows:
        items = [_wire(wire, spelling), '"%s"' % _escape(ctype),
                 '"%s"' % _escape(name)]
        line = "%sSDTKIT_TELL(%s)" % (_INDENT, ", ".join(items))
        if len(line.expandtabs(8)) > layout.WIDTH:
            line = "%sSDTKIT_TELL(\n%s" % (_INDENT, layout.wrap_list(
                items, _INDENT + "\t", ",", ")"))
        tells += line + "\n"
    return tells[:-1] + ",\n" + _INDENT if tells else _INDENT + '"", '


def _wire(wire, spelling):
    """The wire type as a C string; sizes that only the compiler knows are
    digits that it fills in."""
    if wire == "?1":
        return "SDTKIT_CHAR"
    return '"%s"' % wire.replace("?", "%%c[%s]" % spelling)


def _sizes(rows):
    sizes = dict.fromkeys("SDTKIT_SIZE(%s)" % spelling
                          for wire, _, _, spelling in rows if wire[1:] == "?")
    return ", ".join(sizes) or "SDTKIT_NO_SIZE"


@functools.lru_cache(maxsize=None)
def _escape(text):
    """Bytes that are no UTF-8 become U+FFFD: the note is UTF-8."""
    data = text.encode("utf-8", "surrogateescape").decode(
        "utf-8", "replace").encode("utf-8")
    return _SPECIAL.sub(lambda byte: b"\\\\%03o" % ord(byte[0]),
                        data).decode("ascii")
