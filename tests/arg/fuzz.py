#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs libFuzzer on fuzz.c, beginning with corpus.txt:

    python3 tests/arg/fuzz.py [--seconds 60] [--update]

--update writes what is worth keeping back into corpus.txt, which the test
suite replays. Needs clang. Exit status 1 if an input was found that fails; it
is printed in the form of a line of corpus.txt.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE / "corpus.txt"
LONGEST = 96    # bytes of an input: more than any function looks at
HEAD = """\
# Inputs for fuzz.c, one per line: function, size of the buffer less 1, bytes.
# Written by fuzz.py --update.
"""


def build(folder):
    target = folder / "fuzz"
    subprocess.run(
        ["clang", "-g", "-O1", "-fsanitize=fuzzer,address,undefined",
         "-fno-sanitize-recover=all", "-DSDTKIT_LIBFUZZER",
         "-DSDTKIT_ARG_INLINE", "-DSDTKIT_ARG_SANITIZE", "-I",
         HERE.parent.parent / "include", HERE / "fuzz.c", "-o", target],
        check=True)
    return target


def inputs():
    """The inputs of corpus.txt."""
    if not CORPUS.exists():
        return []
    return [bytes.fromhex(line) for line in CORPUS.read_text().splitlines()
            if line and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found, kept = folder / "found", folder / "kept"
        found.mkdir()
        kept.mkdir()
        for index, data in enumerate(inputs()):
            (found / str(index)).write_bytes(data)
        target = build(folder)
        limits = ["-max_len=%d" % LONGEST, "-verbosity=0"]
        done = subprocess.run(
            [target, "-max_total_time=%d" % options.seconds,
             "-print_final_stats=1", *limits,
             "-artifact_prefix=%s/crash-" % folder, found])
        for crash in folder.glob("crash-*"):
            print("fails: " + crash.read_bytes().hex())
        if options.update and done.returncode == 0:
            subprocess.run([target, "-merge=1", *limits, kept, found],
                           check=True)
            lines = sorted(path.read_bytes().hex() for path in kept.iterdir())
            CORPUS.write_text(HEAD + "".join(line + "\n" for line in lines))
        return 1 if done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
