# SPDX-License-Identifier: BSD-2-Clause
"""Links of pages that have been installed. One to a file that is elsewhere in
an installation leads there, and one to a file that is only in the source
becomes text, with the name of that file.

    python3 links.py DIRECTORY=INSTALLED...

DIRECTORY is one of the source, INSTALLED where its files are installed, below
the prefix. meson runs this when all is there. A second run changes nothing.
"""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?)\[([^]\[]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
# what is between such lines has no links
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)


class Places:
    def __init__(self, pairs, prefix):
        self.pairs = [(tree, os.path.join(prefix, place))
                      for tree, place in pairs]

    def installed(self, name):
        """Where a file of the source is installed, whether or not it is."""
        for tree, place in self.pairs:
            if name == tree or name.startswith(tree + "/"):
                return os.path.normpath(place + name[len(tree):])
        return None

    def pages(self):
        """(path, name in the source) of each page. Directories of an
        installation may have pages of others, too, which stay as they are."""
        for tree, _ in self.pairs:
            for page in sorted((SOURCE / tree).rglob("*.md")):
                name = page.relative_to(SOURCE).as_posix()
                path = pathlib.Path(self.installed(name))
                if path.is_file():
                    yield path, name


def follow(match, path, name, places):
    """The link as it has to be in the installed page."""
    picture, label, link, anchor = match.groups()
    if re.match(r"\w+:", link) or os.path.lexists(str(path.parent / link)):
        return match[0]
    target = os.path.normpath(os.path.join(os.path.dirname(name), link))
    there = places.installed(target)
    if there and os.path.lexists(there):
        return "%s[%s](%s%s)" % (
            picture, label, os.path.relpath(there, str(path.parent)),
            anchor or "")
    if target.endswith(label) or target.endswith(label + "/README.md"):
        label, target = target, ""
    return "%s (%sin the source of sdtkit)" % (label, target and target + " ")


def rewrite(path, name, places):
    before = path.read_text(encoding="utf-8")
    parts = FENCE.split(before)
    parts[::2] = [LINK.sub(lambda match: follow(match, path, name, places),
                           part) for part in parts[::2]]
    if "".join(parts) == before:
        return
    when = path.stat()
    path.write_text("".join(parts), encoding="utf-8")
    os.utime(str(path), ns=(when.st_atime_ns, when.st_mtime_ns))


def main(words):
    prefix = os.environ["MESON_INSTALL_DESTDIR_PREFIX"]
    root = os.environ.get("DESTDIR", "")
    pairs = []
    for word in words:
        tree, _, place = word.partition("=")
        if root and place.startswith("/"):
            place = root + place
        pairs.append((tree, place))
    places = Places(pairs, prefix)
    for path, name in list(places.pages()):
        rewrite(path, name, places)


if __name__ == "__main__":
    main(sys.argv[1:])
