# SPDX-License-Identifier: BSD-2-Clause
"""A relay between a client and smbd that counts the commands on the wire.

It knows nothing of probes, so its counts are what those of a tracer have to
be. Each direct TCP message [MS-SMB2 2.1] is a zero byte, 3 bytes of length and
one or more commands, each with the distance to the next; nothing is encrypted.

    00 00 00 88  fe 'S' 'M' 'B' ... 05 00 ...      a CREATE
"""

import collections
import socket
import struct
import threading

NAMES = [
    "NEGOTIATE", "SESSION_SETUP", "LOGOFF", "TREE_CONNECT", "TREE_DISCONNECT",
    "CREATE", "CLOSE", "FLUSH", "READ", "WRITE", "LOCK", "IOCTL", "CANCEL",
    "ECHO", "QUERY_DIRECTORY", "CHANGE_NOTIFY", "QUERY_INFO", "SET_INFO",
    "OPLOCK_BREAK"]
_COMMAND = 12		# offsets in the header, [MS-SMB2 2.2.1.2]
_NEXT = 20


def commands(message):
    """The names of the commands of one message."""
    found = []
    at = 0
    while True:
        if message[at:at + 4] == b"\xffSMB":
            return found + ["NEGOTIATE"]	# SMB1's, answered as SMB2
        if message[at:at + 4] != b"\xfeSMB":
            raise ValueError("not SMB2: %r" % message[at:at + 4])
        code, = struct.unpack_from("<H", message, at + _COMMAND)
        step, = struct.unpack_from("<I", message, at + _NEXT)
        found.append(NAMES[code] if code < len(NAMES) else "UNKNOWN")
        if not step:
            return found
        at += step


class Messages:
    """Cuts a stream into messages."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        self.rest += data
        while len(self.rest) >= 4:
            length = int.from_bytes(self.rest[1:4], "big")
            if len(self.rest) < 4 + length:
                return
            yield self.rest[4:4 + length]
            self.rest = self.rest[4 + length:]


class Relay:
    """Listens on a port of its own until it is closed; counts[NAME]."""

    def __init__(self, port):
        self.server_port = port
        self.counts = collections.Counter()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.server_port))
            for ends in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._copy, args=ends,
                                 daemon=True).start()

    def _copy(self, source, sink, is_client):
        messages = Messages()
        while True:
            try:
                data = source.recv(1 << 20)
                if is_client:
                    for message in messages.feed(data):
                        self.counts.update(commands(message))
                if data:
                    sink.sendall(data)
                    continue
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return

    def close(self):
        self.listener.close()
