# SPDX-License-Identifier: BSD-2-Clause
"""Writes the system calls that the C compiler's headers know, by number.

    syscalls.py OUTPUT COMPILER...      lines like CALL(257, openat)
"""

import re
import subprocess
import sys

LIMIT = 512     # TSMBD_SYSCALLS in tsmbd.h


def main(output, compiler):
    text = subprocess.run(
        compiler + ["-E", "-dM", "-x", "c", "-"], check=True,
        input="#include <sys/syscall.h>\n", stdout=subprocess.PIPE,
        universal_newlines=True).stdout
    # aarch64: "__NR_fstat __NR3264_fstat", and that is 80
    values = dict(re.findall(r"^#define (__NR\w+) (\w+)$", text, re.MULTILINE))
    calls = {}
    for name, value in values.items():
        number = values.get(value, value)
        if name.startswith("__NR_") and number.isdigit():
            calls[int(number)] = name[len("__NR_"):]
    assert "openat" in calls.values(), "no system calls in <sys/syscall.h>"
    with open(output, "w") as file:
        for number in sorted(calls):
            if number < LIMIT:
                file.write("CALL(%d, %s)\n" % (number, calls[number]))


main(sys.argv[1], sys.argv[2:])
