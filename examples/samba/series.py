#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""series.py - sdtkit's probes for Samba as a series of commits.

    series.py --out=DIRECTORY samba     patches, one for each commit
    series.py --commit samba            commits in samba, a checkout by git
    series.py --list samba              how many lines each one adds

A place of sites.txt belongs to the commit in series/ that names its probes
behind `places:`; the rest of such a file is the message. The first commit that
has a place in a file adds its #include, the first that uses a provider adds its
description, and the first that includes a header adds it. All commits together
are what apply.py does.

The patches have no context, so that they hold our lines only: apply them with
`git apply --unidiff-zero`, or `patch -p1`, to the source that they were made of.

Exit status: as that of apply.py.
"""

import argparse
import fnmatch
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import apply  # noqa: E402
import patch  # noqa: E402
import sites  # noqa: E402

# What the first commit needs: all later ones are built by these.
FIRST = ["wscript", "samba_probes.h"]

# name: of its file, 03-requests; places: patterns of words in the lines
Commit = namedtuple("Commit", "name places message")


def read_commits(folder):
    """Returns [Commit] in their order; raises apply.Failed."""
    commits = []
    for path in sorted(folder.glob("*.txt")):
        head, _, message = path.read_text().partition("\n\n")
        if not head.startswith("places:") or not message.strip():
            raise apply.Failed("%s: begins with `places:`, an empty line and "
                               "the message" % path)
        commits.append(Commit(path.stem, head.split()[1:], message))
    return commits


def _words(site):
    return {word for point in site.points for line in point.lines
            for word in re.findall(r"\w+", line)}


def _is_include(site):
    return site.points[0].lines[0].startswith("#include")


def assign(table, commits):
    """Returns {index of the site: index of its commit}: the last one that names
    a word of it, since the others are there by then. Raises apply.Failed."""
    found = {}
    for index, site in enumerate(table):
        named = [number for number, commit in enumerate(commits)
                 if any(fnmatch.filter(_words(site), place)
                        for place in commit.places)]
        if named:
            found[index] = named[-1]
        elif not _is_include(site):
            raise apply.Failed("line %d of the table: no commit of the series "
                               "names a word of it" % site.line)
    for index, site in enumerate(table):
        if index not in found:
            found[index] = min(found[other] for other in found
                               if table[other].path == site.path)
    return found


def _included(text, files):
    """Returns the files among these that the text includes."""
    names = re.findall(r'#include "([^"]+)"', text)
    return {path for path in files
            if any(path == name or path.endswith("/" + name)
                   for name in names)}


def _uses(text, provider):
    macro = "PROBES_(OP|ASYNC|LIMIT)" if provider == "vfs" else provider.upper()
    return re.search(r"\b%s_\w+\(" % macro, text)


def files_of(table, files):
    """Returns {path: text} of the added files that these places need."""
    lines = "\n".join(line for site in table for point in site.points
                      for line in point.lines)
    providers = [p for p in apply.PROVIDERS if _uses(lines, p)]
    absent = [p for p in apply.PROVIDERS if p not in providers]
    chosen = {path for path in files if pathlib.Path(path).name in FIRST}
    more = _included(lines, files)
    while more - chosen:
        chosen |= more
        more = {found for path in more
                for found in _included(files[path], files)}
    of_absent = re.compile(r".*\b(%s)(_on\.h|_off\.h|\.d)\b.*\n?" %
                           "|".join(absent or ["-"]))
    chosen |= {path for path in files
               if pathlib.Path(path).stem in providers}
    return {path: of_absent.sub("", files[path]) for path in sorted(chosen)
            if not of_absent.match(path)}


def changes_of(tree, table, files):
    """Returns [patch.Change] to a tree that has the commits before."""
    changes, lacking, _ = apply.plan(tree, table, False)
    if lacking:
        raise apply.Failed("%d places are missing: sites.txt does not fit this "
                           "Samba" % lacking)
    for path, text in files_of(table, files).items():
        old = apply.read(tree / path) if (tree / path).exists() else None
        if old != text:
            changes.append(patch.Change(path, old, text))
    return changes


def as_patch(change):
    if change.old is not None:
        return patch.zero_context(change)
    lines = change.new.split("\n")[:-1]
    return "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n%s\n" % (
        change.path, len(lines), "\n".join("+" + line for line in lines))


def steps(tree, table, commits, files):
    """Yields (commit, [patch.Change]). The tree is not changed."""
    order = assign(table, commits)
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for path in {site.path for site in table}:
            if (tree / path).exists():
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(tree / path), str(copy / path))
        for number, commit in enumerate(commits):
            here = [site for index, site in enumerate(table)
                    if order[index] <= number]
            changes = changes_of(copy, here, files)
            if changes:    # all its places may be of a later Samba
                apply.carry_out(copy, changes)
                yield commit, changes


def added(changes, is_new):
    return sum(as_patch(c).count("\n+") - 1 for c in changes
               if (c.old is None) == is_new)


def git(tree, *words, **more):
    done = subprocess.run(["git", "-C", str(tree), *words], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, **more)
    if done.returncode:
        raise apply.Failed("git %s: %s" % (words[0], done.stdout.strip()))
    return done.stdout


def commit_all(tree, commit, changes):
    apply.carry_out(tree, changes)
    git(tree, "add", "--force", "--", *[change.path for change in changes])
    git(tree, "commit", "--quiet", "--file=-", input=commit.message)


def arguments(argv):
    parser = argparse.ArgumentParser(
        description="Makes a series of commits of the probes for Samba.")
    parser.add_argument("tree", type=pathlib.Path,
                        help="the top of Samba's source, without the probes")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=pathlib.Path, metavar="DIRECTORY",
                      help="write patches without context to DIRECTORY")
    what.add_argument("--commit", action="store_true",
                      help="commit to the branch that is checked out")
    what.add_argument("--list", action="store_true",
                      help="print how many lines each commit adds")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE",
                        default=HERE / "sites.txt",
                        help="read FILE instead of sites.txt")
    parser.add_argument("--series", type=pathlib.Path, metavar="DIRECTORY",
                        default=HERE / "series",
                        help="read DIRECTORY instead of series/")
    return parser.parse_args(argv)


def write_patch(folder, commit, changes):
    folder.mkdir(parents=True, exist_ok=True)
    text = "Subject: [PATCH] %s---\n%s" % (
        commit.message, "".join(map(as_patch, changes)))
    apply.write(folder / (commit.name + ".patch"), text)


def run(options):
    if not options.tree.is_dir():
        raise apply.Failed("%s: no such directory" % options.tree)
    if options.commit and git(options.tree, "status", "--porcelain",
                              "--untracked-files=no"):
        raise apply.Failed("%s: has changes that are not committed" %
                           options.tree)
    table, _, _ = apply.versioned(options.tree,
                                  sites.read(apply.read(options.table)))
    made = list(steps(options.tree, table, read_commits(options.series),
                      apply.new_files()))
    for commit, changes in made:
        if options.commit:
            commit_all(options.tree, commit, changes)
        elif options.out:
            write_patch(options.out, commit, changes)
        print("%-16s %3d lines in %2d files of Samba, %4d in %2d new files" % (
            commit.name, added(changes, False),
            sum(c.old is not None for c in changes), added(changes, True),
            sum(c.old is None for c in changes)))
    return 0


def main(argv):
    options = arguments(argv)
    try:
        return run(options)
    except (apply.Failed, sites.Wrong, OSError) as error:
        print("series.py: %s" % error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
