# SPDX-License-Identifier: BSD-2-Clause
"""The text of one input file, and places in it.

A place is an offset into the text; line and column are computed when a
message needs them. Lines and columns count from 1; a column counts characters,
a tab being one.
"""

import bisect


class Source:
    """A named text. ``name`` is what messages print, as the user gave it."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        self._starts = None     # offsets of the lines' first characters

    def _line_starts(self):
        if self._starts is None:
            self._starts = [0]
            at = self.text.find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = self.text.find("\n", at + 1)
        return self._starts

    def line_number(self, offset):
        """The number of the line that holds ``offset``."""
        return bisect.bisect_right(self._line_starts(), offset)

    def position(self, offset):
        """(line, column) of ``offset``."""
        line = self.line_number(offset)
        return line, offset - self._line_starts()[line - 1] + 1

    def line_text(self, line):
        """Line number ``line`` without its end."""
        start = self._line_starts()[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:end if end >= 0 else None].rstrip("\r")
