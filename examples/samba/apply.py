#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""apply.py - adds sdtkit's probes to a Samba source tree, or removes them.

    apply.py /usr/src/samba-4.17.12+dfsg

finds each place of sites.txt by function and statement, adds its lines, and
adds lib/static_probes: descriptions, headers, wscript. If a place is missing,
it prints which one and the most similar line, and changes nothing.

Exit status: 0 for success, also if there is nothing to do; 1 if a place is
missing, or with --check if files would change; 2 for wrong usage, or if a file
cannot be read or written.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import patch  # noqa: E402
import sites  # noqa: E402

SDTKIT = HERE.parent.parent
ADDED = "lib/static_probes"
PROVIDERS = ["ctdb", "smb2", "smbd", "smblock", "smbnet", "tevent", "vfs",
             "winbind"]


class Failed(Exception):
    """An error that is printed; the exit status is 2."""


def _description(name):
    return SDTKIT / "providers" / name / (name + ".d")


def headers(formats):
    """Returns {name: text} of the headers that probegen makes: NAME_off.h of
    format noop, whose probes compile to nothing, NAME_on.h of standalone."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-B", str(SDTKIT / "probegen" / "batch.py"),
             formats, folder, *map(str, map(_description, PROVIDERS))],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            universal_newlines=True)
        if done.returncode:
            raise Failed("probegen: " + done.stderr.strip())
        return {path.name: path.read_text()
                for path in sorted(pathlib.Path(folder).iterdir())}


def new_files(formats="noop"):
    """Returns {path in Samba's tree: text} of the files that are added."""
    files = {}
    for path in sorted((HERE / "static_probes").iterdir()):
        if path.name.startswith("tevent"):
            files["lib/tevent/" + path.name] = path.read_text()
        elif path.is_file():
            files["%s/%s" % (ADDED, path.name)] = path.read_text()
    for name in PROVIDERS:
        files["%s/%s.d" % (ADDED, name)] = _description(name).read_text()
    for name, header in headers(formats).items():
        if name == "vfs_off.h":     # vfs_probes.h has macros instead
            continue
        where = "lib/tevent" if name == "tevent_off.h" else ADDED
        files["%s/%s" % (where, name)] = header
    return files


def read(path):
    # no translation of line ends, and bytes that are not UTF-8 stay
    with open(str(path), encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        return file.read()


def write(path, text):
    """Writes a temporary file and renames it: never half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=str(path.parent))
    try:
        with os.fdopen(handle, "w", encoding="utf-8",
                       errors="surrogateescape", newline="") as file:
            file.write(text)
        os.chmod(beside, path.stat().st_mode & 0o777
                 if path.exists() else 0o644)
        os.replace(beside, str(path))
    except BaseException:
        os.unlink(beside)
        raise


def by_file(table):
    files = {}
    for site in table:
        files.setdefault(site.path, []).append(site)
    return files


def tell_missing(path, missing):
    for lacking in missing:
        print("%s: no place for `%s`" % (
            path, lacking.site.points[0].lines[0].strip()), file=sys.stderr)
        for wanted, error in lacking.reasons:
            print("    in %s, %s: %s" % (
                " or ".join(wanted.functions), wanted.statement, error),
                file=sys.stderr)
            if error.nearest:
                print("    nearest, line %d: %s" % (
                    error.nearest[0] + 1, error.nearest[1]), file=sys.stderr)


def tell_leftovers(path, left, undo):
    for number, line in left:
        print("%s:%d: this line is not in sites.txt and stays: %s" % (
            path, number, line.strip()), file=sys.stderr)
    if left and not undo:
        print("    if another version of apply.py added them, remove them "
              "with its --undo", file=sys.stderr)


def versioned(tree, table):
    """Returns the table for this Samba, the places of later ones, and its
    version as text."""
    path = tree / "VERSION"
    found = sites.version(read(path)) if path.exists() else None
    here, later = sites.split(table, found)
    return here, later, "%d.%d" % found if found else "this Samba"


def later_probes(tree):
    """Returns PROVIDER:NAME of the probes that no place in this Samba has."""
    here, later, _ = versioned(tree, sites.read(read(HERE / "sites.txt")))
    names = [set(re.findall(r"\b(%s|PROBES)_(\w+)\(" % "|".join(
        name.upper() for name in PROVIDERS), "\n".join(
            line for site in table for point in site.points
            for line in point.lines))) for table in (here, later)]
    # PROBES_ are the macros of vfs_probes.h
    return sorted("%s:%s" % ("vfs" if provider == "PROBES" else
                             provider.lower(), name.lower())
                  for provider, name in names[1] - names[0])


def tell_later(later, version):
    """Names what is not put in, because it came later."""
    for since in sorted({site.since for site in later}):
        these = [site for site in later if site.since == since]
        print("not in %s: %d places of %d.%d and later, in %s" % (
            (version, len(these)) + since +
            (", ".join(sorted({site.path for site in these})),)))


def plan(tree, table, undo):
    """Returns [Change], the number of missing places, and that of all."""
    changes = []
    count = lacking = 0
    for name, wanted in by_file(table).items():
        path = tree / name
        if not path.exists():
            print("%s: no such file" % name, file=sys.stderr)
            lacking += len(wanted)
            continue
        old = read(path)
        left = patch.leftovers(old, wanted)
        tell_leftovers(name, left, undo)
        lacking += len(left)
        if undo:
            new, missing = patch.remove(old, wanted), []
        else:
            new, missing, absent = patch.insert(old, wanted)
            count += len(wanted) - len(absent) - len(missing)
        tell_missing(name, missing)
        lacking += len(missing)
        if new != old:
            changes.append(patch.Change(name, old, new))
    return changes, lacking, count


def plan_new(tree, undo, standalone):
    """Returns [Change] for the added files; None stands for no file."""
    changes = []
    formats = "noop,standalone" if standalone or undo else "noop"
    for name, text in new_files(formats).items():
        path = tree / name
        old = read(path) if path.exists() else None
        if undo and old not in (None, text):
            print("%s: was edited, so it is not removed" % name,
                  file=sys.stderr)
            continue
        new = None if undo else text
        if old != new:
            changes.append(patch.Change(name, old, new))
    return changes


def carry_out(tree, changes):
    for change in changes:
        path = tree / change.path
        if change.new is not None:
            write(path, change.new)
            continue
        path.unlink()
        if path.parent == tree / ADDED and not any(path.parent.iterdir()):
            path.parent.rmdir()


def arguments(argv):
    parser = argparse.ArgumentParser(
        description="Puts static probes into a Samba source tree.")
    parser.add_argument("tree", type=pathlib.Path, help="the top of the tree")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true",
                      help="change nothing; exit status 1 if files would "
                      "change")
    what.add_argument("--diff", action="store_true",
                      help="change nothing; print the lines that are added to "
                      "Samba's files, as a patch without context")
    what.add_argument("--blank", action="store_true",
                      help="add empty lines instead, so that the line numbers "
                      "are the same")
    parser.add_argument("--undo", "--reverse", action="store_true",
                        help="remove everything that was added")
    parser.add_argument("--standalone", action="store_true",
                        help="add headers that need no sdtkit, too")
    parser.add_argument("--force", action="store_true",
                        help="apply the rest although places are missing")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE",
                        default=HERE / "sites.txt",
                        help="read FILE instead of sites.txt")
    return parser.parse_args(argv)


def run(options):
    if not options.tree.is_dir():
        raise Failed("%s: no such directory" % options.tree)
    table, later, version = versioned(
        options.tree, sites.read(read(options.table)))
    changes, lacking, count = plan(options.tree, table, options.undo)
    if options.diff:
        for change in changes:
            if options.undo:
                change = patch.Change(change.path, change.new, change.old)
            print(patch.zero_context(change), end="")
        return 1 if lacking else 0
    if options.blank:
        changes = [change._replace(new=patch.blank(
            patch.remove(change.old, table), change.new))
            for change in changes]
    else:
        changes += plan_new(options.tree, options.undo, options.standalone)
    if lacking and not options.force:
        print("%d places or lines are wrong, nothing was changed (--force "
              "applies the rest)" % lacking, file=sys.stderr)
        return 1
    if options.check:
        for change in changes:
            print(change.path)
        return 1 if changes or lacking else 0
    carry_out(options.tree, changes)
    if not options.undo:
        tell_later(later, version)
    found = "" if options.undo else "%d places, " % count
    print("%s%s" % (found, "%d files changed" % len(changes)
                    if changes else "nothing to do"))
    return 1 if lacking else 0


def main(argv):
    options = arguments(argv)
    try:
        return run(options)
    except (Failed, sites.Wrong, OSError) as error:
        print("apply.py: %s" % error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
