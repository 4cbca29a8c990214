# SPDX-License-Identifier: BSD-2-Clause
"""A rule for make that tells what the header is made of.

    smb2.h: smb2.d \\
      common.h
"""

import os.path


def emit(model, inputs):
    """The rule of the native header."""
    return rule(os.path.splitext(model.name)[0] + ".h", inputs)


def rule(target, inputs):
    """The rule of any target; ``inputs`` are names of files."""
    escaped = [name.replace(" ", "\\ ").replace("$", "$$") for name in inputs]
    return "%s: %s\n" % (target, " \\\n  ".join(escaped))
