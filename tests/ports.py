# SPDX-License-Identifier: BSD-2-Clause
"""A port for a program that has to be told one."""

import random
import socket


def free_port():
    """One of 127.0.0.1 that nobody else gets until the program listens: it is
    below those that Linux gives to whoever does not ask for one."""
    while True:
        port = random.randrange(11000, 32768)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
