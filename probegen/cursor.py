# SPDX-License-Identifier: BSD-2-Clause
"""A position in a list of tokens, and what all parsers do with it."""

from . import lexer

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())


class Fault(Exception):
    """An error was reported. Unwinds to where parsing can continue.
    """


class Cursor:
    """``self.at`` is the index of the next token. The last token, of kind END,
    is never passed."""

    def __init__(self, tokens, diag):
        self.tokens = tokens
        self.texts = tokens.texts
        self.kinds = tokens.kinds
        self.diag = diag
        self.at = 0

    def text(self, ahead=0):
        """Returns the text of the token that is ``ahead`` tokens further on.
        """
        try:
            return self.texts[self.at + ahead]
        except IndexError:      # behind END there is only END
            return self.texts[-1]

    def is_name(self, ahead=0):
        try:
            return self.kinds[self.at + ahead] == lexer.NAME
        except IndexError:
            return False

    def at_end(self):
        return self.kinds[self.at] == lexer.END

    def accept(self, text):
        """Passes the token if it is ``text``; returns whether it was."""
        if self.texts[self.at] != text or self.at_end():
            return False
        self.at += 1
        return True

    def expect(self, text, hint=None):
        """Passes ``text``, or reports what stands there instead."""
        if not self.accept(text):
            self.fail("expected '%s'" % text, hint)

    def take_name(self, what):
        """Passes a name and returns its index."""
        if not self.is_name():
            self.fail("expected %s" % what)
        self.at += 1
        return self.at - 1

    def skip_balanced(self):
        """Passes a bracket and everything up to the bracket that closes it."""
        first, depth = self.at, 0
        while not self.at_end():
            text = self.texts[self.at]
            depth += (text in _OPEN) - (text in _CLOSE)
            self.at += 1
            if depth == 0:
                return
        self.report("UNEXPECTED_END", first, "this '%s' is never closed"
                    % self.texts[first])
        raise Fault()

    def skip_to(self, stops):
        """Moves to the next token of ``stops`` that is outside of brackets."""
        while not self.at_end() and self.texts[self.at] not in stops:
            if self.texts[self.at] in _OPEN:
                self.skip_balanced()
            else:
                self.at += 1

    def spelled(self, first, last):
        """Returns the source from token ``first`` up to, but not including,
        token ``last``, on one line."""
        start = self.tokens.starts[first]
        end = self.tokens.end(last - 1)
        return " ".join(self.tokens.source.text[start:end].split())

    # ---------------------------------------------------------------- faults

    def report(self, code, index, text, hint=None):
        """Reports an error at the position of a token."""
        start = self.tokens.starts[index]
        self.diag.error(code, self.tokens.source, start,
                        max(start + 1, self.tokens.end(index)), text, hint)

    def fail(self, text, hint=None):
        """Reports the present token, and gives up what is being parsed."""
        code = "UNEXPECTED_END" if self.at_end() else "UNEXPECTED_TOKEN"
        self.report(code, self.at, "%s, found %s" % (text, self.found()), hint)
        raise Fault()

    def found(self):
        """Returns the present token as a message can name it."""
        if self.at_end():
            return "the end of the file"
        text = self.texts[self.at]
        return "'%s'" % (text if len(text) <= 40 else text[:40] + "...")
