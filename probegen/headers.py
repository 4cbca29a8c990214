# SPDX-License-Identifier: BSD-2-Clause
"""The headers of sdtkit itself, for an output that needs no other file, and
for the version, which stands in sdtkit/probe.h only.

    #include <sdtkit/describe.h>

in one of them is replaced by the text of that file. That happens once for each
file, as its include guard would have it; other includes stay. Comments are
left out: a project that commits such a header needs the code, and finds the
documentation in sdtkit.
"""

import os
import re

from . import files

# the directory that has sdtkit/probe.h, relative to this one: in a checkout,
# and in an installation
_DIRECTORIES = ("../include", "../../../include")
_INCLUDE = re.compile(r'^#[ \t]*include[ \t]*[<"](?:sdtkit/)?([a-z-]+\.h)[">]'
                      r'[^\n]*\n', re.M)
# no string in these headers contains /* or */
_COMMENT = re.compile(r"[ \t]*/\*.*?\*/[ \t]*", re.S)
_BLANK_LINES = re.compile(r"\n{3,}")
_VERSION = re.compile(rb'^#define SDTKIT_VERSION "(.*)"$', re.M)


def version(faults):
    """Returns the version in the headers, which is that of all of sdtkit."""
    path = os.path.join(_folder("sdtkit/probe.h"), "sdtkit/probe.h")
    found = _VERSION.search(files.read(path, faults) or b"")
    return found[1].decode() if found else "of an unknown version"


def folded(names, faults):
    """Returns the text of headers, with the headers of sdtkit that they
    include inserted. A file that cannot be read is added to ``faults``."""
    folder, seen = _folder(names[0]), set()
    return _BLANK_LINES.sub("\n\n", "".join(
        _included(os.path.join(folder, name), seen, faults) for name in names))


def _folder(name):
    """Returns the directory of sdtkit's headers that has this one."""
    here = os.path.dirname(os.path.realpath(__file__))
    found = [os.path.normpath(os.path.join(here, p)) for p in _DIRECTORIES]
    return next((p for p in found if os.path.exists(os.path.join(p, name))),
                found[-1])


def _fold(path, seen, faults):
    """Returns the text of one header, see folded()."""
    seen.add(path)
    text = (files.read(path, faults) or b"").decode("utf-8")
    head = "/* sdtkit/%s; SPDX-License-Identifier: BSD-2-Clause */\n" % (
        os.path.basename(path))
    return head + _INCLUDE.sub(lambda found: _replaced(
        found, os.path.dirname(path), seen, faults), _COMMENT.sub("", text))


def _replaced(found, folder, seen, faults):
    """Returns what replaces an #include: the text of a header of sdtkit, or
    the line itself for a header of the system."""
    path = os.path.join(folder, found[1])
    if "<sdtkit/" not in found[0] and not os.path.exists(path):
        return found[0]         # a header of the system
    return _included(path, seen, faults)


def _included(path, seen, faults):
    """Returns the text of a header the first time, and nothing afterwards."""
    return "" if path in seen else _fold(path, seen, faults)
