# SPDX-License-Identifier: BSD-2-Clause
"""Writes a rule for make that names the files from which an output is made.

    my\\ smb2.h: smb2.d \\
      common.h

Names are escaped as `gcc -MD` escapes them, which make and ninja both read: a
backslash precedes a blank and `#`, backslashes before a blank are doubled, and
`$` becomes `$$`. gcc forgets that `:` must become `\\:`.
"""

import re

_SPECIAL = re.compile(r"(\\*)([ #:])|\$")
# make and ninja read a backslash before `#` and `:` differently
_UNSAYABLE = re.compile(r"[\n\r\t]|\\[#:]|\\\Z")


def emit(model, target, inputs):
    """Returns the rule of the native header."""
    return rule(target, inputs)


def rule(target, inputs):
    """Returns the rule of any target. ``inputs`` are names of files."""
    return "%s: %s\n" % (escaped(target),
                         " \\\n  ".join(escaped(name) for name in inputs))


def escaped(name):
    """Returns the name of a file as make and ninja read it."""
    return _SPECIAL.sub(
        lambda found: found[1] * 2 + "\\" + found[2] if found[2] else "$$",
        name)


def is_sayable(name):
    """Returns whether a rule can name the file."""
    return _UNSAYABLE.search(name) is None
