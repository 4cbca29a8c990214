# SPDX-License-Identifier: BSD-2-Clause
"""What marshalling costs while a probe is traced: nanoseconds per call of each
function of sdtkit/arg.h, and a ratio to what libc has for the same input, run
in turns so that both see the same machine. Run by hand:

    python3 tests/bench/arg.py [--compiler CC]

The exit status tells whether none is slower than libc's: inet_ntop() writes
the address alone, without the port, and iconv() has a converter that is open.
For scale: a uprobe costs about a microsecond, whatever its arguments are. What
they cost while nobody traces, nothing, is a test: tests/arg/test_off.py.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", default="cc")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "arg"
        subprocess.run(
            [options.compiler, "-O2", "-I", SOURCE / "include",
             HERE / "arg.c", *sorted((SOURCE / "lib/arg").glob("*.c")), "-o",
             program], check=True)
        out = subprocess.run([program], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    slower = []
    for line in out.splitlines():
        words = line.split()
        text = "%-16s %8s ns" % (words[0], words[1])
        if len(words) > 2:
            ratio = float(words[3]) / float(words[1])
            text += "   %s %s ns: %.1f times as long" % (
                words[2], words[3], ratio)
            if ratio < 1:
                slower.append(words[0])
        print(text)
    print("goal, none slower than libc: %s" % (
        "missed by " + ", ".join(slower) if slower else "met"))
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
