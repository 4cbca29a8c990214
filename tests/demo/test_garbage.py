# SPDX-License-Identifier: BSD-2-Clause
"""What no client should send: the connection may suffer, the server not."""

import random
import socket
import struct
import time

import pytest

import demo_wire as w
from demo_server import wait_until

NEGOTIATE = w.packet(w.header(w.NEGOTIATE) + w.negotiate_body())
RANDOM = bytes([1]) + random.Random(1).getrandbits(8000).to_bytes(1000, "big")

DROPPED = {
    "random bytes": (RANDOM, "no SMB2 framing"),
    "HTTP": (b"GET / HTTP/1.0\r\n\r\n", "no SMB2 framing"),
    "NetBIOS session request": (b"\x81\0\0\x44" + bytes(68),
                                "no SMB2 framing"),
    "longest length": (b"\0\xff\xff\xff", "packet too long"),
    "length zero": (bytes(4), "packet shorter than a header"),
    "half a header": (w.packet(w.header(0)[:63]),
                      "packet shorter than a header"),
    "zeroes": (w.packet(bytes(100)), "no SMB2 header"),
    "SMB1": (w.packet(w.header(0, protocol=b"\xffSMB") + bytes(36)),
             "no SMB2 header"),
    "encrypted": (w.packet(w.header(0, protocol=b"\xfdSMB") + bytes(36)),
                  "no SMB2 header"),
    "wrong header size": (w.packet(w.header(0, size=63) + bytes(36)),
                          "no SMB2 header"),
    "a response": (w.packet(w.header(0, flags=1) + w.negotiate_body()),
                   "a response where a request is due"),
    "no NEGOTIATE": (w.packet(w.header(w.ECHO) + w.EMPTY), "no NEGOTIATE"),
}


@pytest.mark.parametrize("case", DROPPED)
def test_dropped(server, case):
    data, reason = DROPPED[case]
    with server.connect() as connection:
        connection.send(data)
        assert connection.closed()
    assert ": dropped: %s\n" % reason in server.log
    assert server.serves()


def test_dropped__second_negotiate(server):
    with server.login() as connection:
        connection.send(NEGOTIATE)
        assert connection.closed()
    assert "dropped: a second NEGOTIATE" in server.log
    assert server.serves()


@pytest.mark.parametrize("cut", [1, 3, 4, 40, 68, 100])
def test_truncated(server, cut):
    """A client that sends less than it announced, and goes."""
    with server.connect() as connection:
        connection.send(NEGOTIATE[:cut])
        connection.sock.shutdown(socket.SHUT_WR)
        assert connection.closed()
    assert server.serves()


def test_slow_client(server):
    """One byte at a time, while others are served."""
    with server.connect() as connection:
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i, byte in enumerate(NEGOTIATE):
            connection.send(bytes([byte]))
            if i % 20 == 0:
                assert server.serves()
            time.sleep(0.001)
        assert connection.receive().status == w.OK


def test_two_packets_at_once(server):
    with server.connect() as connection:
        connection.send(NEGOTIATE + connection.request(
            w.ECHO, w.EMPTY, mid=1))
        assert connection.receive().opcode == w.NEGOTIATE
        assert connection.receive().opcode == w.ECHO


STATUS = {
    "unknown command": (99, w.EMPTY, w.INVALID_PARAMETER),
    "first unknown command": (19, w.EMPTY, w.INVALID_PARAMETER),
    "last unknown command": (0xffff, w.EMPTY, w.INVALID_PARAMETER),
    "FLUSH": (w.FLUSH, struct.pack("<HHI16s", 24, 0, 0, b""),
              w.NOT_SUPPORTED),
    "IOCTL": (w.IOCTL, bytes(56), w.NOT_SUPPORTED),
    "no body": (w.ECHO, b"", w.INVALID_PARAMETER),
    "ECHO of wrong size": (w.ECHO, struct.pack("<HH", 5, 0),
                           w.INVALID_PARAMETER),
    "CREATE of wrong size": (w.CREATE, b"\x38" + w.create_body("f")[1:],
                             w.INVALID_PARAMETER),
    "short CREATE": (w.CREATE, w.create_body("")[:55], w.INVALID_PARAMETER),
    "short READ": (w.READ, w.read_body(bytes(16), 1)[:47],
                   w.INVALID_PARAMETER),
    "file id zero": (w.READ, w.read_body(bytes(16), 1), w.FILE_CLOSED),
    "file id of ones": (w.CLOSE, w.close_body(b"\xff" * 16), w.FILE_CLOSED),
    "name behind the packet": (
        w.CREATE, w.create_body("x" * 20)[:70], w.INVALID_PARAMETER),
    "name inside the header": (
        w.CREATE, w.create_body("x").replace(
            struct.pack("<H", 120), struct.pack("<H", 4)),
        w.INVALID_PARAMETER),
    "unknown disposition": (w.CREATE, w.create_body("f", 1, 6),
                            w.INVALID_PARAMETER),
    "another share": (w.TREE_CONNECT, w.tree_connect_body("\\\\h\\other"),
                      w.BAD_NETWORK_NAME),
    "no share": (w.TREE_CONNECT, w.tree_connect_body("demo"),
                 w.BAD_NETWORK_NAME),
    "a second tree": (w.TREE_CONNECT, w.tree_connect_body(),
                      w.REQUEST_NOT_ACCEPTED),
    "a second session": (w.SESSION_SETUP, w.session_setup_body(),
                         w.REQUEST_NOT_ACCEPTED),
}


