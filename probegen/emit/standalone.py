# SPDX-License-Identifier: BSD-2-Clause
"""The native C header with sdtkit/probe.h folded in: one file to copy.

What `#include <sdtkit/probe.h>` would bring stands in its place, in its own
guard, so that a program may have several such headers, and native ones too.
"""

from .. import model as models
from . import header


def emit(model, describe, probe_h):
    """The header's text; ``probe_h`` is that of sdtkit/probe.h, in which the
    files that it includes have taken the places of their #include."""
    inline = ("\n#ifndef SDTKIT_ARG_INLINE\n#define SDTKIT_ARG_INLINE\n"
              "#endif\n") if "sdtkit/arg.h" in models.library(model) else ""
    return header.emit(model, describe, inline + "\n" + probe_h)
