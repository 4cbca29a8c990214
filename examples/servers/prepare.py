# SPDX-License-Identifier: BSD-2-Clause
"""Gets the source package of a server, and builds it twice: as it is, and with
the probes.

    CACHE/redis/redis-7.0.15	what `apt-get source` has left; never changed
                plain		a copy, built as it is
                probes		a copy with the lines of probes.patch, the
                		description and a header without probes

A second run finds all that. If the patch has changed, only files that differ
are written, so that little is compiled.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SDTKIT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "samba"))

import placing  # noqa: E402
import source   # noqa: E402

PATCH = "probes.patch"
LINK = "sdtkit"     # stands for a copy of sdtkit in the tree
JOBS = "-j%d" % len(os.sched_getaffinity(0))


def write(path, text):
    """Leaves a file alone that has the text already."""
    if path.exists() and placing.read_file(path) == text:
        return
    with open(str(path), "w", encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        file.write(text)


def make_off_header(server, path):
    """The macros of a build without sdtkit: the other project would keep this
    file in its repository."""
    made = subprocess.run(
        [sys.executable, "-B", str(SDTKIT / "probegen"), "--emit", "noop",
         str(server.HERE / server.DESCRIPTION), "-o", str(path)])
    if made.returncode:
        raise source.Failed("probegen: exit status %d" % made.returncode)


def patch_tree(server, pristine, tree):
    """Makes the tree the pristine one with the probes."""
    text = (server.HERE / PATCH).read_text()
    files = placing.plan(pristine, text)
    mark = tree / "sdtkit.patch"
    if mark.exists():   # what an older patch has changed, and this does not
        for name in set(placing.read(mark.read_text())) - set(files):
            write(tree / name, placing.read_file(pristine / name))
    for name, patched in files.items():
        write(tree / name, patched)
    mark.write_text(text)
    if not (tree / LINK).is_symlink():
        (tree / LINK).symlink_to(SDTKIT)
    folder = tree / server.SOURCES
    write(folder / server.DESCRIPTION,
          (server.HERE / server.DESCRIPTION).read_text())
    make_off_header(server, folder / server.DESCRIPTION.replace(
        ".d", "_off.h"))


def prepare(server, top):
    """Returns the trees {"plain": path, "probes": path}, both built."""
    top.mkdir(parents=True, exist_ok=True)
    pristine = source.fetch(top, package=server.NAME)
    trees = {}
    for name in "plain", "probes":
        trees[name] = top / name
        if not trees[name].exists():
            unfinished = top / (name + ".part")
            shutil.rmtree(str(unfinished), ignore_errors=True)
            shutil.copytree(str(pristine), str(unfinished), symlinks=True)
            unfinished.rename(trees[name])
    patch_tree(server, pristine, trees["probes"])
    for name, tree in trees.items():
        print("building %s, %s" % (server.NAME, name), flush=True)
        for number, command in enumerate(server.build(
                tree, LINK if name == "probes" else None, JOBS)):
            source.call(command, top / ("%s.%d.log" % (name, number)),
                        cwd=str(tree))
    return trees


def difference(server, top):
    """Returns the patch that has made the tree `probes`, after somebody has
    changed it there."""
    pristine = source.unpacked(top, server.NAME)
    tree = top / "probes"
    if not pristine or not tree.exists():
        raise source.Failed("%s: there is no tree to compare; run this once "
                            "without --diff" % top)
    done = subprocess.run(
        ["diff", "-rq", str(pristine), str(tree)], stdout=subprocess.PIPE,
        universal_newlines=True)
    names = [line.split()[1][len(str(pristine)) + 1:]
             for line in done.stdout.split("\n") if line.startswith("Files ")]
    return placing.make(pristine, tree, sorted(names))
