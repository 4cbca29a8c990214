# SPDX-License-Identifier: BSD-2-Clause
"""The number of a line of rec:step."""


def number_of(line):
    return int(line.split("number=")[1].split(",")[0])
