# SPDX-License-Identifier: BSD-2-Clause
"""The names of system calls, out of what a compiler's headers define."""

import subprocess
import sys

import pytest

# a machine, and how its headers write two numbers
DEFINED = {
    "x86-64": """#define __NR_fstat 5
#define __NR_openat 257""",
    "aarch64": """#define __NR3264_fstat 80
#define __NR_fstat __NR3264_fstat
#define __NR_openat 56""",
}
EXPECTED = {
    "x86-64": "CALL(5, fstat)\nCALL(257, openat)\n",
    "aarch64": "CALL(56, openat)\nCALL(80, fstat)\n",
}


@pytest.mark.parametrize("machine", DEFINED)
def test_names(source, tmp_path, machine):
    output = tmp_path / "syscalls.h"
    subprocess.run(
        [sys.executable, source / "lib" / "tsmbd" / "syscalls.py", output,
         "sh", "-c", "echo '%s'" % DEFINED[machine], "compiler"], check=True)
    assert output.read_text() == EXPECTED[machine]
