# SPDX-License-Identifier: BSD-2-Clause
"""A tiny packer of SMB2 requests, independent of the C code under test.

It packs what it is told, right or wrong: the tests send packets that no
client would. Layouts are those of [MS-SMB2] 2.2.
"""

import socket
import struct

(NEGOTIATE, SESSION_SETUP, LOGOFF, TREE_CONNECT, TREE_DISCONNECT, CREATE,
 CLOSE, FLUSH, READ, WRITE, LOCK, IOCTL, CANCEL, ECHO, QUERY_DIRECTORY,
 CHANGE_NOTIFY, QUERY_INFO, SET_INFO, OPLOCK_BREAK) = range(19)

OK = 0
INVALID_INFO_CLASS = 0xc0000003
INFO_LENGTH_MISMATCH = 0xc0000004
INVALID_PARAMETER = 0xc000000d
END_OF_FILE = 0xc0000011
ACCESS_DENIED = 0xc0000022
OBJECT_NAME_INVALID = 0xc0000033
OBJECT_NAME_NOT_FOUND = 0xc0000034
OBJECT_NAME_COLLISION = 0xc0000035
OBJECT_PATH_NOT_FOUND = 0xc000003a
OBJECT_PATH_SYNTAX_BAD = 0xc000003b
FILE_IS_A_DIRECTORY = 0xc00000ba
NOT_SUPPORTED = 0xc00000bb
NETWORK_NAME_DELETED = 0xc00000c9
BAD_NETWORK_NAME = 0xc00000cc
REQUEST_NOT_ACCEPTED = 0xc00000d0
DIRECTORY_NOT_EMPTY = 0xc0000101
NOT_A_DIRECTORY = 0xc0000103
TOO_MANY_OPENED_FILES = 0xc000011f
FILE_CLOSED = 0xc0000128
USER_SESSION_DELETED = 0xc0000203

READ_DATA, WRITE_DATA, DELETE = 0x1, 0x2, 0x10000
SUPERSEDE, OPEN, CREATE_NEW, OPEN_IF, OVERWRITE, OVERWRITE_IF = range(6)
DIRECTORY, NON_DIRECTORY, DELETE_ON_CLOSE = 0x1, 0x40, 0x1000

HEADER = struct.Struct("<4sHHIHHIIQIIQ16s")


def header(opcode, mid=0, session=0, tree=0, flags=0, next_command=0,
           credits=8, protocol=b"\xfeSMB", size=64):
    return HEADER.pack(protocol, size, 1, 0, opcode, credits, flags,
                       next_command, mid, 0, tree, session, bytes(16))


def packet(data):
    """data with its length in front."""
    return struct.pack(">I", len(data)) + data


def negotiate_body(dialects=(0x202, 0x210)):
    return struct.pack("<HHHHI16sQ", 36, len(dialects), 1, 0, 0, b"c" * 16,
                       0) + struct.pack("<%dH" % len(dialects), *dialects)


def session_setup_body(blob=b""):
    return struct.pack("<HBBIIHHQ", 25, 0, 1, 0, 0, 88, len(blob), 0) + (
        blob or b"\0")


def tree_connect_body(path="\\\\127.0.0.1\\demo"):
    name = path.encode("utf-16-le")
    return struct.pack("<HHHH", 9, 0, 72, len(name)) + name


def create_body(name, access=READ_DATA, disposition=OPEN, options=0):
    if isinstance(name, str):
        name = name.encode("utf-16-le", "surrogatepass")
    return struct.pack("<HBBIQQIIIIIHHII", 57, 0, 0, 2, 0, 0, access, 0, 7,
                       disposition, options, 120, len(name), 0, 0) + (
                           name or b"\0")


def close_body(fid, flags=0):
    return struct.pack("<HHI", 24, flags, 0) + fid


def read_body(fid, length, offset=0, minimum=0):
    return struct.pack("<HBBIQ16sIIIHHB", 49, 0x50, 0, length, offset, fid,
                       minimum, 0, 0, 0, 0, 0)


def write_body(fid, data, offset=0, data_offset=112, length=None):
    length = len(data) if length is None else length
    return struct.pack("<HHIQ16sIIHHI", 49, data_offset, length, offset, fid,
                       0, 0, 0, 0, 0) + data


def query_info_body(fid, info_class, info_type=1, length=4096):
    return struct.pack("<HBBIHHIII16sB", 41, info_type, info_class, length,
                       0, 0, 0, 0, 0, fid, 0)


EMPTY = struct.pack("<HH", 4, 0)


class Reply:
    """A response: its header's fields, and body."""

    def __init__(self, data):
        (self.protocol, self.size, _, self.status, self.opcode, self.credits,
         self.flags, self.next_command, self.mid, _, self.tree, self.session,
         _) = HEADER.unpack_from(data)
        self.body = data[64:]

    @property
    def data(self):
        """What a READ response carries."""
        offset, length = struct.unpack_from("<xxBxI", self.body)
        return self.body[offset - 64:offset - 64 + length]


class Closed(Exception):
    """The server has closed the connection."""


class Connection:
    """A socket to the server with a session on it, if login() was called."""

    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=300)
        self.mid = self.session = self.tree = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

    def send(self, data):
        self.sock.sendall(data)

    def request(self, opcode, body, **fields):
        """The packet of a request, complete with prefix."""
        fields.setdefault("session", self.session)
        fields.setdefault("tree", self.tree)
        fields.setdefault("mid", self.mid)
        self.mid += 1
        return packet(header(opcode, **fields) + body)

    def receive_bytes(self, count):
        data = b""
        while len(data) < count:
            try:
                part = self.sock.recv(count - len(data))
            except (ConnectionResetError, BrokenPipeError):
                part = b""
            if not part:
                raise Closed()
            data += part
        return data

    def receive(self):
        length, = struct.unpack(">I", self.receive_bytes(4))
        return Reply(self.receive_bytes(length))

    def call(self, opcode, body, **fields):
        """Sends a request, returns its reply."""
        mid = self.mid
        self.send(self.request(opcode, body, **fields))
        reply = self.receive()
        assert (reply.protocol, reply.size, reply.opcode, reply.flags,
                reply.mid) == (b"\xfeSMB", 64, opcode, 1,
                               fields.get("mid", mid))
        if reply.status != OK:
            assert reply.body == struct.pack("<HHIB", 9, 0, 0, 0)
        return reply

    def closed(self):
        """Has the server closed the connection, without another reply?"""
        try:
            self.receive_bytes(1)
        except Closed:
            return True
        return False

    def login(self):
        assert self.call(NEGOTIATE, negotiate_body()).status == OK
        reply = self.call(SESSION_SETUP, session_setup_body())
        assert reply.status == OK
        self.session = reply.session
        reply = self.call(TREE_CONNECT, tree_connect_body())
        assert reply.status == OK
        self.tree = reply.tree
        return self

    def create(self, name, *args, **fields):
        """(status, FileId)"""
        reply = self.call(CREATE, create_body(name, *args), **fields)
        return reply.status, reply.body[64:80]

    def open(self, name, *args):
        status, fid = self.create(name, *args)
        assert status == OK, hex(status)
        return fid
