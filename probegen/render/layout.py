# SPDX-License-Identifier: BSD-2-Clause
"""How generated C and scripts are laid out: comments, tables, wrapped lists; 80
columns."""

import operator
import textwrap

from .. import model, names

WIDTH = 79
MACRO = WIDTH - 2       # of a line that " \\" continues


def comment(lines):
    """A block comment in kernel style."""
    body = "\n".join(lines).replace("*/", "* /").replace("/*", "/ *")
    text = "/*\n * %s\n */\n" % body.replace("\n", "\n * ")
    return text.replace(" * \n", " *\n")


def fold(doc, title=""):
    """Documentation with its paragraphs filled, ``title`` before the first.
    A first line that is a whole sentence is one by itself; indented lines and
    blank ones stay as they are."""
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
    """The lines of one paragraph, ``first`` before its first line and ``rest``
    before the others; [] for none."""
    text = " ".join(part.strip() for part in paragraph).strip(" -")
    if not text:
        return []
    if paragraph[0].startswith("- "):
        text, rest = "- " + text, "  "
    if len(first) + len(text) <= WIDTH - 3 and "\t" not in text:
        return [first + text]       # most are short, and textwrap is slow
    return textwrap.wrap(text, WIDTH - 3, initial_indent=first,
                         subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def describe(probe, doc=operator.attrgetter("doc")):
    """What the comment above a probe says: its documentation and a table of
    its arguments, with ``doc`` of each."""
    lines = fold(probe.doc, "%s:%s - " % (probe.provider, probe.name))
    if probe.args:
        lines.append("")
        lines += argument_table(probe.args, doc)
    return lines


def argument_table(args, doc):
    """One line per argument and more where its documentation is long."""
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
    """One line per member of a record."""
    rows = list(model.rows(record))
    width = min(28, max(len(written) for _, written, _ in rows))
    lines = []
    for offset, written, doc in rows:
        first = "%s+%-4d  %-*s  " % (indent, offset, width, written)
        rest = " " * (len(indent) + width + 9)
        lines += fill(doc, first, rest) or [first.rstrip()]
    return lines


def call(macro, args):
    """How a probe is called, for an index of probes."""
    text = "%s(%s)" % (macro, ", ".join(inputs(args)))
    if len(text) <= WIDTH - 5:
        return ["  " + text]
    return textwrap.wrap(text, WIDTH - 3, initial_indent="  ",
                         subsequent_indent="      ", break_long_words=False)


def inputs(args):
    """The names of what a site passes, which may be more or fewer than what
    tracers see."""
    return [names.parameter(p.identifier) for arg in args
            for p in arg.parameters]


def wrap_list(items, indent, separator, end, width=WIDTH):
    """``items`` with ``separator`` behind each but the last, which ``end``
    follows; one blank between, each line behind ``indent`` (of tabs)."""
    width -= len(indent.expandtabs(8))
    lines = [""]
    for item in [i + separator for i in items[:-1]] + [items[-1] + end]:
        if lines[-1] and len(lines[-1]) + 1 + len(item) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return "\n".join(indent + line for line in lines)


def printf(title, shown, values):
    """A statement of a script that prints a probe, commented out: the format
    is ``title`` and ``shown``, one conversion each for ``values``."""
    text = '\t// printf("%s\\n"' % " ".join([title] + shown)
    if not values:
        return text + ");\n"
    return text + ",\n%s\n" % wrap_list(values, "\t//        ", ",", ");")


def blocks(doc):
    """Documentation as a list of (kind, lines), for formats that fill text
    themselves: "text", "item" of a list, or "code", which stays as it is."""
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
    """The lines of the last block if it is of this kind, else of a new one."""
    if not found or found[-1][0] != kind:
        found.append((kind, []))
    return found[-1][1]
