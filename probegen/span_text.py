# SPDX-License-Identifier: BSD-2-Clause
"""Reads the text of `#pragma sdtkit span`, without knowing what it means.

    span     = "span" [ PROVIDER ":" ] NAME { property } ;
    property = WORD "=" VALUE { "," VALUE } ;

    #pragma sdtkit span request start=request_start key=begin.req/finish.r

becomes a Line whose ``properties`` are the words `start` and `key`, each with
its values. A Word knows its place in the file, so that a message can point at
it. Blanks may stand around the signs, and a comment behind the values.
"""

import re
from collections import namedtuple

# text: without blanks; start, end: offsets in the source
Word = namedtuple("Word", "text start end")

# provider: a Word or None; name: a Word; properties: list of (Word, Word of
# all its values)
Line = namedtuple("Line", "provider name properties")

# An argument as written, `PROVIDER:PROBE.ARG`; provider and probe may be None
Argument = namedtuple("Argument", "provider probe name word")

_HEAD = re.compile(r"#\s*pragma\s+sdtkit\s+span\b\s*")
_COMMENT = re.compile(r"/\*.*?\*/|//.*|\\\n|\n", re.S)
_NAME = re.compile(r"(?:([A-Za-z_]\w*)\s*:\s*)?([A-Za-z_]\w*)\s*\Z")
_PROPERTY = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*=\s*")
# a blank between two words, where a sign is missing
_GAP = re.compile(r"[\w)]\s+(?=[\w(-])")
_BLANKS = re.compile(r"\s+")
_ARGUMENT = re.compile(r"(?:(?:(\w+):)?(\w+)\.)?([A-Za-z_]\w*)\Z")
_PROBE = re.compile(r"(?:(\w+):)?(\w+)\Z")


class Malformed(Exception):
    """The text is not of the form above. args: the Word at fault, a text and a
    hint."""


def read(source, pragma):
    """Returns the Line of a tree.Pragma."""
    text = _without_comments(source.text[pragma.start:pragma.end])
    at = _HEAD.match(text).end()
    found = list(_PROPERTY.finditer(text, at))
    ends = [each.start() for each in found[1:]] + [len(text)]
    end = found[0].start() if found else len(text)
    written = text[at:end].strip()
    name = _NAME.match(text[at:end])
    if found and written and name is None:
        raise Malformed(_word(text, pragma.start, at, end),
                        "'%s' is not the name of a span" % written,
                        "write NAME or PROVIDER:NAME")
    if name is None or not found:
        raise Malformed(
            Word("", pragma.start, pragma.end),
            "this '#pragma sdtkit span' is incomplete",
            "write '#pragma sdtkit span NAME start=PROBE end=PROBE "
            "key=ARGUMENT'")
    provider = name[1] and _word(text, pragma.start, at + name.start(1),
                                 at + name.end(1))
    return Line(provider or None,
                _word(text, pragma.start, at + name.start(2),
                      at + name.end(2)),
                [_property(text, pragma.start, each, end)
                 for each, end in zip(found, ends)])


def _without_comments(text):
    """Returns a text of the same length with blanks for its comments, and for
    the ends of lines that continue."""
    return _COMMENT.sub(lambda found: " " * len(found[0]), text)


def _property(text, base, found, end):
    name = _word(text, base, found.start(1), found.end(1))
    value = _word(text, base, found.end(), end)
    gap = _GAP.search(text, found.end(), value.end - base)
    if gap:
        word = re.compile(r"[\w:.-]+").match(text, gap.end())
        raise Malformed(
            _word(text, base, gap.end(),
                  word.end() if word else gap.end() + 1),
            "'%s' stands between two properties, but has no '='"
            % (word[0] if word else text[gap.end()]),
            "write PROPERTY=VALUE[,VALUE...]")
    if not value.text:
        raise Malformed(name, "'%s' has no value" % name.text,
                        "write %s=VALUE[,VALUE...]" % name.text)
    return name, value


def _word(text, base, start, end):
    """Returns the Word of text[start:end] without blanks around it."""
    part = text[start:end]
    stripped = part.strip()
    start += len(part) - len(part.lstrip())
    return Word(_BLANKS.sub("", stripped), base + start,
                base + start + max(1, len(stripped)))


def split(source, word, sign=","):
    """Divides a Word where a sign stands."""
    parts, at = [], word.start
    text = _without_comments(source.text[word.start:word.end])
    for part in text.split(sign):
        parts.append(_word(part, at, 0, len(part)))
        if not parts[-1].text:
            raise Malformed(word, "a value is missing %s '%s'" % (
                "before" if len(parts) == 1 else "behind", sign), None)
        at += len(part) + 1
    return parts


def probe(word):
    """Returns (provider or None, name) of `PROVIDER:PROBE`."""
    found = _PROBE.match(word.text)
    if not found:
        raise Malformed(word, "'%s' is not the name of a probe" % word.text,
                        "write PROBE or PROVIDER:PROBE")
    return found[1], found[2]


def choice(source, word):
    """Returns the Arguments of `PROBE.ARG/PROBE.ARG`: for each probe the first
    that fits counts."""
    found = []
    for part in split(source, word, "/"):
        match = _ARGUMENT.match(part.text)
        if not match:
            raise Malformed(part, "'%s' is not the name of an argument"
                            % part.text, "write ARG or PROBE.ARG, with a '/' "
                            "between the names that probes have for it")
        found.append(Argument(match[1], match[2], match[3], part))
    return found
