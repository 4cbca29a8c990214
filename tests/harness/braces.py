#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""braces.py [--fix] FILE... - checks the braces of C files, or corrects them.

The rule is that of the Linux kernel:

    if (a)                      if (a) {
            b();                        while (b)
    else                                        c();
            c();                } else {
                                        d();
                                }

A branch that is one simple statement has no braces. Any other branch has them,
so a loop or a condition within a loop or a condition does. If one branch of an
if has braces, all its branches have them.

A branch with a comment or a preprocessor line beside its only statement may
have braces or not. Bodies of do, switch and functions are not looked at, and
neither are macros.
"""

import pathlib
import sys
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|\\\n)
  | (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>(?<![^\n])[ \t]*\#(?:[^\n\\]|\\.|\\\n|/\*.*?\*/)*)
  | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<word>\w+)
  | (?P<mark>.)
""", re.VERBOSE | re.DOTALL)

CONDITIONS = ("if", "for", "while", "switch")


def tokens(text):
    """(kind, text, offset) of what is not space."""
    found = []
    for match in TOKEN.finditer(text):
        if match.lastgroup != "space":
            found.append((match.lastgroup, match.group(), match.start()))
    return found


class Body:
    """What follows a condition or an else."""

    def __init__(self, begin, end, braced, simple, noted):
        self.begin = begin      # offsets of its text, with the braces
        self.end = end
        self.braced = braced
        self.simple = simple    # one statement, which needs no braces
        self.noted = noted      # with a comment or a preprocessor line


class Parser:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.chains = []        # of bodies that have to be alike

    def skip(self, at):
        """The next token that is code."""
        while at < len(self.tokens) and self.tokens[at][0] in (
                "comment", "directive"):
            at += 1
        return at

    def word(self, at):
        return self.tokens[at][1] if at < len(self.tokens) else ""

    def close(self, at):
        """The token behind the bracket that closes the one at at."""
        depth = 0
        while at < len(self.tokens):
            kind, text, _ = self.tokens[at]
            if kind == "mark":
                depth += (text in "({[") - (text in ")}]")
            at += 1
            if depth == 0:
                break
        return at

    def statement(self, at):
        """(the token behind it, whether it is simple)."""
        at = self.skip(at)
        word = self.word(at)
        if word == "{":
            end = self.close(at)
            self.block(at + 1, end - 1)
            return end, False
        if word in CONDITIONS or self.is_loop(at):
            return self.condition(at), False
        if word == "do":
            return self.loop(at), False
        if word in ("case", "default"):
            return at + 1, False
        end = self.simple(at)
        return end, self.word(end - 1) == ";"

    def is_loop(self, at):
        """FOR_EACH_COLUMN(column, group) and the like."""
        if "for_each" not in self.word(at).lower() or \
                self.word(at + 1) != "(":
            return False
        after = self.word(self.skip(self.close(at + 1)))
        return after == "{" or re.match(r"\w", after) is not None

    def simple(self, at):
        """To its semicolon, or behind the body of a function; semicolons in
        brackets belong to it."""
        while at < len(self.tokens):
            kind, text, _ = self.tokens[at]
            if kind == "mark" and text in "({[":
                end = self.close(at)
                if text == "{":
                    self.block(at + 1, end - 1)
                    if self.word(at - 1) == ")" and re.match(
                            r"\w|[}]|$", self.word(self.skip(end))):
                        return end
                at = end
                continue
            if kind == "mark" and text in ")}]":
                return at
            at += 1
            if kind == "mark" and text == ";":
                break
        return at

    def body(self, at, chain):
        """The token behind it; adds it to the chain."""
        first = self.skip(at)
        noted = first != at
        braced = self.word(first) == "{"
        if not braced:
            end, simple = self.statement(first)
            chain.append(self.make(first, end, False, simple, noted))
            return end
        end = self.close(first)
        inner = self.skip(first + 1)
        last, simple = inner, False
        if inner < end - 1 and self.word(inner) not in ("{", "case",
                                                          "default"):
            mark = len(self.chains)
            last, simple = self.statement(inner)
            del self.chains[mark:]
        whole = self.skip(last) == end - 1 and inner != end - 1
        noted = noted or inner != first + 1 or last != end - 1
        self.block(first + 1, end - 1)
        chain.append(self.make(first, end, True, simple and whole, noted))
        return end

    def make(self, first, end, braced, simple, noted):
        last = self.tokens[end - 1]
        return Body(self.tokens[first][2], last[2] + len(last[1]), braced,
                    simple, noted)

    def condition(self, at, chain=None):
        """An if with all its else, a for, a while or a switch."""
        word = self.word(at)
        at = self.skip(at + 1)
        if self.word(at) != "(":
            return at       # in a macro
        at = self.close(at)
        if word == "switch" or word == "while" and \
                self.word(self.skip(at)) == ";":
            return self.statement(at)[0]
        own = [] if chain is None else chain
        at = self.body(at, own)
        if word == "if" and self.word(self.skip(at)) == "else":
            at = self.skip(at) + 1
            after = self.skip(at)
            if self.word(after) == "if":
                at = self.condition(after, own)
            else:
                at = self.body(at, own)
        if chain is None:
            self.chains.append(own)
        return at

    def loop(self, at):
        """do ... while (...);"""
        at = self.statement(at + 1)[0]
        at = self.skip(at)
        if self.word(at) == "while":
            at = self.close(self.skip(at + 1))
            if self.word(self.skip(at)) == ";":
                at = self.skip(at) + 1
        return at

    def block(self, at, end):
        while at < end:
            at = self.skip(at)
            if at >= end:
                break
            after = self.statement(at)[0]
            at = after if after > at else at + 1

    def parse(self):
        self.block(0, len(self.tokens))
        return self.chains


def wants_braces(chain):
    """Whether the branches of a condition have to have braces."""
    return any(not body.simple or (body.noted and body.braced)
               for body in chain)


def faults(text):
    """The bodies whose braces are missing, or are too many."""
    return [body for chain in Parser(text).parse() for body in chain
            if body.braced != wants_braces(chain)]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def without_brace(text, at):
    """The text without the brace at an offset, and the blanks that go too."""
    if text[at] == "{":
        return text[:at].rstrip(" \t\n") + text[at + 1:]
    begin = text.rfind("\n", 0, at) + 1
    rest = text[at + 1:].lstrip(" ")
    if rest.startswith("\n"):
        return text[:begin] + rest[1:]
    return text[:at] + rest


def with_braces(text, body):
    begin = text.rfind("\n", 0, body.begin) + 1
    indent = text[begin:body.begin].replace("\t", "", 1)
    before = text[:body.begin].rstrip()
    after = text[body.end:]
    joined = re.match(r"\s*else\b", after)
    return (before + " {\n" + text[begin:body.end] + "\n" + indent + "}" +
            (" else" + after[joined.end():] if joined else after))


def fixed(text):
    """The text with all faults corrected, the last one first."""
    while True:
        wrong = faults(text)
        missing = [body for body in wrong if not body.braced]
        if missing:
            text = with_braces(text, missing[-1])
            continue
        if not wrong:
            return text
        for at in sorted((offset for body in wrong
                          for offset in (body.begin, body.end - 1)),
                         reverse=True):
            text = without_brace(text, at)


def main(args):
    fix = args[:1] == ["--fix"]
    status = 0
    for path in map(pathlib.Path, args[fix:]):
        text = path.read_text()
        if fix:
            path.write_text(fixed(text))
            continue
        for body in faults(text):
            print("%s:%d: %s" % (path, line_of(text, body.begin),
                                 "braces around a single statement"
                                 if body.braced else "braces are missing"))
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
