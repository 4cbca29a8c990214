# SPDX-License-Identifier: BSD-2-Clause
"""Everything that probegen can find fault with, and how it is said.

    smb2.d:12:8: error UNKNOWN_TYPE: unknown type 'NTSTATUS'
       12 |         NTSTATUS status);
          |         ^~~~~~~~
    hint: ...

A code is never renumbered or reused: tests are named by it
(tests/probegen/err/CODE-slug.d), and a lint demands a test for each.
"""

from collections import namedtuple

# code -> what the fault is, for people who read a list of them
CODES = {
    # files
    "UNREADABLE": "the input cannot be read",
    "UNWRITABLE": "the output cannot be written",
    # lexer
    "BAD_BYTE": "a character that no provider description contains",
    "OPEN_COMMENT": "a comment that does not end",
    "OPEN_STRING": "a string or character constant that does not end",
    # parser
    "UNEXPECTED_TOKEN": "something else should stand here",
    "MISSING_SEMICOLON": "a declaration is not closed",
    "UNEXPECTED_END": "the file ends inside a declaration",
    # meaning
    "NO_PROVIDER": "the file declares no provider",
    "DUPLICATE_PROVIDER": "a provider is declared twice",
    "DUPLICATE_PROBE": "a probe is declared twice",
    "DUPLICATE_ARGUMENT": "two arguments of a probe share a name",
    "NAME_COLLISION": "two probes would get the same macro",
    "NAME_TOO_LONG": "a name that tracers cannot record",
    "UNKNOWN_TYPE": "a type that is not in the table of C types",
    "NOT_A_SCALAR": "a value that does not fit a register",
    "TOO_MANY_ARGUMENTS": "more arguments than tracers can read",
}

ERROR_LIMIT = 20
LINE_LIMIT = 120        # of a quoted source line, in characters

Diagnostic = namedtuple("Diagnostic", "code source start end text hint")


class Diagnostics:
    """The faults found so far."""

    def __init__(self):
        self.found = []

    def error(self, code, source, start, end, text, hint=None):
        """Notes a fault in ``source`` from offset ``start`` to ``end``."""
        assert code in CODES, code
        self.found.append(Diagnostic(code, source, start, end, text, hint))

    def file_error(self, code, name, text, hint=None):
        """Notes a fault of a file as a whole."""
        assert code in CODES, code
        self.found.append(Diagnostic(code, name, None, None, text, hint))

    def __bool__(self):
        return bool(self.found)

    def render(self):
        """All of it as text, in the order of the places; the errors past
        ERROR_LIMIT are only counted."""
        found = sorted(self.found, key=lambda entry: entry.start or 0)
        texts = [_render(entry) for entry in found[:ERROR_LIMIT]]
        left = len(self.found) - ERROR_LIMIT
        if left > 0:
            texts.append("and %d more error%s\n" % (left, "s"[:left > 1]))
        return "".join(texts)


def _render(entry):
    if entry.start is None:
        text = "%s: error %s: %s\n" % (entry.source, entry.code, entry.text)
    else:
        line, column = entry.source.position(entry.start)
        text = "%s:%d:%d: error %s: %s\n" % (
            entry.source.name, line, column, entry.code, entry.text)
        text += _excerpt(entry, line, column)
    if entry.hint:
        text += "hint: %s\n" % entry.hint
    return text


def _excerpt(entry, line, column):
    """The line and below it a caret, both cut to what a terminal shows."""
    quoted = entry.source.line_text(line)
    width = max(1, min(entry.end - entry.start, len(quoted) - column + 1))
    first = max(0, column - LINE_LIMIT * 2 // 3) if (
        len(quoted) > LINE_LIMIT) else 0
    shown = quoted[first:first + LINE_LIMIT]
    width = min(width, max(1, len(shown) - (column - 1 - first)))
    indent = "".join(c if c == "\t" else " "
                     for c in shown[:column - 1 - first])
    return "%5d | %s\n      | %s^%s\n" % (
        line, printable(shown), indent, "~" * (width - 1))


def printable(text):
    """``text`` with what would disturb a terminal shown as '?'."""
    return "".join(c if c.isprintable() or c == "\t" else "?" for c in text)