@pytest.mark.parametrize("case", STATUS)
def test_status(connection, case):
    """An error for the request; the connection goes on."""
    opcode, body, status = STATUS[case]
    assert hex(connection.call(opcode, body).status) == hex(status)
    assert connection.call(w.ECHO, w.EMPTY).status == w.OK


def test_status__compound(connection):
    reply = connection.call(w.ECHO, w.EMPTY + bytes(4) + w.header(w.ECHO) +
                            w.EMPTY, next_command=72)
    assert reply.status == w.NOT_SUPPORTED
    assert reply.next_command == 0


def test_status__wrong_session_and_tree(connection):
    call = connection.call
    body = w.create_body("f", 1, w.OPEN_IF)
    assert call(w.CREATE, body, session=connection.session + 1).status == \
        w.USER_SESSION_DELETED
    assert call(w.CREATE, body, tree=7).status == w.NETWORK_NAME_DELETED
    assert call(w.TREE_DISCONNECT, w.EMPTY).status == w.OK
    assert call(w.CREATE, body).status == w.NETWORK_NAME_DELETED
    assert call(w.LOGOFF, w.EMPTY).status == w.OK
    assert call(w.TREE_CONNECT, w.tree_connect_body()).status == \
        w.USER_SESSION_DELETED
    assert call(w.ECHO, w.EMPTY).status == w.OK


def test_status__before_session(server):
    with server.connect() as connection:
        call = connection.call
        assert call(w.NEGOTIATE, w.negotiate_body(())).status == \
            w.INVALID_PARAMETER
        assert call(w.NEGOTIATE, w.negotiate_body((0x311, 0x2ff))).status == \
            w.NOT_SUPPORTED
        reply = call(w.NEGOTIATE, w.negotiate_body((0x311, 0x202)))
        assert struct.unpack_from("<H", reply.body, 4) == (0x202,)
        assert call(w.CREATE, w.create_body("f")).status == \
            w.USER_SESSION_DELETED
        assert call(w.SESSION_SETUP, w.session_setup_body(), session=1) \
            .status == w.USER_SESSION_DELETED


def test_session_again_after_logoff(connection):
    fid = connection.open("f", w.WRITE_DATA, w.CREATE_NEW)
    assert connection.call(w.LOGOFF, w.EMPTY).status == w.OK
    old = connection.session
    connection.session = connection.tree = 0
    reply = connection.call(w.SESSION_SETUP, w.session_setup_body(b"token"))
    assert reply.status == w.OK
    assert reply.session not in (0, old)
    connection.session = reply.session
    connection.tree = connection.call(w.TREE_CONNECT,
                                      w.tree_connect_body()).tree
    assert connection.call(w.CLOSE, w.close_body(fid)).status == w.FILE_CLOSED


def test_cancel__has_no_reply(connection):
    connection.send(connection.request(w.CANCEL, w.EMPTY))
    assert connection.call(w.ECHO, w.EMPTY).status == w.OK


def test_credits(connection):
    """At least one with each reply, and never more than 128 in all."""
    total = 3 * 8 - 3 + 1       # login: three replies of eight
    for wanted in (0, 1, 50, 1000, 1000):
        reply = connection.call(w.ECHO, w.EMPTY, credits=wanted)
        total += reply.credits - 1
        assert reply.credits >= 1
        assert total <= 128
    assert total == 128


def fill_queue(connection):
    """Wants 200 answers of 64 KB and reads none: returns when it blocks."""
    fid = connection.open("big", w.READ_DATA | w.WRITE_DATA, w.CREATE_NEW)
    connection.call(w.WRITE, w.write_body(fid, b"x" * 65536))
    for _ in range(200):
        connection.send(connection.request(w.READ, w.read_body(fid, 65536)))


def test_client_that_does_not_read(server, connection):
    fill_queue(connection)
    first = connection.mid - 200
    assert server.serves()
    for mid in range(first, first + 200):
        reply = connection.receive()
        assert (reply.mid, reply.status, len(reply.data)) == (mid, 0, 65536)


@pytest.mark.parametrize("seconds", [0, 0.2], ids=["at once", "later"])
def test_client_vanishes_with_answers_due(server, seconds):
    """While the server is busy, and when it waits for the client to read."""
    with server.login() as connection:
        fill_queue(connection)
        time.sleep(seconds)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
    wait_until(server.idle, "its process ended")
    assert server.serves()


def test_client_vanishes_inside_a_write(server):
    with server.login() as connection:
        fid = connection.open("partial", w.WRITE_DATA, w.CREATE_NEW)
        data = connection.request(w.WRITE, w.write_body(fid, b"y" * 50000))
        connection.send(data[:30000])
    wait_until(server.idle, "its process ended")
    assert (server.directory / "partial").stat().st_size == 0
    assert server.serves()
