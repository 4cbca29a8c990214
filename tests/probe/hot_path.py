# SPDX-License-Identifier: BSD-2-Clause
"""The instructions of the functions of off.c that run while nobody traces, and
what a probe may add to them."""

import re
import subprocess

FUNCTIONS = ["off_args", "off_load", "off_string", "off_none",
             "off_guarded"]
LINE = re.compile(r"^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(.*)$")


def hot_path(path, function):
    """(text, size) of the instructions from entry to ret, jne not taken."""
    listing = subprocess.run(
        ["objdump", "-dw",
         "--disassemble=" + function, path], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    instructions = []
    for line in listing.split("\n"):
        match = LINE.match(line)
        if not match:
            continue
        text = re.sub(r"\s+", " ", match[3].split("#")[0]).strip()
        instructions.append((text, len(match[2].split())))
        if text.startswith("ret"):
            return instructions
    raise AssertionError("no ret in " + function)


def mangled(compiler, function):
    """The symbol of a function, which C++ decorates with its parameters."""
    parameters = {"off_args": "P7request", "off_load": "PKmj",
                  "off_string": "P7request", "off_none": "P7request",
                  "off_guarded": "P7request"}
    if "++" not in compiler:
        return function
    return "_Z%d%s%s" % (len(function), function, parameters[function])


def check_hot_path(without, with_probe):
    added = [(text, size) for text, size in with_probe
             if text.startswith(("cmpw $0x0,", "jne "))]
    rest = [entry for entry in with_probe if entry not in added]
    assert [text.split()[0] for text, size in added] == ["cmpw", "jne"]
    assert sum(size for text, size in added) <= 14
    # which ones, and in what order, is the compiler's business
    assert len(rest) == len(without)
