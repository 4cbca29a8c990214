# SPDX-License-Identifier: BSD-2-Clause
"""Lays out generated C and scripts in 80 columns: comments, tables, lists."""

import operator
import textwrap

from .. import model, names

WIDTH = 79
MACRO = WIDTH - 2       # the width of a line that ends with " \\"


def comment(lines):
    """Returns a block comment in the style of the Linux kernel."""
    body = "\n".join(lines).replace("*/", "* /").replace("/*", "/ *")
    text = "/*\n * %s\n */\n" % body.replace("\n", "\n * ")
    return text.replace(" * \n", " *\n")


def fold(doc, title=""):
    """Returns documentation with its paragraphs filled, and ``title`` before
    the first. A first line that is a whole sentence is a paragraph of its own;
    indented and blank lines stay as they are."""
    folded, paragraph = [], [title] if title else []
    if len(doc) > 1 and doc[0].endswith("."):
        folded, paragraph, doc = fill(paragraph + doc[:1]), [], doc[1:]
    for line in doc + [""]:
        if line and line[0] not in " \t":
            if line.startswith("- ") and paragraph != [title]:
                folded += fill(paragraph)
                paragraph = []
            paragraph.append(line)
            continue
        folded += fill(paragraph) + [line]
        paragraph = []
    return folded[:-1]


def fill(paragraph, first="", rest=""):
    """Returns the lines of one paragraph, with ``first`` before its first line
    and ``rest`` before the others; [] for an empty paragraph."""
    text = " ".join(part.strip() for part in paragraph).strip(" -")
    if not text:
        return []
    if paragraph[0].startswith("- "):
        text, rest = "- " + text, "  "
    if len(first) + len(text) <= WIDTH - 3 and "\t" not in text:
        return [first + text]       # the usual case; textwrap is slow
    return textwrap.wrap(text, WIDTH - 3, initial_indent=first,
                         subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def describe(probe, doc=operator.attrgetter("doc")):
    """Returns the comment above a probe: its documentation and a table of its
    arguments. ``doc`` returns the documentation of an argument."""
    lines = fold(probe.doc, "%s:%s - " % (probe.provider, probe.name))
    if probe.args:
        lines.append("")
        lines += argument_table(probe.args, doc)
    return lines


def argument_table(args, doc):
    """Returns a line for each argument, and more if its documentation is long.
    """
    width = min(28, max(len(arg.written) for arg in args))
    lines = []
    for index, arg in enumerate(args):
        first = "  arg%-2d  %-*s  " % (index, width, arg.written)
        rest = " " * (2 + 7 + width + 2)
        lines += fill(doc(arg), first, rest) or [first.rstrip()]
        if arg.record:
            lines += record_table(arg.record, " " * 9)
    return lines


def record_table(record, indent="  "):
    """Returns a line for each member of a record."""
    rows = list(model.rows(record))
    width = min(28, max(len(written) for _, written, _ in rows))
    lines = []
    for offset, written, doc in rows:
        first = "%s+%-4d  %-*s  " % (indent, offset, width, written)
        rest = " " * (len(indent) + width + 9)
        lines += fill(doc, first, rest) or [first.rstrip()]
    return lines


def values(enum):
    """Returns the enumerators for people: `0 NEGOTIATE`, `5 CREATE`."""
    return ["%d %s" % (number, name)
            for (name, _), number in zip(enum.values, enum.numbers)]


def call(macro, args):
    """Returns how a probe is called, for an index of probes."""
    text = "%s(%s)" % (macro, ", ".join(inputs(args)))
    if len(text) <= WIDTH - 5:
        return ["  " + text]
    return textwrap.wrap(text, WIDTH - 3, initial_indent="  ",
                         subsequent_indent="      ", break_long_words=False)


def inputs(args):
    """Returns the names of what a site passes. They may be more or fewer than
    the arguments that tracers see."""
    return [names.parameter(p.identifier) for arg in args
            for p in arg.parameters]


def wrap_list(items, indent, separator, end, width=WIDTH):
    """Returns lines with ``items``, each line behind ``indent`` (tabs).
    ``separator`` stands behind each item but the last, ``end`` behind the
    last."""
    width -= len(indent.expandtabs(8))
    lines = [""]
    for item in [i + separator for i in items[:-1]] + [items[-1] + end]:
        if lines[-1] and len(lines[-1]) + 1 + len(item) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return "\n".join(indent + line for line in lines)


def printf(title, shown, values):
    """Returns a statement of a script that prints a probe, commented out. Its
    format is ``title`` and ``shown``, which has a conversion for each of
    ``values``."""
    text = '\t// printf("%s\\n"' % " ".join([title] + shown)
    if not values:
        return text + ");\n"
    return text + ",\n%s\n" % wrap_list(values, "\t//        ", ",", ");")


def blocks(doc):
    """Returns documentation as a list of (kind, lines), for formats that fill
    text themselves. A kind is "text", "item" of a list, or "code", which stays
    as it is."""
    found = []
    for line in doc + [""]:
        if not line:
            found.append((None, []))
        elif line[0] in " \t" and found and found[-1][0] == "item":
            found[-1][1].append(line.strip())
        elif line[0] in " \t":
            _block(found, "code").append(line)
        elif line.startswith("- "):
            found.append(("item", [line[2:]]))
        else:
            _block(found, "text").append(line)
    return [block for block in found if block[1]]


def _block(found, kind):
    """Returns the lines of the last block if it has this kind, else those of a
    new block."""
    if not found or found[-1][0] != kind:
        found.append((kind, []))
    return found[-1][1]
