#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs probegen as ``python3 -m probegen``, or as ``python3 DIRECTORY`` with
this directory, which is how a project that has a copy of sdtkit calls it."""

import os
import sys

if not __package__:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

from probegen import cli    # noqa: E402  (after the path is right)

if __name__ == "__main__":
    sys.exit(cli.main(sys.argv))
