# SPDX-License-Identifier: BSD-2-Clause
"""Text to tokens.

Comments are no tokens, but they are kept, for they are documentation:
``before[i]`` is the comment right above token i (its last line on the line
above, nothing else between), ``after[i]`` the one that begins on the line
where token i ends:

    /* A command is dispatched. */              <- before["probe"]
    probe request_start(
            uint64_t mid,   /* MessageId */     <- after[","]
            void *req);     // the pairing key  <- after[";"]
                            // while it lives      (joined to the line above)

Lines whose first character is '#' are directives and linemarkers; they do not
change what a description declares. Time is linear in the text.
"""

import re
from collections import namedtuple

IDENTIFIER = "name"
NUMBER = "number"
STRING = "string"
PUNCTUATION = "punctuation"
END = "end"

Token = namedtuple("Token", "kind text start end")
Tokens = namedtuple("Tokens", "source tokens before after")

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>[0-9][0-9A-Za-z_.]*)"
    r"|(?P<punctuation>\.\.\.|->|[][(){}*,;:<>=.&|^!~+\-/%?`@$])")
_BAD = re.compile(r"[^\n -~]+|.")
_BLANK = re.compile(r"[ \t\r\n\f\v]+")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|' r"'(?:[^'\\\n]|\\.)*'")


def lex(source, diag):
    """The tokens of ``source``, closed by one of kind END. Bad characters are
    reported and left out."""
    return _Lexer(source, diag).run()


class _Comment:
    """A comment, or a run of // comments below each other."""

    def __init__(self, lines, last, column, line_style, trailing):
        self.lines = lines
        self.last = last                # number of its last line
        self.column = column
        self.line_style = line_style    # "//"
        self.trailing = trailing        # begins on the line of a token's end


class _Lexer:
    def __init__(self, source, diag):
        self.source = source
        self.text = source.text
        self.diag = diag
        self.tokens = []
        self.before = {}
        self.after = {}
        self.comment = None     # the last one since the last token
        self.token_line = 0     # the line on which the last token ended
        self.line = 1           # that of self.at
        self.line_start = 0
        self.at = 0

    def run(self):
        while self.at < len(self.text):
            if not (self._blank() or self._directive() or self._comment()
                    or self._token() or self._string()):
                self._bad_bytes()
        end = len(self.text)
        self.tokens.append(Token(END, "end of file", end, end))
        return Tokens(self.source, self.tokens, self.before, self.after)

    def _move_to(self, offset):
        """Goes on at ``offset`` and keeps count of the lines."""
        lines = self.text.count("\n", self.at, offset)
        if lines:
            self.line += lines
            self.line_start = self.text.rfind("\n", 0, offset) + 1
        self.at = offset

    def _end_of_line(self):
        end = self.text.find("\n", self.at)
        return end if end >= 0 else len(self.text)

    def _blank(self):
        match = _BLANK.match(self.text, self.at)
        if match:
            self._move_to(match.end())
        return match is not None

    def _directive(self):
        if (self.text[self.at] != "#"
                or self.text[self.line_start:self.at].strip()):
            return False
        end = self._end_of_line()
        while (self.text[self.at:end].rstrip("\r").endswith("\\")
               and end < len(self.text)):
            self._move_to(end + 1)
            end = self._end_of_line()
        self._move_to(end)
        self.comment = None
        return True

    def _comment(self):
        opener = self.text[self.at:self.at + 2]
        if opener not in ("//", "/*"):
            return False
        start = self.at
        if opener == "//":
            end = self._end_of_line()
            lines = [self.text[start + 2:end].strip()]
        else:
            end = self.text.find("*/", start + 2)
            if end < 0:
                self.diag.error("OPEN_COMMENT", self.source, start, start + 2,
                                "this comment does not end",
                                "close it with */")
                self._move_to(len(self.text))
                return True
            lines = block_lines(self.text[start + 2:end])
            end += 2
        self._keep(lines, opener == "//", end)
        return True

    def _keep(self, lines, line_style, end):
        """Files the comment from self.at to ``end`` where it belongs."""
        first = self.line
        column = len(self.text[self.line_start:self.at].expandtabs(8))
        self._move_to(end)
        last = self.comment
        if (last and line_style and last.line_style
                and (first, column) == (last.last + 1, last.column)):
            last.lines.extend(lines)
            last.last = self.line
            return
        trailing = first == self.token_line
        if trailing:
            kept = self.after.setdefault(len(self.tokens) - 1, [])
            kept.extend(lines)
            lines = kept
        self.comment = _Comment(lines, self.line, column, line_style, trailing)

    def _token(self):
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            return False
        self._add(match.lastgroup, match.end())
        return True

    def _string(self):
        quote = self.text[self.at]
        if quote not in "\"'":
            return False
        match = _STRING.match(self.text, self.at)
        if match:
            self._add(STRING, match.end())
            return True
        self.diag.error("OPEN_STRING", self.source, self.at,
                        self._end_of_line(),
                        "this constant does not end on its line",
                        "close it with %s" % quote)
        self._move_to(self.at + 1)
        return True

    def _add(self, kind, end):
        comment = self.comment
        if comment:
            if not comment.trailing and comment.last + 1 >= self.line:
                self.before[len(self.tokens)] = comment.lines
            self.comment = None
        self.tokens.append(Token(kind, self.text[self.at:end], self.at, end))
        self._move_to(end)
        self.token_line = self.line

    def _bad_bytes(self):
        end = _BAD.match(self.text, self.at).end()
        first = self.text[self.at]
        self.diag.error("BAD_BYTE", self.source, self.at, end,
                        "unexpected %s" % describe(first),
                        None if " " <= first <= "~" else
                        "outside comments a description is plain ASCII")
        self._move_to(end)


def describe(char):
    """A character as a message can name it; bytes that are not UTF-8 were
    decoded to lone surrogates."""
    if "\udc80" <= char <= "\udcff":
        return "byte 0x%02x" % (ord(char) - 0xdc00)
    if char.isprintable():
        return "character '%s'" % char
    return "byte 0x%02x" % ord(char)


def block_lines(body):
    """The lines of a block comment without their frame of stars."""
    lines = []
    for line in body.split("\n"):
        line = line.strip()
        if line.startswith("*"):
            line = line.lstrip("*")
            line = line[1:] if line.startswith(" ") else line.lstrip("\t")
        lines.append(line)
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines
