# SPDX-License-Identifier: BSD-2-Clause
"""All errors and warnings of probegen, and how they are printed.

    smb2.d:12:8: error UNKNOWN_TYPE: unknown type 'NTSTATUS'
       12 |         NTSTATUS status);
          |         ^~~~~~~~
    hint: ...

Errors have codes; warnings have names, which -W and -Wno- take. A code is
never changed or used again for something else. Tests are named after codes and
names (tests/probegen/err/CODE-slug.d, tests/probegen/warn/NAME-slug.d), and a
test fails if one has no case.
"""

from collections import namedtuple

# code -> what the error is, for people who read this list
CODES = {
    # files
    "UNREADABLE": "the input cannot be read",
    "UNWRITABLE": "the output cannot be written",
    "NOT_CURRENT": "the output is not what the description gives",
    "CPP_FAILED": "the C preprocessor failed",
    "CC_FAILED": "the C compiler failed",
    "INTERNAL": "probegen has a defect",
    # lexer
    "BAD_BYTE": "a character that a description cannot contain",
    "DEPENDENCY_RULE": "the file is a rule for make, not a description",
    "OPEN_COMMENT": "a comment is not closed, or is closed too late",
    "OPEN_STRING": "a string or character constant is not closed",
    # parser
    "UNEXPECTED_TOKEN": "the grammar expects another word or sign here",
    "MISSING_SEMICOLON": "a probe does not end with ';'",
    "UNEXPECTED_END": "the file ends inside a declaration",
    "TOO_DEEP": "declarations or expressions are nested too deeply",
    # meaning
    "NO_PROVIDER": "the file declares no provider",
    "DUPLICATE_PROVIDER": "a provider is declared twice",
    "DUPLICATE_PROBE": "a probe is declared twice",
    "DUPLICATE_ARGUMENT": "two arguments of a probe share a name",
    "NAME_COLLISION": "two probes would have the same name in C",
    "NAME_TOO_LONG": "a name is longer than tracers can record",
    "RESERVED_NAME": "a name has a meaning already, in D, C or sdtkit",
    "DUPLICATE_TYPE": "a type or an enumerator is declared twice",
    "UNKNOWN_TYPE": "a type is neither a known C type nor declared",
    "NOT_A_SCALAR": "an argument is neither a number nor a pointer",
    "NOT_A_TYPE": "a marshaller is used as if it were a C type",
    "MARSHALLED": "a drop-in header cannot marshal arguments",
    "TOO_MANY_ARGUMENTS": "a probe has more arguments than tracers can read",
    "UNKNOWN_ARGUMENT": "the probe does not have the argument to translate",
    "NO_TRANSLATOR": "no translator makes the type behind the colon",
    "NOT_TRANSLATABLE": "an expression of D has no equivalent in C",
    "BAD_MEMBER": "a translator and its struct do not have the same members",
    "BAD_RECORD": "a struct is not declared, or has no fixed layout",
    "BAD_PRAGMA": "a #pragma is unknown or incomplete",
    "UNKNOWN_PROVIDER": "a #pragma or option names an unknown provider",
    "UNKNOWN_ENUM": "a #pragma or --enum names an unknown enum",
    "BAD_ENUM": "an enum cannot name the values of an argument",
    "BAD_SPAN": "a span is not complete, or contradicts itself",
    "UNKNOWN_PROBE": "a span names an unknown probe",
    "UNKNOWN_SPAN": "the parent of a span is an unknown span",
    "SPAN_ARGUMENT": "a probe does not have an argument that its span uses",
    "SPAN_TYPE": "an argument has a type that its span cannot use",
    "BAD_ALIAS": "an alias cannot be the name of a provider",
    "BAD_GROUP": "a group cannot have this name, or cannot have this probe",
    "NEEDS_CPP": "a directive of the C preprocessor needs -C",
}

# Errors that say that a thing is not declared. They are not known to be true if
# a declaration could not be read.
ABSENCES = frozenset((
    "UNKNOWN_TYPE", "NO_TRANSLATOR", "BAD_RECORD", "UNKNOWN_PROVIDER",
    "UNKNOWN_ENUM", "UNKNOWN_PROBE", "UNKNOWN_SPAN"))

# name -> what the warning is about
WARNINGS = {
    "provider-digit": "DTrace cannot use a provider name that ends in a digit",
    "bpftrace-args": "bpftrace before 0.24 reads six arguments on x86-64",
    "dtrace-args": "DTrace reads only ten arguments",
    "floating-point": "tracers see only the bits of a floating-point value",
    "struct-by-value": "tracers cannot read a struct that is passed by value",
    "translated-name": "DTrace finds translated arguments by their names",
    "dependency-file": "'gcc -MD' overwrites a description of this name",
    "enum-names": "tools do not show a name of an enum",
    "perf-name": "perf cannot record an event with this name",
}

