# SPDX-License-Identifier: BSD-2-Clause
"""What a header of many probes costs each C file that includes it: the
instructions that the compiler executes, beside those for systemtap's
`dtrace -h` where it is installed, and how large the header is.

    python3 tests/bench/header.py

Instructions are counted by valgrind, of the compiler proper (cc1, clang), less
those for an empty file. Each column is also given as a multiple of the first;
"with comments" is probegen's with one behind each argument.
"""

import pathlib
import random
import re
import shutil
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROBES = 1010
TYPES = ["int", "char *", "uint32_t", "uint64_t", "void *", "size_t", "long",
         "struct request *", "uint16_t"]
FLAGS = ["-O2", "-I", SOURCE / "include"]


def description(comment=""):
    """Probes of one to six arguments, the same ones each time."""
    chance = random.Random(1)
    lines = ["\tprobe event__number_%d(%s);\n" % (index, ", ".join(
        "%s a%d%s" % (chance.choice(TYPES), index, comment)
        for index in range(chance.randint(1, 6)))) for index in range(PROBES)]
    return "provider big {\n%s};\n" % "".join(lines)


def made(folder):
    """name of a header -> the text of a file that includes it"""
    (folder / "big.d").write_text(description())
    (folder / "told.d").write_text(description(" /* of five words or six */"))
    commands = {
        "probegen": ["/usr/bin/python3", SOURCE / "probegen"],
        "with comments": ["/usr/bin/python3", SOURCE / "probegen"],
        "probegen -h": ["/usr/bin/python3", SOURCE / "probegen", "-h"],
        "dtrace -h": ["dtrace", "-h"],
    }
    headers = {}
    for number, (name, command) in enumerate(commands.items()):
        if not shutil.which(command[0]):
            continue
        header = folder / ("big%d.h" % number)
        source = "told.d" if name == "with comments" else "big.d"
        subprocess.run([*command, "-s", folder / source, "-o", header],
                       check=True, stderr=subprocess.DEVNULL)
        headers[name] = header
    return headers


def instructions(folder, compiler, text):
    """Returns the instructions of the compiler proper, in millions."""
    source = folder / "one.c"
    source.write_text(text)
    dry = subprocess.run([compiler, *FLAGS, "-S", "-o", "/dev/null", "-###",
                          source], stderr=subprocess.PIPE, text=True)
    line = next(line for line in dry.stderr.split("\n")
                if re.search(r'cc1|"-cc1"', line))
    words = re.findall(r'"([^"]*)"|(\S+)', line)
    command = [quoted or plain for quoted, plain in words]
    run = subprocess.run(["valgrind", "--tool=callgrind",
                          "--callgrind-out-file=/dev/null", *command],
                         stderr=subprocess.PIPE, text=True, cwd=folder)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1]) / 1e6


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        headers = made(folder)
        print("%d probes, millions of instructions per C file" % PROBES)
        print("%-10s%s" % ("compiler", "".join(
            "%20s" % name for name in headers)))
        for compiler in ("gcc", "clang"):
            if not shutil.which(compiler):
                continue
            empty = instructions(folder, compiler, "\n")
            counts = [instructions(folder, compiler, '#include "%s"\n' % header)
                      - empty for header in headers.values()]
            print("%-10s%s" % (compiler, "".join(
                "%13.0f (%.2f)" % (count, count / counts[0])
                for count in counts)))
        print("%-10s%s" % ("bytes", "".join(
            "%20d" % header.stat().st_size for header in headers.values())))


if __name__ == "__main__":
    main()
