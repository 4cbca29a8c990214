# SPDX-License-Identifier: BSD-2-Clause
"""Runs inside gdb, see arch_tool.read_values(): raises all semaphores, stops
at each site and tells what the arguments are there.

    FORMS {"wide": [[-2, -2], [5, 5]], "pointers": ...}
"""

import json
import os
import re

import gdb

_TYPES = {"1": "unsigned char", "2": "unsigned short",
          "4": "unsigned int", "-4": "int",
          "8": "unsigned long long", "-8": "long long"}
_OPERAND = re.compile(r"(?P<type>-?\d)@(?P<where>.*)$")
_WHERE = [
    re.compile(r"(?P<number>-?\d*)\((?P<register>%?\w+)\)$"),
    re.compile(r"\[(?P<register>\w+)(, #?(?P<number>-?\d+))?\]$"),
    re.compile(r"(?P<register>%?\w+)$"),
]
_ARM = {"fp": "r11", "ip": "r12"}


def register(name, arm):
    """As gdb calls it: ppc has numbers only."""
    name = name.lstrip("%")
    if arm:
        name = _ARM.get(name, name)
    return "$r" + name if name.isdigit() else "$" + name


def evaluate(operand, arm):
    """The value by what the note says and by nothing else."""
    operand = _OPERAND.match(operand)
    ctype = _TYPES[operand["type"]]
    found = next(filter(None, (form.match(operand["where"])
                               for form in _WHERE)))
    text = "(unsigned long)" + register(found["register"], arm)
    if "number" in found.groupdict():
        text = "*(%s *)(%s + (%s))" % (ctype, text, found["number"] or 0)
    return int(gdb.parse_and_eval("(%s)(%s)" % (ctype, text)))


def probe_arg(index, job):
    if not job["gdb"]:
        return None
    return int(gdb.parse_and_eval("$_probe_arg%d" % index))


def main():
    job = json.loads(os.environ["FORMS"])
    gdb.execute("set sysroot")
    gdb.execute("set confirm off")
    gdb.execute("set remotetimeout 60")     # not 2 s: qemu may be slow
    gdb.execute("target remote " + job["socket"])
    for address in job["semaphores"]:
        gdb.execute("set {unsigned short}%d = 1" % address)
    for address, (name, _args) in job["sites"].items():
        gdb.execute("break -probe-stap forms:" + name if job["gdb"]
                    else "break *" + address)
    values = {}
    for _ in job["sites"]:
        gdb.execute("continue")
        name, args = job["sites"][str(int(gdb.parse_and_eval("$pc")))]
        values[name] = [[probe_arg(index, job), evaluate(arg, job["arm"])]
                        for index, arg in enumerate(args)]
        if name == "pointers":
            values["strings"] = [
                gdb.parse_and_eval("(char *)%d" % values[name][index][1])
                .string() for index in (0, 2)]
    print("FORMS " + json.dumps(values))
    gdb.execute("kill")


main()
