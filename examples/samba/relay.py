# SPDX-License-Identifier: BSD-2-Clause
"""A relay between clients and smbd that counts what is on the wire.

It knows nothing of probes, so its counts are what those of a tracer have to
be. Each direct TCP message [MS-SMB2 2.1] is a zero byte, 3 bytes of length and
one or more commands, each with the distance to the next; nothing is encrypted.

    00 00 00 88  fe 'S' 'M' 'B' ... 05 00 ...      a CREATE

A reply carries the message id of its request. Three kinds of messages answer
nothing: a CANCEL gets no reply and carries the id of what it withdraws; an
interim response only says that a request waits, its reply comes later; the
break of an oplock comes unasked.
"""

import collections
import socket
import struct
import threading

import source

NAMES = [
    "NEGOTIATE", "SESSION_SETUP", "LOGOFF", "TREE_CONNECT", "TREE_DISCONNECT",
    "CREATE", "CLOSE", "FLUSH", "READ", "WRITE", "LOCK", "IOCTL", "CANCEL",
    "ECHO", "QUERY_DIRECTORY", "CHANGE_NOTIFY", "QUERY_INFO", "SET_INFO",
    "OPLOCK_BREAK"]
PENDING = 0x103
_UNASKED = (1 << 64) - 1	# the message id of a break
# magic, -, -, status, command, -, flags, next, mid: [MS-SMB2 2.2.1]
_HEADER = struct.Struct("<4sHHIHHIIQ")

Command = collections.namedtuple("Command", "name mid status size")


def commands(message):
    """Returns the commands of a message; only a reply has a status."""
    if message[:4] == b"\xffSMB":	# SMB1's, answered as SMB2
        return [Command("NEGOTIATE", 0, 0, len(message))]
    found = []
    at = 0
    while True:
        magic, _, _, status, code, _, _, step, mid = _HEADER.unpack_from(
            message, at)
        if magic != b"\xfeSMB":
            raise ValueError("not SMB2: %r" % magic)
        found.append(Command(NAMES[code] if code < len(NAMES) else "UNKNOWN",
                             mid, status, step or len(message) - at))
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


class Request:
    """A request of a client, and its answer."""

    def __init__(self, name, in_bytes, is_compound):
        self.name = name
        self.in_bytes = in_bytes	# of the command alone
        self.is_compound = is_compound
        self.interim = 0		# responses that said: wait
        self.status = None		# NTSTATUS of the reply, None without
        self.was_sent = True		# the reply, if there is one
        self.out_bytes = 0		# of the reply


class Conversation:
    """A connection, with its requests that wait for a reply."""

    def __init__(self, requests):
        self.requests = requests
        self.waiting = {}		# mid: Request

    def ask(self, message):
        found = commands(message)
        for command in found:
            request = Request(command.name, command.size, len(found) > 1)
            self.requests.append(request)
            if command.name != "CANCEL":
                self.waiting[command.mid] = request

    def answer(self, message):
        for command in commands(message):
            if command.mid == _UNASKED:
                continue
            if command.mid not in self.waiting:
                raise ValueError("a reply to nothing: %s" % (command,))
            if command.status == PENDING:
                self.waiting[command.mid].interim += 1
            else:
                request = self.waiting.pop(command.mid)
                request.status = command.status
                request.out_bytes = command.size


class Relay:
    """Listens on a port of its own until it is closed. requests is what
    was on the wire, of all connections.

    connect(): a socket that is connected to smbd, where that is not at port
    of 127.0.0.1.
    """

    def __init__(self, port, connect=None):
        self.connect = connect or (
            lambda: socket.create_connection(("127.0.0.1", port)))
        self.requests = []
        self.wrong = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = self.connect()
            both = Conversation(self.requests)
            for ends in ((client, server, both.ask),
                         (server, client, both.answer)):
                threading.Thread(target=self._copy, args=ends,
                                 daemon=True).start()

    def _copy(self, origin, sink, count):
        messages = Messages()
        try:
            while True:
                data = origin.recv(1 << 20)
                for message in messages.feed(data):
                    count(message)
                if not data:
                    break
                sink.sendall(data)
        except OSError:		# the other end is gone
            pass
        except (ValueError, struct.error) as error:
            self.wrong.append(error)
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def sent(self):
        """{name: number of requests} up to now."""
        return collections.Counter(r.name for r in list(self.requests))

    def close(self):
        """Closes it; raises Failed if it has met what it cannot count."""
        self.listener.close()
        if self.wrong:
            raise source.Failed("relay: %s" % self.wrong[0])
