# SPDX-License-Identifier: BSD-2-Clause
"""How generated C is laid out: comments, tables, wrapped lists; 80 columns."""

import textwrap

WIDTH = 79


def comment(lines):
    """A block comment in kernel style."""
    safe = (line.replace("*/", "* /").replace("/*", "/ *") for line in lines)
    return "/*\n%s */\n" % "".join(
        (" * %s" % line).rstrip() + "\n" for line in safe)


def fold(doc, title=""):
    """Documentation with its paragraphs filled, ``title`` before the first.
    A first line that is a whole sentence is one by itself; indented lines and
    blank ones stay as they are."""
    folded, paragraph = [], [title] if title else []
    if len(doc) > 1 and doc[0].endswith("."):
        folded, paragraph, doc = _fill(paragraph + doc[:1]), [], doc[1:]
    for line in doc + [""]:
        if line and line[0] not in " \t":
            if line.startswith("- ") and paragraph != [title]:
                folded += _fill(paragraph)
                paragraph = []
            paragraph.append(line)
            continue
        folded += _fill(paragraph) + [line]
        paragraph = []
    return folded[:-1]


def _fill(paragraph, first="", rest=""):
    text = " ".join(part.strip() for part in paragraph).strip(" -")
    if text and not rest and len(first) + len(text) < WIDTH - 3 and (
            paragraph[0][:2] != "- "):
        return [first + text]
    if paragraph and paragraph[0].startswith("- "):
        text, rest = "- " + text, "  "
    return textwrap.wrap(text, WIDTH - 3, initial_indent=first,
                         subsequent_indent=rest, break_long_words=False,
                         break_on_hyphens=False)


def argument_table(args):
    """One line per argument and more where its documentation is long."""
    width = min(28, max(len(arg.written) for arg in args))
    lines = []
    for index, arg in enumerate(args):
        first = "  arg%-2d  %-*s  " % (index, width, arg.written)
        rest = " " * (2 + 7 + width + 2)
        lines += _fill(arg.doc, first, rest) or [first.rstrip()]
    return lines


def call(macro, args):
    """How a probe is called, for an index of probes."""
    text = "%s(%s)" % (macro, ", ".join(arg.name for arg in args))
    return textwrap.wrap(text, WIDTH - 3, initial_indent="  ",
                         subsequent_indent="      ", break_long_words=False)


def wrap_list(items, indent, separator, end):
    """``items`` with ``separator`` behind each but the last, which ``end``
    follows; one blank between, each line behind ``indent`` (of tabs)."""
    width = WIDTH - len(indent.expandtabs(8))
    lines = [""]
    for item in [i + separator for i in items[:-1]] + [items[-1] + end]:
        if lines[-1] and len(lines[-1]) + 1 + len(item) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + item
    return "\n".join(indent + line for line in lines)
