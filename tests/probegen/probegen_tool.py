# SPDX-License-Identifier: BSD-2-Clause
"""Runs the checkout's probegen as a program, the way a build does."""

import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PROBEGEN = str(SOURCE / "probegen")

# a description without a fault, and one with an unknown type
GOOD = "provider a {\n\tprobe event(int x);\n};\n"
BAD = "provider a {\n\tprobe event(Oid x);\n};\n"

if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))


def codes():
    """Returns all codes of probegen's errors."""
    from probegen import diag
    return diag.CODES


def warnings():
    """Returns the names of all its warnings."""
    from probegen import diag
    return diag.WARNINGS


def run(*args, **options):
    """Runs `probegen ARGS`, and returns the finished process, with its output
    as text."""
    return subprocess.run(
        [sys.executable, PROBEGEN] + [str(arg) for arg in args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
