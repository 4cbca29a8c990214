# SPDX-License-Identifier: BSD-2-Clause
"""Names that a variable of the environment chooses from those that there are:
SDTKIT_FEATURES="tsmbd,sdtkit top, three clients at once"."""

import os
import re

import pytest


def chosen(variable, known):
    """Returns the names in the variable, or all known ones if it is empty or
    not set. Commas separate the names; one that a blank follows is a part of a
    name."""
    text = os.environ.get(variable)
    names = re.split(r",(?! )", text) if text else list(known)
    for name in names:
        if name not in known:
            raise pytest.UsageError("%s: there is no '%s': use %s" % (
                variable, name, ", ".join("'%s'" % one for one in known)))
    return names
