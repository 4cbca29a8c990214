# SPDX-License-Identifier: BSD-2-Clause
"""Valid sessions with bytes changed at random, from fixed seeds.

Whatever comes: the server lives, nothing leaves its directory, and no process
of it ends by a signal (the fixture looks for that). Most is found when the
server was built with -Db_sanitize=address,undefined.
"""

import random
import socket
import struct

import pytest

import demo_wire as w

PACKETS = 300


def session(connection):
    """The packets of a short session, with ids as the server gives them."""
    fid = struct.pack("<QQ", 1, 0)
    return [connection.request(opcode, body) for opcode, body in (
        (w.CREATE, w.create_body("dir", 1, w.OPEN_IF, w.DIRECTORY)),
        (w.CREATE, w.create_body("dir\\file", 0x10003, w.OPEN_IF)),
        (w.WRITE, w.write_body(fid, b"some data to be written")),
        (w.QUERY_INFO, w.query_info_body(fid, 5)),
        (w.READ, w.read_body(fid, 10)),
        (w.ECHO, w.EMPTY),
        (w.CLOSE, w.close_body(fid)),
        (w.SESSION_SETUP, w.session_setup_body(b"token")),
        (w.TREE_CONNECT, w.tree_connect_body()),
        (w.CANCEL, w.EMPTY),
    )]


def mutate(rng, data):
    """data with a fault or a few, mostly behind the protocol id."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(8, len(data)) if rng.random() < 0.9 else \
            rng.randrange(len(data))
        kind = rng.randrange(4)
        if kind == 0:
            data[at] = rng.randrange(256)
        elif kind == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            value = rng.choice((0, 1, 0x7fff, 0x8000, 0xffff))
            data[at:at + 2] = struct.pack("<H", value)[:len(data) - at]
        else:
            value = rng.choice((0, 0x7fffffff, 0x80000000, 0xffffffff))
            data[at:at + 4] = struct.pack("<I", value)[:len(data) - at]
    if rng.random() < 0.1:
        del data[rng.randrange(4, len(data)):]
    if rng.random() < 0.7:      # mostly with a length that is right
        data[:4] = struct.pack(">I", len(data) - 4)
    return bytes(data)


def play(connection, rng, count):
    """Sends up to count packets; fewer if the server has enough of it."""
    sent = 0
    try:
        for data in session(connection)[:count]:
            connection.send(mutate(rng, data))
            sent += 1
        connection.sock.shutdown(socket.SHUT_WR)
        while True:
            connection.receive()
    except (w.Closed, ConnectionError, OSError):
        return sent


@pytest.mark.parametrize("seed", [
    0, *[pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2, 3)]])
def test_fuzz(server, seed):
    rng = random.Random(seed)
    (server.directory.parent / "secret").write_text("secret")
    sent = 0
    while sent < PACKETS:
        with server.login() as connection:
            sent += max(1, play(connection, rng, rng.randrange(1, 11)))
    assert sorted(path.name for path in server.directory.parent.iterdir()) \
        == ["log", "secret", "served"]
    assert server.serves()
