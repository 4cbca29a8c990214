# SPDX-License-Identifier: BSD-2-Clause
"""client.py: the layout of create contexts, and a whole conversation with a
server that answers what smbd does."""

import socket
import struct
import threading

import samba_tool  # noqa: F401, finds client
import client

FLAGS = struct.pack("<II", 60000, client.PERSISTENT)
GRANTED = struct.pack("<16sIIQ16sHH", b"key", 3, 0, 0, b"", 1, 0)


def reply(body, blobs):
    """A reply to a CREATE: contexts begin after its fixed part."""
    more = client.contexts(blobs)
    return body + struct.pack("<II", 152, len(more)) + more


def test_contexts_are_aligned_and_linked():
    text = client.contexts([client.context(b"DH2Q", b"12345"),
                            client.context(b"RqLs", b"6")])
    first, = struct.unpack_from("<I", text)
    assert first % 8 == 0
    assert text[16:20] == b"DH2Q" and text[24:29] == b"12345"
    assert struct.unpack_from("<I", text, first) == (0,)
    assert text[first + 16:first + 20] == b"RqLs"


def test_contexts_of_a_reply():
    assert client.contexts_of(reply(bytes(144), [])) == {}
    assert client.contexts_of(reply(bytes(144), [
        client.context(b"RqLs", GRANTED), client.context(b"DH2Q", FLAGS)])
    ) == {b"RqLs": GRANTED, b"DH2Q": FLAGS}


def serve(listening, asked):
    """Answers one connection, a CREATE first with STATUS_PENDING."""
    connection, _ = listening.accept()
    connection.settimeout(300)
    with connection:
        while True:
            size = connection.recv(4, socket.MSG_WAITALL)
            if len(size) < 4:
                return
            header = client.HEADER.unpack_from(connection.recv(
                struct.unpack(">I", size)[0], socket.MSG_WAITALL))
            command, number = header[4], header[8]
            asked.append((command, number, header[10], header[11]))
            statuses = {client.SESSION_SETUP: [client.MORE_PROCESSING],
                        client.CREATE: [client.PENDING, 0]}
            for status in statuses.get(command, [0]):
                text = client.HEADER.pack(
                    b"\xfeSMB", 64, 0, status, command, 1, 1, 0, number, 0, 7,
                    9, b"")
                text = reply(text + bytes(80), [
                    client.context(b"DH2Q", FLAGS)])
                connection.sendall(struct.pack(">I", len(text)) + text)


def test_conversation():
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(300)
        server = threading.Thread(target=serve, args=(listening, asked),
                                  daemon=True)
        server.start()
        one = client.Client(listening.getsockname()[1], "share")
        assert one.create("file", persistent=True) == client.Answer(0, True, 0)
        one.leave()
        server.join()
    assert asked == [(0, 0, 0, 0), (1, 1, 0, 9), (1, 2, 0, 9), (3, 3, 0, 9),
                     (5, 4, 7, 9)]
