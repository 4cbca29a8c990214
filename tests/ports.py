# SPDX-License-Identifier: BSD-2-Clause
"""A port for a program that has to be told one."""

import errno
import itertools
import random
import socket

FIRST, LAST, SIZE = 11000, 32767, 256
taken = []      # this process's part of them, and the socket that reserves it


def take_ports():
    """Reserves SIZE ports for this process until it ends: while it has the
    abstract socket of their name, no other process of the tests gets them."""
    while not taken:
        first = random.randrange(FIRST, LAST + 1 - SIZE + 1, SIZE)
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind("\0sdtkit-ports-%d" % first)
        except OSError:
            name.close()
            continue
        taken.extend([name, itertools.cycle(range(first, first + SIZE))])
    return taken[1]


def is_free(port):
    """Whether nobody has the port, at any address."""
    for family, address in (socket.AF_INET, ""), (socket.AF_INET6, "::1"):
        try:
            with socket.socket(family) as probe:
                probe.bind((address, port))
        except OSError as error:    # others say that there is no IPv6
            if error.errno == errno.EADDRINUSE:
                return False
    return True


def free_port():
    """One that nobody else gets until the program listens: it is below those
    that Linux gives to whoever does not ask for one."""
    return next(filter(is_free, take_ports()))
