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
    calls = {int(number): name for name, number in
             re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.MULTILINE)}
    assert "openat" in calls.values(), "no system calls in <sys/syscall.h>"
    with open(output, "w") as file:
        for number in sorted(calls):
            if number < LIMIT:
                file.write("CALL(%d, %s)\n" % (number, calls[number]))


main(sys.argv[1], sys.argv[2:])
