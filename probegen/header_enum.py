# SPDX-License-Identifier: BSD-2-Clause
"""An enum of a C header -> the text for a description (`--enum HEADER ENUM`).

The names of the enumerators are in the preprocessed header; their values are
what the compiler makes of these names, so that any constant expression is
right, for the machine that is compiled for:

    enum color { RED = sizeof(long), GREEN };   ->  names: RED, GREEN
    const struct {...} = { "MARK", { 1, RED, RED < 0, GREEN, GREEN < 0 } };

is compiled, and the numbers are behind the mark in the object file. The first
one tells the byte order.
"""

import os
from collections import namedtuple

from . import diag, lexer, programs, source

_MARK = "sdtkit-enum-mark"      # 16 characters
_OPENING, _CLOSING = frozenset("({["), frozenset(")}]")

# tag: None for an anonymous enum; typedefs: names that stand for it
# names: (enumerator, index of its token)
_Found = namedtuple("_Found", "tag typedefs names")


def read(header, name, flags, faults):
    """Returns (text, Source of the header) for the enum that has this tag,
    typedef or enumerator; None on a fault."""
    data = programs.compile_text("", flags, ["-include", header, "-E"], header,
                                 faults)
    if data is None:
        return None
    tokens = lexer.lex(source.Source(
        header, data.decode("utf-8", "surrogateescape"), True),
        diag.Diagnostics())
    found = _chosen(header, name, tokens, faults)
    if found is None:
        return None
    numbers = _numbers(header, found, flags, faults)
    if numbers is None:
        return None
    _warn_of_doubles(found, numbers, tokens, faults)
    lines = ",\n".join(
        "\t%s = %s" % (each, number if number < 1 << 31 else "0x%X" % number)
        for (each, _), number in zip(found.names, numbers))
    above = "/* Made by: probegen --enum %s %s */\n" % (
        diag.printable(os.path.basename(header)), name)
    if found.tag is None and found.typedefs:
        parts = "typedef enum", found.typedefs[0]
    else:
        parts = "enum " + (found.tag or _named(found.names)), ""
    return "%s%s {\n%s\n}%s;\n" % (
        above, parts[0], lines, " " * bool(parts[1]) + parts[1]), tokens.source


def _named(names):
    """Returns a name for an anonymous enum: what all its names begin with."""
    prefix = os.path.commonprefix([each for each, _ in names])
    return (prefix.rsplit("_", 1)[0].lower() if "_" in prefix else "") or (
        names[0][0].lower() + "_values")


def _chosen(header, name, tokens, faults):
    found, aliases = _enums(tokens)
    for names in (lambda each: [each.tag], lambda each: each.typedefs,
                  lambda each: [one for one, _ in each.names]):
        for each in found:
            if aliases.get(name, name) in names(each):
                return each
    known = {one for each in found for one in
             [each.tag] + each.typedefs + [name for name, _ in each.names]}
    faults.file_error(
        "UNKNOWN_ENUM", header, "no enum with enumerators is called '%s' here, "
        "and none has an enumerator of that name" % name,
        faults.similar(name, known | set(aliases)))
    return None


def _enums(tokens):
    """Returns all enums with enumerators, and a dict: typedef -> tag of an
    enum that is declared elsewhere."""
    texts, found, aliases = tokens.texts, [], {}
    for first, word in enumerate(texts):
        if word != "enum":
            continue
        at = _behind_attributes(tokens, first + 1)
        tag = texts[at] if tokens.kinds[at] == lexer.NAME else None
        at += tag is not None
        is_typedef = "typedef" in texts[max(0, first - 2):first]
        if texts[at] == ":":        # the type of C23
            while texts[at] not in ("{", ";", "end of file"):
                at += 1
        if texts[at] == "{":
            names, at = _names(tokens, at + 1)
            at = _behind_attributes(tokens, at)
            found.append(_Found(tag, _declared(tokens, at) if is_typedef
                                else [], names))
        elif is_typedef and tag:
            aliases.update(dict.fromkeys(_declared(tokens, at), tag))
    return [each for each in found if each.names], aliases


def _behind_attributes(tokens, at):
    while tokens.texts[at] in ("__attribute__", "__attribute",
                               "__extension__"):
        at += 1
        if tokens.texts[at] == "(":
            at = _behind_bracket(tokens, at)
    return at


def _behind_bracket(tokens, at):
    """Returns the index behind the bracket that closes the one at ``at``."""
    depth = 0
    while tokens.kinds[at] != lexer.END:
        depth += tokens.texts[at] in _OPENING
        depth -= tokens.texts[at] in _CLOSING
        at += 1
        if depth == 0:
            break
    return at


def _names(tokens, at):
    """Returns the enumerators from ``at`` on, and the index behind them."""
    names = []
    while tokens.kinds[at] == lexer.NAME:
        names.append((tokens.texts[at], at))
        while tokens.kinds[at] != lexer.END and tokens.texts[at] not in (
                ",", "}"):
            at = _behind_bracket(tokens, at) if (
                tokens.texts[at] in _OPENING) else at + 1
        at += tokens.texts[at] == ","
    return names, min(at + 1, len(tokens.texts) - 1)


def _declared(tokens, at):
    """Returns the names that a typedef declares for the enum itself."""
    names = []
    while tokens.kinds[at] != lexer.END and tokens.texts[at] != ";":
        if tokens.kinds[at] == lexer.NAME and (
                tokens.texts[at - 1] != "*" and
                tokens.texts[at + 1] in (",", ";")):
            names.append(tokens.texts[at])
        at += 1
    return names


def _numbers(header, found, flags, faults):
    """Returns the values of the enumerators; None on a fault."""
    names = [name for name, _ in found.names]
    data = programs.compile_text(
        # a macro may have the name of an enumerator
        "".join("#undef %s\n" % name for name in names) +
        "extern const struct sdtkit_mark { char mark[16]; unsigned long long "
        "number[%d]; } sdtkit_mark;\nconst struct sdtkit_mark sdtkit_mark = {"
        "\"%s\", { 1%s } };\n" % (
            1 + 2 * len(names), _MARK, "".join(
                ",\n(unsigned long long)(%s), (%s) < 0" % (name, name)
                for name in names)),
        flags, ["-include", header] + programs.TO_OBJECT + ["-w"], header,
        faults)
    if data is None:
        return None
    at = data.find(_MARK.encode()) + len(_MARK)
    order = "little" if data[at] else "big"
    values = [int.from_bytes(data[place:place + 8], order) for place in
              range(at + 8, at + 8 + 16 * len(names), 8)]
    return [value - (negative << 64)
            for value, negative in zip(values[::2], values[1::2])]


def _warn_of_doubles(found, numbers, tokens, faults):
    first = {}
    for (name, index), number in zip(found.names, numbers):
        other = first.setdefault(number, name)
        if other != name:
            faults.warn("enum-names", tokens.source, tokens.starts[index],
                        tokens.end(index), "'%s' and '%s' are both %d: tools "
                        "show '%s'" % (other, name, number, other))
