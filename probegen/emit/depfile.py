# SPDX-License-Identifier: BSD-2-Clause
"""A rule for make that tells what an output is made of.

    my\\ smb2.h: smb2.d \\
      common.h

Names are escaped as `gcc -MD` does it, which make and ninja both read: a
backslash before a blank and `#`, backslashes before a blank doubled, `$$`; and
`\\:`, which gcc forgets.
"""

import re

_SPECIAL = re.compile(r"(\\*)([ #:])|\$")
# make and ninja do not agree on a backslash before `#` and `:`
_UNSAYABLE = re.compile(r"[\n\r\t]|\\[#:]|\\\Z")


def emit(model, target, inputs):
    """The rule of the native header."""
    return rule(target, inputs)


def rule(target, inputs):
    """The rule of any target; ``inputs`` are names of files."""
    return "%s: %s\n" % (escaped(target),
                         " \\\n  ".join(escaped(name) for name in inputs))


def escaped(name):
    """A file's name as make and ninja read it."""
    return _SPECIAL.sub(
        lambda found: found[1] * 2 + "\\" + found[2] if found[2] else "$$",
        name)


def is_sayable(name):
    """Whether a rule can name the file at all."""
    return _UNSAYABLE.search(name) is None
