#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Feeds mutated descriptions to probegen for as long as you like.

    tests/probegen/fuzz.py [--seconds N] [--seed N] [--keep DIR]

probegen must make all outputs from each input, or refuse it with a message. It
must not raise an exception, or take long for the size of the input. The first
input with which it does is kept in DIR and ends the run with status 1. The run
begins with all descriptions of this tree. `./dev fuzz` starts it.
"""

import argparse
import os
import random
import signal
import sys
import time
import traceback

from probegen_tool import SOURCE, codes

from probegen import diag, emit, lexer, parser, resolve, source

assert codes()

WORDS = """provider probe typedef struct union enum translator inline const
volatile void int unsigned char string uint64_t ( ) { } [ ] ; , : < > * = ` ...
/* */ // " ' # #pragma sdtkit alias nowarn D attributes depends_on \\ \0 \udc80
group single_site
0 1 99999999999999999999 a A _ __ -> . && || ^^ == << ++ - ! ~ & ? % 'x'
R-> R NULL (int) (char*) stringof( strlen( copyinstr( sizeof offsetof(
xlate<info_t>(R) [16] [2][3] ntohs(""".split()
# seconds of processor time, so that other programs do not matter
SLOW = 2.0              # that an input of up to 64 KB may take
HANGS = 20              # after which it is interrupted
SIZE_LIMIT = 65536


def corpus():
    """Returns the texts to begin with: none of a build, which come and go."""
    paths = sorted(path for folder in ("examples", "providers", "tests")
                   for path in (SOURCE / folder).glob("**/*.d"))
    return [path.read_bytes().decode("utf-8", "surrogateescape")
            for path in paths if path.is_file()]


def mutate(rng, texts):
    """Returns one of ``texts`` with a few random changes."""
    text = rng.choice(texts)
    for _ in range(rng.randint(1, 8)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((1, 5, 40, 400)))
        piece = text[start:end]
        action = rng.randrange(6)
        if action == 0:
            piece = ""
        elif action == 1:
            piece = piece * rng.choice((2, 3, 100))
        elif action == 2:
            piece = piece + rng.choice(WORDS) + rng.choice(" \n")
        elif action == 3:
            other = rng.choice(texts)
            at = rng.randrange(len(other) + 1)
            piece = piece + other[at:at + 200]
        elif action == 4:
            piece = piece[::-1]
        else:
            piece = "".join(chr(rng.randrange(256)) for _ in piece[:8])
        text = text[:start] + piece + text[end:]
    return text[:SIZE_LIMIT]


def run(text, strict, preprocessed):
    """Makes all outputs of a text, and returns whether it was accepted."""
    faults = diag.Diagnostics(diag.WARNINGS)
    origin = source.Source("fuzz.d", text, preprocessed)
    tree = parser.parse(lexer.lex(origin, faults), faults, preprocessed)
    model = resolve.resolve([tree], faults, "fuzz.d", strict)
    faults.render()
    if faults:
        return False
    for made in emit.FORMATS.values():
        if strict or not made.strict:
            made.emit(model, *("x" for _ in made.needs))
    return True


def fuzz(seconds, seed, keep, limit=None):
    """Returns (inputs tried, inputs accepted); raises what probegen raised."""
    signal.signal(signal.SIGPROF, hangs)
    rng, texts = random.Random(seed), corpus()
    end, tried, taken = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end and tried != limit:
        text = mutate(rng, texts)
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, HANGS)
        try:
            taken += run(text, bool(tried % 3), tried % 5 == 0)
            took = time.process_time() - start
            assert took < SLOW, "%.1f s for %d bytes" % (took, len(text))
        except Exception:
            name = os.path.join(keep, "fuzz-%d.d" % seed)
            with open(name, "wb") as file:
                file.write(text.encode("utf-8", "surrogateescape"))
            sys.stderr.write("kept %s\n" % name)
            raise
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        tried += 1
    return tried, taken


def hangs(_number, _frame):
    """Ends an input that takes too long."""
    raise AssertionError("it does not end")


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--seconds", type=float, default=60)
    args.add_argument("--seed", type=int, default=int(time.time()))
    args.add_argument("--keep", default=".")
    options = args.parse_args()
    try:
        tried, taken = fuzz(options.seconds, options.seed, options.keep)
    except Exception:
        traceback.print_exc()
        return 1
    print("seed %d: %d inputs, %d of them valid, no crash" % (
        options.seed, tried, taken))
    return 0


if __name__ == "__main__":
    sys.exit(main())
