# SPDX-License-Identifier: BSD-2-Clause
"""Divides a text into tokens.

Comments are not tokens, but they are kept, because they are documentation:
``before[i]`` is the comment right above token i (its last line on the line
above, nothing else between), ``after[i]`` the one that begins on the line
where token i ends, and ``above[i]`` the one right above pragma i:

    /* A command is dispatched. */              <- before["probe"]
    probe request_start(
            uint64_t mid,   /* MessageId */     <- after[","]
            void *req);     // the pairing key  <- after[";"]
                            // while it lives      (joined to the line above)

Lines whose first character is '#' are kept in ``directives``. The time is
linear in the length of the text: there is one pass with one regular expression
that never goes back, and tokens are in parallel lists, not one object each.
"""

import re
import sys

NAME = "name"
NUMBER = "number"
STRING = "string"
PUNCTUATION = "punctuation"
END = "end"

_SCAN = re.compile(
    r"[ \t\r\n\f\v]*(?:"
    r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<comment>/[/*])"
    r"|(?P<punctuation>\.\.\.|->|&&|\|\||\^\^|[=!<>]=|<<|>>|\+\+|--"
    r"|[][(){}*,;:<>=.&|^!~+\-/%?`@$])"
    r"|(?P<number>[0-9][0-9A-Za-z_.]*)"
    r"|(?P<directive>\#)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))")
_BLANK = re.compile(r"[ \t\r\n\f\v]*")
_BAD = re.compile(r"[^\n -~]+|.", re.S)
_DIRECTIVE = re.compile(r"#(?:[^\\\n]|\\\r?\n|\\.)*")
# bytes that are not UTF-8, as they were decoded
_NOT_UTF8 = re.compile("[\udc80-\udcff]+")
# the byte order mark of UTF-16, decoded as if it were UTF-8
_UTF16 = ("\udcff\udcfe", "\udcfe\udcff")
_NULS = re.compile(r"(?:[\n -~]\0){4}|(?:\0[\n -~]){4}")

# the beginning of a comment within a comment; `/etc/*` is not one
_NESTED = re.compile(r"\s/\*")
# a rule for make: server.o: server.c server.h \
_START = re.compile(r"(?:[ \t\r\n\f\v]+|#[^\n]*\n)*")
_RULE = re.compile(
    r"(?!//)(?:[^\s:*;{(]+[ \t]+)*[^\s:*;{(]+[ \t]*:(?:[ \t]|\\?\n)+"
    r"(?:[^\s:*;{(]+[ \t]+)*?[^\s:*;{(]+\."
    r"(?:c|cc|cpp|cxx|c\+\+|C|m|mm|[sS]|h|hh|hpp|d)(?!\S)")
_RULE_LIMIT = 4096      # characters of its first line that are looked at

_NOWHERE = 1 << 30      # a column to the right of all others

_TOKEN_KINDS = frozenset((NAME, NUMBER, STRING, PUNCTUATION))


class Tokens:
    """The tokens of a source: token i has the text texts[i], the kind kinds[i]
    and the offset starts[i]. The last token has the kind END."""

    def __init__(self, source):
        self.source = source
        self.texts = []
        self.kinds = []
        self.starts = []
        self.before = {}        # token -> lines of the comment above it
        self.after = {}         # token -> lines of the comment behind it
        self.above = {}         # number of a pragma -> comment above it
        self.directives = []    # (start, end) of lines that begin with '#'
        self.nested = []        # (comment, `/*` within it)

    def end(self, index):
        """Returns the offset behind a token."""
        if self.kinds[index] == END:
            return self.starts[index]
        return self.starts[index] + len(self.texts[index])

    def add(self, kind, text, start):
        self.kinds.append(kind)
        self.texts.append(text)
        self.starts.append(start)


def lex(source, diag):
    """Returns the tokens of ``source``. Bad characters are reported and left
    out."""
    return _Lexer(source, diag).run()


class _Comment:
    """A comment, or several // comments below each other."""

    def __init__(self, lines, end, column, trailing, indent):
        self.lines = lines
        self.end = end
        self.column = column        # None for a block comment
        self.trailing = trailing    # begins on the line of a token's end
        # The preprocessor replaces the blanks between a token and a comment
        # behind it by one blank, but leaves the next line as it was. Then a
        # comment on that line continues this one if it is farther right than
        # the code, whose column this is.
        self.indent = indent


class _Lexer:
    def __init__(self, source, diag):
        self.source = source
        self.text = source.text
        self.diag = diag
        self.tokens = Tokens(source)
        self.comment = None         # the last comment since the last token
        self.pragmas = 0            # how many there were
        self.line_start = 0         # offset of the line that is looked at
        self.looked_at = 0          # up to where line ends were searched

    def run(self):
        scan, text, tokens = _SCAN.match, self.text, self.tokens
        intern = sys.intern     # most texts repeat: this saves memory
        add_kind, add_text, add_start = (
            tokens.kinds.append, tokens.texts.append, tokens.starts.append)
        at, size = int(text.startswith("\ufeff")), len(text)
        if text.startswith(_UTF16) or _NULS.match(text):
            self.diag.error("BAD_BYTE", self.source, 0, 1,
                            "the file is encoded in UTF-16",
                            "save the file as UTF-8 or as plain ASCII")
            at = size
        elif text.startswith("\x7fELF"):
            self.diag.error("BAD_BYTE", self.source, 0, 1,
                            "the file is a program, not a description")
            at = size
        elif self._is_rule():
            at = size
        while at < size:
            found = scan(text, at)
            kind = found.lastgroup if found else None
            if kind in _TOKEN_KINDS:
                start = found.start(kind)
                if self.comment:
                    self._comment_above(start)
                add_kind(kind)
                add_text(intern(found.group(kind)))
                add_start(start)
                at = found.end()
            else:
                at = self._other(kind, found, at)
        tokens.add(END, "end of file", size)
        return tokens

    def _other(self, kind, found, at):
        """Handles what is not a token: a comment, a directive or a fault.
        Returns the offset to continue at."""
        if kind == "comment":
            return self._take_comment(found.start(kind))
        at = _BLANK.match(self.text, at).end()
        if at == len(self.text):
            return at
        self._find_line(at)
        if kind == "directive" and not self._token_on_this_line():
            end = _DIRECTIVE.match(self.text, at).end()
            self.tokens.directives.append((at, end))
            self._comment_above_pragma(at, end)
            self._comment_above_directive(end)
            return end
        if self.text[at] in "\"'":
            self._open_string(at)
            return at + 1
        return self._bad_bytes(at)

    def _find_line(self, at):
        """Finds the beginning of the line of ``at``, searching from where it
        last looked."""
        self.line_start = self.text.rfind("\n", self.looked_at, at) + 1 or (
            self.line_start)
        self.looked_at = at

    def _token_on_this_line(self):
        """Returns whether a token ends on the line that is looked at."""
        return bool(self.tokens.texts) and (
            self.tokens.end(len(self.tokens.texts) - 1) > self.line_start)

    def _line_end(self, at):
        end = self.text.find("\n", at)
        return end if end >= 0 else len(self.text)

    # -------------------------------------------------------------- comments

    def _take_comment(self, start):
        self._find_line(start)
        if self.text[start + 1] == "/":
            end = self._line_end(start)
            self._keep([self.text[start + 2:end].strip()], start, end,
                       self._column(start))
            return end
        end = self.text.find("*/", start + 2)
        if end < 0:
            self.diag.error("OPEN_COMMENT", self.source, start, start + 2,
                            "this comment is never closed",
                            "close it with */")
            return len(self.text)
        nested = _NESTED.search(self.text, start + 2, end)
        if nested:
            self.tokens.nested.append((start, nested.start() + 1))
        self._keep(block_lines(self.text[start + 2:end]), start, end + 2, None)
        return end + 2

    def _column(self, at):
        return len(self.text[self.line_start:at].expandtabs(8))

    def _keep(self, lines, start, end, column):
        """Notes a comment: behind the token that ends on its line, or for the
        token that follows, or as a continuation of the last comment."""
        lines = [_NOT_UTF8.sub(_from_windows, line) for line in lines]
        last = self.comment
        if (last and column is not None
                and (last.column == column or last.indent < column)
                and self.text.count("\n", last.end, start) == 1):
            last.lines.extend(lines)
            last.end, last.column, last.indent = end, column, _NOWHERE
            return
        trailing = self._token_on_this_line()
        if trailing:
            index = len(self.tokens.texts) - 1
            kept = self.tokens.after.setdefault(index, [])
            kept.extend(lines)
            lines = kept
        indent = _NOWHERE
        if trailing and column is not None and self.source.preprocessed:
            indent = self._column(_BLANK.match(self.text,
                                               self.line_start).end())
        self.comment = _Comment(lines, end, column, trailing, indent)

    def _comment_above(self, start):
        """Gives the last comment to the token at ``start``, if it stands right
        above."""
        comment, self.comment = self.comment, None
        if not comment.trailing and self.text.count(
                "\n", comment.end, start) <= 1:
            self.tokens.before[len(self.tokens.texts)] = comment.lines

    def _comment_above_pragma(self, start, end):
        """Gives the last comment to a pragma right below it. Pragmas are
        numbered, because their offsets differ between two runs of the
        preprocessor."""
        if self.text[start + 1:end].split(None, 1)[:1] != ["pragma"]:
            return
        comment = self.comment
        if comment and not comment.trailing and self.text.count(
                "\n", comment.end, start) <= 1:
            self.tokens.above[self.pragmas] = comment.lines
        self.pragmas += 1

    def _comment_above_directive(self, end):
        """Forgets the last comment, because a directive follows it. The
        exception is a linemarker after which the file continues where it was,
        such as the preprocessor writes before the macro of a system header."""
        comment = self.comment
        if comment and self.source.preprocessed:
            name, line, _ = self.source.position(comment.end)
            following = self.source.position(end + 1)
            if name == following[0] and 0 <= following[1] - line <= 1:
                comment.end = end
                return
        self.comment = None

    # ---------------------------------------------------------------- faults

    def _is_rule(self):
        """Reports a description that `gcc -MMD` has overwritten; returns
        whether it was."""
        at = _START.match(self.text).end()
        if not _RULE.match(self.text, at, at + _RULE_LIMIT):
            return False
        stem = re.sub(r"\.d\Z|.*[<>/].*", "", self.source.name) or "NAME"
        self.diag.error(
            "DEPENDENCY_RULE", self.source, at, self.text.index(":", at),
            "the file is a rule for make, not a description: 'gcc -MMD' "
            "writes what NAME.o depends on to NAME.d",
            "restore the description, and give it a name that no C file has, "
            "such as %s_probes.d" % stem)
        return True

    def _open_string(self, at):
        self.diag.error("OPEN_STRING", self.source, at, self._line_end(at),
                        "this constant is not closed on its line",
                        "close it with %s" % self.text[at])

    def _bad_bytes(self, at):
        end = _BAD.match(self.text, at).end()
        first = self.text[at]
        self.diag.error("BAD_BYTE", self.source, at, end,
                        "unexpected %s" % describe(first),
                        None if " " <= first <= "~" else
                        "use only ASCII outside of comments")
        return end


def _from_windows(found):
    """Returns the text of bytes that are not UTF-8: old descriptions have
    comments in Latin-1, of which Windows-1252 is a superset."""
    return found[0].encode("utf-8", "surrogateescape").decode(
        "cp1252", "replace")


def describe(char):
    """Returns a character as a message can name it. Bytes that are not UTF-8
    were decoded to lone surrogates."""
    if "\udc80" <= char <= "\udcff":
        return "byte 0x%02x" % (ord(char) - 0xdc00)
    if char.isprintable():
        return "character '%s'" % char
    return ("byte 0x%02x" if char < "\x80" else "character U+%04X") % (
        ord(char))


def block_lines(body):
    """Returns the lines of a block comment without the stars at its left."""
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
