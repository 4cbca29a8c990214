# SPDX-License-Identifier: BSD-2-Clause
"""The native C header with sdtkit/probe.h folded in: one file to copy.

What `#include <sdtkit/probe.h>` would bring stands in its place, in its own
guard, so that a program may have several such headers, and native ones too.
"""

from . import header


def emit(model, probe_h):
    """The header's text; ``probe_h`` is that of sdtkit/probe.h."""
    return header.emit(model, "\n" + probe_h)
