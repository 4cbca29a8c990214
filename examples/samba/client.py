# SPDX-License-Identifier: BSD-2-Clause
"""A client of SMB 3.0 that asks for persistent handles, which smbclient never
does: as little as that takes.

    away = Client(port, "kept")
    away.create("file", lease=READ | HANDLE)    # Answer(status=0, ...)
    away.leave()                                # without a word

It is nobody, and signs nothing. Numbers are those of [MS-SMB2] 2.2, little
endian; the offsets in a body count from the header, which has 64 bytes.
"""

import collections
import os
import socket
import struct

import source

LIMIT = 60      # seconds for an answer
NEGOTIATE, SESSION_SETUP, TREE_CONNECT, CREATE = 0, 1, 3, 5
PENDING, MORE_PROCESSING = 0x103, 0xc0000016
SMB_3_0 = 0x300
LEASING, PERSISTENT_HANDLES = 0x2, 0x10         # capabilities
READ, HANDLE, WRITE = 1, 2, 4                   # of a lease
OPEN_IF, OVERWRITE_IF = 3, 5
ALL_ACCESS, SHARE_ALL = 0x001f01ff, 7
NO_OPLOCK, LEASE = 0, 0xff
PERSISTENT = 2          # a flag in a "DH2Q"
HEADER = struct.Struct("<4sHHIHHIIQIIQ16s")
# [MS-NLMP] 2.2.1: unicode, NTLM, and in the second one anonymous
HELLO = struct.pack("<8sII8s8s", b"NTLMSSP\0", 1, 0x205, b"", b"")
EMPTY = struct.pack("<HHI", 0, 0, 65)
NOBODY = struct.pack("<8sIHHI", b"NTLMSSP\0", 3, 1, 1, 64) + 5 * EMPTY + \
    struct.pack("<I", 0xa05) + b"\0"

# persistent: whether the handle is; lease: the state that was granted
Answer = collections.namedtuple("Answer", "status persistent lease")


def context(name, data):
    """A create context, without the offset of the next one."""
    return struct.pack("<HHHHI4s4x", 16, 4, 0, 24, len(data), name) + data


def contexts(blobs):
    """The list of them: each begins at a multiple of eight."""
    text = b""
    for number, blob in enumerate(blobs, 1):
        size = 4 + len(blob) + -(4 + len(blob)) % 8
        text += struct.pack("<I", size if number < len(blobs) else 0)
        text += blob.ljust(size - 4, b"\0")
    return text


def contexts_of(reply):
    """{name: data} of the create contexts in a reply."""
    found = {}
    start, size = struct.unpack_from("<II", reply, 64 + 80)
    while size:
        after, name, length, _, data, data_length = struct.unpack_from(
            "<IHHHHI", reply, start)
        found[reply[start + name:start + name + length]] = \
            reply[start + data:start + data + data_length]
        if not after:
            break
        start += after
    return found


class Client:
    """A connection to a share, by a client that has an identity of its own."""

    def __init__(self, port, share):
        self.session = self.tree = self.messages = 0
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT)
        self.must(NEGOTIATE, struct.pack(
            "<HHHHI16sQH", 36, 1, 1, 0, LEASING | PERSISTENT_HANDLES,
            os.urandom(16), 0, SMB_3_0))
        for token in HELLO, NOBODY:
            self.must(SESSION_SETUP, struct.pack(
                "<HBBIIHHQ", 25, 0, 1, 0, 0, 88, len(token), 0) + token)
        path = ("\\\\127.0.0.1\\" + share).encode("utf-16-le")
        self.must(TREE_CONNECT, struct.pack(
            "<HHHH", 9, 0, 72, len(path)) + path)

    def create(self, name, lease=0, persistent=False, disposition=OPEN_IF):
        """Opens a file for reading and writing, shared with everybody."""
        text = name.encode("utf-16-le")
        blobs = []
        if persistent:
            blobs.append(context(b"DH2Q", struct.pack(
                "<II8x16s", 0, PERSISTENT, os.urandom(16))))
        if lease:
            blobs.append(context(b"RqLs", struct.pack(
                "<16sIIQ16sHH", os.urandom(16), lease, 0, 0, b"", 0, 0)))
        start = 120 + len(text) + -len(text) % 8
        more = contexts(blobs)
        status, reply = self.ask(CREATE, struct.pack(
            "<HBBIQQIIIIIHHII", 57, 0, LEASE if lease else NO_OPLOCK, 2, 0, 0,
            ALL_ACCESS, 0, SHARE_ALL, disposition, 0, 120, len(text),
            start if more else 0, len(more)) +
            text.ljust(start - 120, b"\0") + more)
        found = {} if status else contexts_of(reply)
        return Answer(
            status, len(found.get(b"DH2Q", b"")) == 8 and
            bool(found[b"DH2Q"][4] & PERSISTENT),
            struct.unpack_from("<I", found.get(b"RqLs", bytes(20)), 16)[0])

    def leave(self):
        """Closes the connection, as if the network had gone."""
        self.socket.close()

    def must(self, command, body):
        status, reply = self.ask(command, body)
        if status not in (0, MORE_PROCESSING):
            raise source.Failed("command %d: status 0x%x" % (command, status))
        return reply

    def ask(self, command, body):
        """(status, the reply with its header) of a request."""
        number = self.messages
        self.messages += 1
        message = HEADER.pack(b"\xfeSMB", 64, 1, 0, command, 16, 0, 0, number,
                              0, self.tree, self.session, b"") + body
        self.socket.sendall(struct.pack(">I", len(message)) + message)
        while True:
            reply = self.receive()
            _, _, _, status, _, _, _, _, answered, _, tree, session, _ = \
                HEADER.unpack_from(reply)
            if answered == number and status != PENDING:
                break
        self.session = session
        if command == TREE_CONNECT:
            self.tree = tree
        return status, reply

    def receive(self):
        size, = struct.unpack(">I", self.exactly(4))
        return self.exactly(size)

    def exactly(self, size):
        text = b""
        while len(text) < size:
            more = self.socket.recv(size - len(text))
            if not more:
                raise source.Failed("smbd has closed the connection")
            text += more
        return text
