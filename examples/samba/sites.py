# SPDX-License-Identifier: BSD-2-Clause
"""Reads sites.txt, the table of points and of the lines that go there. The file
explains its format.

    file source3/smbd/smb2_server.c
    in smbd_smb2_request_pending_queue
    after req->subreq = subreq;
    <tab>SMB2_REQUEST_SUSPEND(...);

is Site(path, is_maybe=False, since=(0, 0), points=[Point(["smbd_smb2_..."],
[tokens of `req->subreq = subreq;`], [], False,
["\\tSMB2_REQUEST_SUSPEND(...);"])]).
"""

import re
from collections import namedtuple

import finder

# path: of the file, in Samba's tree
# is_maybe: whether a Samba may lack the function
# since: (major, minor) of the first Samba that has it
# points: alternatives; the first that is found counts
Site = namedtuple("Site", "path is_maybe since points line")

# functions: the first that exists and has the statement; `*` any place
# before, after: texts of the tokens around the point; both empty: the includes
# statement: as it was written, for messages
Point = namedtuple("Point", "functions statement before after is_each lines")

_INCLUDE = "#include"
_ANY = (0, 0)


class Wrong(Exception):
    """sites.txt has a syntax error."""


def _texts(text):
    return [t.text for t in finder.tokens(text)]


def _point(keyword, text):
    if keyword == "at":
        before, mark, after = text.partition(" @ ")
        if not mark:
            raise Wrong("`at` needs a ` @ ` between two statements")
        return _texts(before), _texts(after)
    return ([], _texts(text)) if keyword == "before" else (_texts(text), [])


def _since(text):
    """Returns the version of `4.25 in FUNCTION`, the word and the rest."""
    version, _, text = text.partition(" ")
    word, _, rest = text.partition(" ")
    if not re.match(r"\d+\.\d+$", version) or word not in ("file", "in"):
        raise Wrong("`since` needs a version such as 4.25, and `in` or `file`")
    return tuple(int(n) for n in version.split(".")), word, rest.strip()


class _Reader:
    def __init__(self):
        self.sites = []
        self.path = None
        self.is_or = False
        self.functions = None
        self.is_maybe = False
        self.since = self.since_of_file = _ANY

    def add(self, number, statement, before, after, is_each):
        found = Point(self.functions, statement, before, after, is_each, [])
        if self.is_or:
            self.sites[-1].points.append(found)
        else:
            self.sites.append(Site(self.path, self.is_maybe, self.since,
                                   [found], number))
        self.is_or = False

    def keyword(self, number, word, rest):
        since = _ANY if word == "file" else self.since_of_file
        if word == "since":
            since, word, rest = _since(rest)
        if word == "file":
            self.since_of_file = since
        if word in ("maybe", "in", "file"):
            self.since = since
            self.is_maybe = word == "maybe"
        if word == "maybe":
            word, _, rest = rest.partition(" ")
        is_each = word == "each"
        if is_each:
            word, _, rest = rest.partition(" ")
        if word == "file":
            self.path, self.functions = rest, None
        elif word == "include" and self.path:
            self.functions = [_INCLUDE]
            self.add(number, _INCLUDE, [], [], False)
            self.sites[-1].points[-1].lines.append('#include "%s"' % rest)
        elif word == "in" and self.path:
            self.functions = rest.split()
        elif word == "or":
            self.is_or = True
        elif word in ("before", "after", "at") and self.functions:
            self.add(number, "%s `%s`" % (word, rest), *_point(word, rest),
                       is_each)
        else:
            raise Wrong("unknown, or out of place: " + word)

    def line(self, number, text):
        if not text or text.startswith("#"):
            return
        if text[0] in "\t|":
            if not self.sites:
                raise Wrong("lines without a point")
            self.sites[-1].points[-1].lines.append(text.lstrip("|"))
            return
        word, _, rest = text.partition(" ")
        self.keyword(number, word, rest.strip())


def version(text):
    """(major, minor) in Samba's file VERSION, None if it is not there."""
    found = [re.search(r"^SAMBA_VERSION_%s=(\d+)$" % name, text, re.MULTILINE)
             for name in ("MAJOR", "MINOR")]
    return tuple(int(f.group(1)) for f in found) if all(found) else None


def split(table, at):
    """Returns the sites that a Samba of this version has to have, and those of
    later ones; with None, that of an unknown version, all are to be there."""
    later = [site for site in table if at and site.since > at]
    return [site for site in table if site not in later], later


def read(text):
    """Returns [Site] in the order of the table; raises Wrong."""
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        try:
            reader.line(number, line)
        except Wrong as wrong:
            raise Wrong("sites.txt:%d: %s" % (number, wrong))
    for site in reader.sites:
        for index, found in enumerate(site.points):
            if not found.lines and index:
                found.lines.extend(site.points[index - 1].lines)
            if not found.lines:
                raise Wrong("sites.txt:%d: no lines to add" % site.line)
    return reader.sites
