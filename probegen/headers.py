# SPDX-License-Identifier: BSD-2-Clause
"""The headers of sdtkit itself, for an output that needs no other file, and
for the version, which stands in sdtkit/probe.h only.

    #include <sdtkit/describe.h>

in one of them is replaced by the text of that file. That happens once for each
file, as its include guard would have it; other includes stay. Comments are
left out: a project that commits such a header needs the code, and finds the
documentation in sdtkit. A file of _PARTS is left out if it is not asked for,
and the #include of one of _ELSEWHERE stays.
"""

import os
import re

from . import files

# the directory that has sdtkit/probe.h, relative to this one: in a checkout,
# and in an installation
_DIRECTORIES = ("../include", "../../../include")
# what sdtkit/probe.h includes for probes with descriptions, and then for those
# with enums and so on; see model.library()
_PARTS = ("sdtkit/describe.h", "sdtkit/describe-enum.h",
          "sdtkit/describe-record.h", "sdtkit/describe-span.h")
# what only -DSDTKIT_USE_SYS_SDT needs: such a build has sdtkit installed
_ELSEWHERE = ("operand-systemtap.h", "site-systemtap.h")
_INCLUDE = re.compile(r'^#[ \t]*include[ \t]*[<"](?:sdtkit/)?([a-z-]+\.h)[">]'
                      r'[^\n]*\n', re.M)
# no string in these headers contains /* or */
_COMMENT = re.compile(r"[ \t]*/\*.*?\*/[ \t]*", re.S)
_BLANK_LINES = re.compile(r"\n{3,}")
_ALIGNED = re.compile(r"[ \t]+\\$", re.M)     # the end of a line of a macro
_VERSION = re.compile(rb'^#define SDTKIT_VERSION "(.*)"$', re.M)


def version(faults):
    """Returns the version in the headers, which is that of all of sdtkit."""
    path = os.path.join(_folder("sdtkit/probe.h"), "sdtkit/probe.h")
    found = _VERSION.search(files.read(path, faults) or b"")
    return found[1].decode() if found else "of an unknown version"


def folded(names, faults):
    """Returns the text of headers, with the headers of sdtkit that they
    include inserted. A file that cannot be read is added to ``faults``."""
    folder = _folder(names[0])
    left_out = {os.path.join(folder, name) for name in _PARTS} - {
        os.path.join(folder, name) for name in names}
    text = "".join(_included(os.path.join(folder, name), left_out, faults)
                   for name in names if name not in _PARTS)
    return _BLANK_LINES.sub("\n\n", _ALIGNED.sub(r" \\", text))


def own_files(with_headers):
    """Returns the names of what makes the output beside its inputs: the files
    of probegen, and those of sdtkit's headers if the output contains them. The
    directories are among them: a package manager gives a file the time when it
    was released, and the directory the time when it was replaced."""
    here = os.path.dirname(os.path.realpath(__file__))
    names = _files_below(here, ".py")
    if with_headers:
        names += _files_below(os.path.join(_folder("sdtkit/probe.h"),
                                           "sdtkit"), ".h")
    return names


def _files_below(folder, suffix):
    found = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - {"__pycache__"})
        found += [path] + [os.path.join(path, name) for name in sorted(names)
                           if name.endswith(suffix)]
    return found


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
    # in two, because reuse takes what follows the colon for a licence
    head = "/* sdtkit/%s; SPDX-License-Identifier" \
        ": BSD-2-Clause */\n" % os.path.basename(path)
    return head + _INCLUDE.sub(lambda found: _replaced(
        found, os.path.dirname(path), seen, faults), _COMMENT.sub("", text))


def _replaced(found, folder, seen, faults):
    """Returns what replaces an #include: the text of a header of sdtkit, or
    the line itself for a header of the system."""
    path = os.path.join(folder, found[1])
    if found[1] in _ELSEWHERE or (
            "<sdtkit/" not in found[0] and not os.path.exists(path)):
        return found[0]         # as it is: a header of the system, mostly
    return _included(path, seen, faults)


def _included(path, seen, faults):
    """Returns the text of a header the first time, and nothing afterwards."""
    return "" if path in seen else _fold(path, seen, faults)
