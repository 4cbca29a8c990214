# SPDX-License-Identifier: BSD-2-Clause
"""Finds points between lines of a source file by function and statement.

sites.py says which points are wanted, patch.py puts lines there. Nothing here
knows line numbers beforehand: a statement is a sequence of tokens, so that
blanks, line ends and comments between them do not matter.

    smbd_smb2_request_pending_queue, after `req->subreq = subreq;`

Invariants
1. A point is between two lines: what is put there changes no line.
2. A statement that is found twice is not found, unless all are wanted.
3. A function begins at the left margin, with its name and a parenthesis, and
   its body is from a line `{` to the next line that begins with `}`, as in all
   of Samba's C code. That holds where #if makes braces not match.
"""

import difflib
import re
from collections import namedtuple

# text, and the number of its line from 0
Token = namedtuple("Token", "text line")

_TOKEN = re.compile(r"""
    (?P<skip> /\*.*?\*/ | //[^\n]* | \s+ | \\(?:\n|$) )
  | (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
            | \w+ | -> | \+\+ | -- | [=!<>]= | && | \|\| | [^\s\w] )
    """, re.VERBOSE | re.DOTALL)
_BEGINS = re.compile(r"[A-Za-z_].*?\b(\w+)\(")


class NotFound(Exception):
    """There is no such point; nearest is (line, text) or None."""

    def __init__(self, why, nearest=None):
        Exception.__init__(self, why)
        self.nearest = nearest


def tokens(text):
    """Returns the tokens of C without comments; good enough for Python too."""
    found = []
    line = 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "text":
            found.append(Token(match.group(), line))
        line += match.group().count("\n")
    return found


def functions(lines):
    """Returns {name: (line of `{`, line of `}`)} of all definitions."""
    found = {}
    name = None
    start = None
    for number, line in enumerate(lines):
        if start is not None:
            if line.startswith("}"):
                found.setdefault(name, (start, number))
                name = start = None
        elif line == "{" and name:
            start = number
        elif line.endswith(";"):
            name = None
        else:
            match = _BEGINS.match(line)
            name = match.group(1) if match else name
    return found


class Source:
    """A file as lines, its tokens and functions."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.tokens = tokens(text)
        self.functions = functions(self.lines)

    def span(self, function):
        """The lines of a function's body, `*` for the whole file."""
        if function == "*":
            return (0, len(self.lines) - 1)
        if function not in self.functions:
            near = difflib.get_close_matches(function, self.functions, 1)
            raise NotFound("no function %s()" % function, near and (
                self.functions[near[0]][0], near[0] + "()") or None)
        return self.functions[function]

    def find(self, function, before, after, each=False):
        """The numbers of the lines in front of which lines may be put, so
        that they stand between the statements before and after (token texts,
        either may be empty)."""
        first, last = self.span(function)
        body = [t for t in self.tokens if first <= t.line <= last]
        wanted = before + after
        texts = [t.text for t in body]
        hits = [i for i in range(len(texts) - len(wanted) + 1)
                if texts[i:i + len(wanted)] == wanted]
        if not hits:
            raise NotFound("statement not found",
                           self._nearest(wanted, first, last))
        if len(hits) > 1 and not each:
            raise NotFound("statement found %d times, lines %s" % (
                len(hits), ", ".join(str(body[i].line + 1) for i in hits)))
        return [self._point(body, i + len(before), bool(after)) for i in hits]

    @staticmethod
    def _point(body, index, is_after_wanted):
        """The line that begins with token index of body, or, where nothing
        is wanted behind the point, the line below the one before."""
        if not is_after_wanted:
            line = body[index - 1].line + 1
            if index < len(body) and body[index].line < line:
                raise NotFound("statement does not end its line",
                               (line - 1, body[index - 1].text))
            return line
        line = body[index].line
        if index and body[index - 1].line == line:
            raise NotFound("statement does not begin its line",
                           (line, body[index].text))
        return line

    def _nearest(self, wanted, first, last):
        """Returns the line that is most similar to the statement."""
        rated = [(difflib.SequenceMatcher(
            None, " ".join(wanted), " ".join(
                t.text for t in tokens(self.lines[n])), False).ratio(), -n)
            for n in range(first, last + 1) if self.lines[n].strip()]
        if not rated or max(rated)[0] < 0.5:
            return None
        number = -max(rated)[1]
        return (number, self.lines[number].strip())

    def includes(self):
        """The line below the first block's last #include, outside any #if."""
        depth = 0
        below = None
        for number, line in enumerate(self.lines):
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            elif depth == 0 and re.match(r"\s*#\s*include\b", line):
                below = number + 1
            elif line == "{":
                break
        if below is None:
            raise NotFound("no #include")
        return below
