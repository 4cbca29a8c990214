#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Do the tests notice a defect? Puts those of tests/mutations.txt into a copy of
the tree, one after the other, and runs the rooms that could notice.

    tests/mutate.py                     as ./dev test
    SDTKIT_ALL=1 tests/mutate.py        as ./dev test --all
    tests/mutate.py 3 17                only these lines of the list

Prints for each defect the first test that failed, or NOT NOTICED, and last how
many were noticed. A compiler that refuses counts, too. Exit status 1 if one was
not noticed. Takes a minute or two for each defect.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 1800        # seconds for a room


def defects():
    """[(number, file, rooms, was, now)]"""
    lines = (SOURCE / "tests" / "mutations.txt").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(number, row[0], row[1].split(), row[2], (row + [""])[3])
            for number, row in enumerate(rows, 1)]


def copy(folder):
    """The files that git has, as they are now."""
    names = subprocess.run(
        ["git", "-C", SOURCE, "ls-files", "-z", "-co", "--exclude-standard"],
        check=True, stdout=subprocess.PIPE).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        if os.path.lexists(SOURCE / name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, folder / name, follow_symlinks=False)


def change(path, was, now):
    """Returns what undoes it."""
    text = path.read_text()
    if sum(was in line for line in text.splitlines()) != 1:
        sys.exit("mutate.py: %s does not have this line once: %s" % (path, was))
    path.write_text(text.replace(was, now))
    return lambda: path.write_text(text)


def run(words, folder, **more):
    return subprocess.run(words, cwd=folder, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LIMIT, **more)


def built(folder):
    done = run(["ninja", "-C", "build"], folder)
    return None if done.returncode == 0 else "the build fails"


def noticed_in_c(folder, room):
    done = run(["meson", "test", "-C", "build", "--no-rebuild", "--suite", room,
                "--maxfail", "1", *c_tests(folder, room)], folder)
    found = re.search(r"^ *\d+/\d+ (\S.*?) +(FAIL|TIMEOUT|ERROR)", done.stdout,
                      re.M)
    return found and " ".join(found[1].split())


def c_tests(folder, room):
    """The names of meson's tests of a room that are not pytest."""
    done = run(["meson", "test", "-C", "build", "--list", "--suite", room],
               folder)
    names = re.findall(r"/ (\S+)$", done.stdout, re.M)
    return [name for name in names if not name.startswith("pytest")]


def noticed_in_python(folder, room):
    environment = dict(os.environ, SDTKIT_BUILD=str(folder / "build"),
                       SDTKIT_SOURCE=str(folder))
    done = run(["/usr/bin/python3", "-m", "pytest", "-x", "-q", "-p",
                "no:cacheprovider", "tests/" + room], folder, env=environment)
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.M)
    if found:
        return found[1]
    return None if done.returncode == 0 else done.stdout.strip()[-200:]


def noticed(folder, rooms):
    reason = built(folder)
    for room in rooms:
        if reason is None and c_tests(folder, room):
            reason = noticed_in_c(folder, room)
        reason = reason or noticed_in_python(folder, room)
    return reason


def main():
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER")
    numbers = parser.parse_args().numbers
    chosen = [row for row in defects() if not numbers or row[0] in numbers]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="sdtkit-mutate-") as name:
        folder = pathlib.Path(name)
        copy(folder)
        run(["meson", "setup", "build"], folder)
        if built(folder):
            sys.exit("mutate.py: the tree does not build as it is")
        for number, file, rooms, was, now in chosen:
            undo = change(folder / file, was, now)
            try:
                reason = noticed(folder, rooms)
            finally:
                undo()
            missed += reason is None
            print("%2d  %-36s %s" % (number, file, reason or "NOT NOTICED"),
                  flush=True)
        print("%d of %d noticed" % (len(chosen) - missed, len(chosen)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
