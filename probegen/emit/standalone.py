# SPDX-License-Identifier: BSD-2-Clause
"""Writes the native C header with sdtkit/probe.h in it: one file to copy.

The text that `#include <sdtkit/probe.h>` would read stands in its place, with
its own include guard, so that a program may include several such headers and
native ones.
"""

from .. import model as models
from . import header


def emit(model, describe, probe_h):
    """Returns the text of the header. ``probe_h`` is the text of
    sdtkit/probe.h, with the text of each file that it includes in the place of
    its #include."""
    inline = ("\n#ifndef SDTKIT_ARG_INLINE\n#define SDTKIT_ARG_INLINE\n"
              "#endif\n") if "sdtkit/arg.h" in models.library(model) else ""
    return header.emit(model, describe, inline + "\n" + probe_h)