SHOWN_LIMIT = 20        # faults that are printed; the others are counted
KEPT_LIMIT = 1000       # faults of each kind that are kept
LINE_LIMIT = 120        # characters of a quoted source line
TEXT_LIMIT = 300        # characters of a message
SIMILAR_LIMIT = 100     # calls of similar() that compare names

Diagnostic = namedtuple("Diagnostic", "kind code source start end text hint")


class Diagnostics:
    """The faults found so far.

    warnings: the names of the warnings that are wanted; fatal: the names of
    those that count as errors. sources: the inputs in their order, for
    render().

    Errors and warnings have a list each, so that many warnings never push an
    error out.
    """

    def __init__(self, warnings=(), fatal=()):
        # each dict is a set that keeps its order: a fault that two rules find
        # is shown once
        self.kept = {"error": {}, "warning": {}}
        self.more = {"error": 0, "warning": 0}      # beyond KEPT_LIMIT
        self.said = 0
        self.compared = 0
        self.sources = []
        self.warnings = warnings
        self.fatal = fatal
        self.silenced = set()   # (source's name, name of a warning)
        self.unread = False     # a declaration was passed over

    def error(self, code, source, start, end, text, hint=None):
        """Adds an error in ``source`` from offset ``start`` to ``end``."""
        assert code in CODES, code
        if self.unread and code in ABSENCES:
            return
        self._add(Diagnostic("error", code, source, start, end, text, hint))

    def warn(self, name, source, start, end, text, hint=None):
        """Adds a warning, if warnings of this name are wanted. If ``start`` is
        None, it is about ``source`` as a whole."""
        assert name in WARNINGS, name
        if (source.name, name) in self.silenced:
            return
        if start is None:
            source = source.name
        if name in self.fatal:
            self._add(Diagnostic("error", name, source, start, end,
                                 "%s [-Werror=%s]" % (text, name), hint))
        elif name in self.warnings:
            self._add(Diagnostic("warning", name, source, start, end,
                                 "%s [-W%s]" % (text, name), hint))

    def count(self):
        """Returns how many faults were added so far. Two calls tell whether
        one was added between them."""
        return self.said

    def mark(self):
        """Returns the present state, for forget()."""
        return len(self.kept["error"]), self.more["error"]

    def forget(self, mark):
        """Takes back the errors that were added since mark()."""
        errors = self.kept["error"]
        for entry in list(errors)[mark[0]:]:
            del errors[entry]
        self.more["error"] = mark[1]

    def similar(self, word, known):
        """Returns a hint with the name that ``word`` may be a slip of, or None
        if no known name is similar. Comparing takes time and few faults are
        shown, so there is a limit."""
        self.compared += 1
        if self.compared > SIMILAR_LIMIT or len(word) > LINE_LIMIT:
            return None
        import difflib      # slow to load, and most runs have no fault
        found = difflib.get_close_matches(word, sorted(filter(None, known)),
                                          1, 0.65)
        return "did you mean '%s'?" % found[0] if found else None

    def silence(self, source, name):
        """Turns warnings called ``name`` off for ``source``."""
        self.silenced.add((source.name, name))

    def file_error(self, code, name, text, hint=None):
        """Adds an error about a file as a whole."""
        assert code in CODES, code
        self._add(Diagnostic("error", code, name, None, None, text, hint))

    def _add(self, entry):
        self.said += 1
        kept = self.kept[entry.kind]
        if len(kept) < KEPT_LIMIT:
            kept[entry] = None
        else:
            self.more[entry.kind] += 1

    def __bool__(self):
        """Returns whether there are errors."""
        return bool(self.kept["error"])

    def render(self):
        """Returns all faults as text: first errors, then warnings, each in the
        order of their positions. Beyond SHOWN_LIMIT they are only counted."""
        texts, left = [], []
        for kind in ("error", "warning"):
            found = sorted(self.kept[kind], key=self._position)
            shown = found[:SHOWN_LIMIT - len(texts)]
            texts += [_render(entry) for entry in shown]
            more = len(found) - len(shown) + self.more[kind]
            if more:
                left.append("%d more %s%s" % (more, kind, "s"[:more > 1]))
        if left:
            texts.append("and %s\n" % " and ".join(left))
        return "".join(texts)

    def _position(self, entry):
        """Returns what faults are sorted by; those of a file as a whole come
        first."""
        if entry.source not in self.sources:
            return -1, 0
        return self.sources.index(entry.source), entry.start or 0


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
    """Returns the source line and below it a caret, both cut to a length that
    a terminal shows."""
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


def first_is(source, node):
    """Returns where the first of two declarations is, for a hint."""
    name, line, _ = source.position(node.start)
    return "the first declaration is in line %d of %s" % (line, name)


def printable(text):
    """Returns ``text`` with '?' for each character that would disturb a
    terminal."""
    return "".join(c if c.isprintable() or c == "\t" else "?" for c in text)
