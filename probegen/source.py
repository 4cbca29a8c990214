# SPDX-License-Identifier: BSD-2-Clause
"""The text of one input file, and positions in it.

Each line ends with one newline, whatever the file has. A position is an offset
into the text; file, line and column are computed when a message needs them.
Lines and columns count from 1; a column counts characters, and a tab is one
character. In the preprocessor's output a line like

    # 12 "smb2.d" 2

says where the next one came from.
"""

import bisect
import re

_MARKER = re.compile(r'^#(?:line)? *([0-9]+) "((?:[^"\\\n]|\\.)*)"[^\n]*\n',
                     re.M)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")


class Source:
    """A text with a name. ``name`` is what messages print: the path as the
    user gave it.

    preprocessed: whether linemarkers are read.
    """

    def __init__(self, name, text, preprocessed=False):
        self.name = name
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text
        self.preprocessed = preprocessed
        self._starts = None     # offset of each line
        self._markers = None    # (file, line number) of each linemarker
        self._offsets = None    # from which offset each linemarker applies

    def _line_starts(self):
        if self._starts is None:
            self._starts = [0]
            at = self.text.find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = self.text.find("\n", at + 1)
        return self._starts

    def _line_index(self, offset):
        return bisect.bisect_right(self._line_starts(), offset) - 1

    def _marker(self, offset):
        """Returns (offset, file, line) of the linemarker that applies to
        ``offset``."""
        if self._markers is None:
            found = list(_MARKER.finditer(self.text)) if (
                self.preprocessed) else []
            self._markers = [(self.name, 1)] + [
                (_unescaped(marker[2]), int(marker[1])) for marker in found]
            self._offsets = [0] + [marker.end() for marker in found]
        index = bisect.bisect_right(self._offsets, offset) - 1
        return (self._offsets[index],) + self._markers[index]

    def has_markers(self):
        """Returns whether linemarkers tell which lines are from which file."""
        self._marker(0)
        return len(self._markers) > 1

    def included(self):
        """Returns the files that the linemarkers name, in order of appearance.
        """
        self._marker(0)
        return list(dict.fromkeys(name for name, _ in self._markers))

    def position(self, offset):
        """Returns (file, line, column) of ``offset``."""
        index = self._line_index(offset)
        start, name, line = self._marker(offset)
        return (name, line + index - self._line_index(start),
                offset - self._line_starts()[index] + 1)

    def line_text(self, offset):
        """Returns the line that contains ``offset``, without its end."""
        start = self._line_starts()[self._line_index(offset)]
        end = self.text.find("\n", start)
        return self.text[start:end if end >= 0 else None]


def _unescaped(name):
    """Returns the name of a file in a linemarker. gcc escapes quotes,
    backslashes and newlines; clang escapes everything that is not ASCII with
    octal numbers."""
    if "\\" not in name:
        return name
    data = _ESCAPED.sub(
        lambda found: bytes((int(found[1], 8),)) if len(found[1]) == 3 else
        found[1].replace(b"n", b"\n"),
        name.encode("utf-8", "surrogateescape"))
    return data.decode("utf-8", "surrogateescape")
