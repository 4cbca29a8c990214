# SPDX-License-Identifier: BSD-2-Clause
"""Everything that probegen can find fault with, and how it is said.

    smb2.d:12:8: error UNKNOWN_TYPE: unknown type 'NTSTATUS'
       12 |         NTSTATUS status);
          |         ^~~~~~~~
    hint: ...

A code is never renumbered or reused: tests are named by it
(tests/probegen/err/CODE-slug.d, tests/probegen/warn/NAME-slug.d), and a lint
demands a test for each. Errors have codes, warnings have names: the name is
what -W and -Wno- take.
"""

from collections import namedtuple

# code -> what the fault is, for people who read a list of them
CODES = {
    # files
    "UNREADABLE": "the input cannot be read",
    "UNWRITABLE": "the output cannot be written",
    "CPP_FAILED": "the C preprocessor failed",
    "CC_FAILED": "the C compiler failed",
    # lexer
    "BAD_BYTE": "a character that no provider description contains",
    "OPEN_COMMENT": "a comment that does not end",
    "OPEN_STRING": "a string or character constant that does not end",
    # parser
    "UNEXPECTED_TOKEN": "something else should stand here",
    "MISSING_SEMICOLON": "a declaration is not closed",
    "UNEXPECTED_END": "the file ends inside a declaration",
    "TOO_DEEP": "declarations within declarations, too deep to be meant",
    # meaning
    "NO_PROVIDER": "the file declares no provider",
    "DUPLICATE_PROVIDER": "a provider is declared twice",
    "DUPLICATE_PROBE": "a probe is declared twice",
    "DUPLICATE_ARGUMENT": "two arguments of a probe share a name",
    "NAME_COLLISION": "two probes would get the same macro",
    "NAME_TOO_LONG": "a name that tracers cannot record",
    "RESERVED_NAME": "a name that means something else to D",
    "DUPLICATE_TYPE": "a type is declared twice",
    "UNKNOWN_TYPE": "a type that is neither in the table nor declared",
    "NOT_A_SCALAR": "a value that does not fit a register",
    "NOT_A_TYPE": "a marshaller where C has a type",
    "MARSHALLED": "a marshaller in a header that has none",
    "TOO_MANY_ARGUMENTS": "more arguments than tracers can read",
    "UNKNOWN_ARGUMENT": "a translated argument that the probe does not have",
    "NO_TRANSLATOR": "an argument is shown as a struct that nothing makes",
    "NOT_TRANSLATABLE": "an expression of D that C cannot say",
    "BAD_MEMBER": "a translator and its struct do not have the same members",
    "BAD_RECORD": "a struct that has no fixed layout, or none at all",
    "BAD_PRAGMA": "a #pragma that is wrong in itself",
    "UNKNOWN_PROVIDER": "a #pragma or option for a provider not declared",
    "BAD_ALIAS": "an alias that cannot be a provider's name",
    "NEEDS_CPP": "a directive of the C preprocessor, without -C",
}

# name -> what the warning is about
WARNINGS = {
    "provider-digit": "DTrace cannot use a provider whose name ends in a digit",
    "bpftrace-args": "bpftrace before 0.24 reads six arguments on x86-64",
    "dtrace-args": "DTrace reads ten arguments",
    "floating-point": "tracers see the bits of a floating-point number",
    "struct-by-value": "no tracer reads a struct that is passed by value",
    "translated-name": "DTrace finds translated arguments by their names",
    "perf-name": "perf cannot record an event of this name",
}

ERROR_LIMIT = 20        # shown; the others are counted
KEPT_LIMIT = 1000
LINE_LIMIT = 120        # of a quoted source line, in characters
TEXT_LIMIT = 300        # of a message

Diagnostic = namedtuple("Diagnostic", "kind code source start end text hint")


class Diagnostics:
    """The faults found so far.

    warnings: the names of those that are wanted; fatal: of those that are
    errors.
    """

    def __init__(self, warnings=(), fatal=()):
        self.found = []
        self.uncounted = 0
        self.warnings = warnings
        self.fatal = fatal
        self.silenced = set()   # (source's name, name of a warning)

    def error(self, code, source, start, end, text, hint=None):
        """Notes a fault in ``source`` from offset ``start`` to ``end``."""
        assert code in CODES, code
        self._add(Diagnostic("error", code, source, start, end, text, hint))

    def warn(self, name, source, start, end, text, hint=None):
        """Notes what some tracer will not like, if it is to be told."""
        assert name in WARNINGS, name
        if (source.name, name) in self.silenced:
            return
        if name in self.fatal:
            self._add(Diagnostic("error", name, source, start, end,
                                 "%s [-Werror=%s]" % (text, name), hint))
        elif name in self.warnings:
            self._add(Diagnostic("warning", name, source, start, end,
                                 "%s [-W%s]" % (text, name), hint))

    def count(self):
        """How many there are, shown or not."""
        return len(self.found) + self.uncounted

    def silence(self, source, name):
        """Warnings called ``name`` are not wanted for ``source``."""
        self.silenced.add((source.name, name))

    def file_error(self, code, name, text, hint=None):
        """Notes a fault of a file as a whole."""
        assert code in CODES, code
        self._add(Diagnostic("error", code, name, None, None, text, hint))

    def _add(self, entry):
        if len(self.found) < KEPT_LIMIT:
            self.found.append(entry)
        else:
            self.uncounted += 1

    def __bool__(self):
        """Whether there are errors."""
        return any(entry.kind == "error" for entry in self.found)

    def render(self):
        """All of it as text, in the order of the places; what goes beyond
        ERROR_LIMIT is only counted."""
        found = sorted(self.found, key=lambda entry: entry.start or 0)
        texts = [_render(entry) for entry in found[:ERROR_LIMIT]]
        left = len(found) + self.uncounted - ERROR_LIMIT
        if left > 0:
            texts.append("and %d more error%s\n" % (left, "s"[:left > 1]))
        return "".join(texts)


def _render(entry):
    text = printable(entry.text)
    if len(text) > TEXT_LIMIT:
        text = text[:TEXT_LIMIT] + "..."
    what = "%s %s: %s" % (entry.kind, entry.code, text)
    if entry.start is None:
        text = "%s: %s\n" % (entry.source, what)
    else:
        name, line, column = entry.source.position(entry.start)
        text = "%s:%d:%d: %s\n" % (name, line, column, what)
        text += _excerpt(entry, line, column)
    if entry.hint:
        text += "hint: %s\n" % entry.hint
    return text


def _excerpt(entry, line, column):
    """The line and below it a caret, both cut to what a terminal shows."""
    quoted = entry.source.line_text(entry.start)
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
