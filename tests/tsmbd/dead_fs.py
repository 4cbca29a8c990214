# SPDX-License-Identifier: BSD-2-Clause
"""dead_fs.py DIRECTORY: a file system that stops answering.

It is mounted at the directory, by FUSE; a child opens the file "file" in it,
and from then on nothing that asks the file system for anything comes back.
Prints the number of the child. Ends when there is no more input. For a mount
namespace of its own.
"""

import ctypes
import errno
import os
import select
import signal
import struct
import sys
import threading

# of <linux/fuse.h>: the header of a request, its answer, and the answers
REQUEST = struct.Struct("<IIQQIIII")
REPLY = struct.Struct("<IiQ")
LOOKUP, FORGET, GETATTR, OPEN, INIT = 1, 2, 3, 14, 26
ROOT, FILE = 1, 2
DIRECTORY_MODE, FILE_MODE = 0o40755, 0o100644


def attributes(node):
    mode = DIRECTORY_MODE if node == ROOT else FILE_MODE
    return struct.pack("<6Q10I", node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0,
                       0, 4096, 0)


def answer(opcode, node):
    """Attributes are never cached, so that each stat() asks again."""
    if opcode == INIT:
        return struct.pack("<4I2H2I2H8I", 7, 31, 0, 0, 0, 0, 4096, 1, 0, 0,
                           *[0] * 8)
    if opcode == LOOKUP:
        return struct.pack("<4Q2I", FILE, 0, 0, 0, 0, 0) + attributes(FILE)
    if opcode == GETATTR:
        return struct.pack("<Q2I", 0, 0, 0) + attributes(node)
    if opcode == OPEN:
        return struct.pack("<Q2I", 0, 0, 0)
    return None


def serve(device, dead):
    """A process whose request was not read yet can still be killed."""
    while True:
        ready, _, _ = select.select([device, dead], [], [])
        if dead in ready:
            return
        request = os.read(device, 1 << 17)
        _, opcode, unique, node, *_ = REQUEST.unpack_from(request)
        if opcode == FORGET:
            continue
        body = answer(opcode, node)
        error = -errno.ENOSYS if body is None else 0
        body = body or b""
        os.write(device, REPLY.pack(REPLY.size + len(body), error, unique) +
                 body)


def main(directory):
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = "fd=%d,rootmode=40000,user_id=0,group_id=0" % device
    if libc.mount(b"dead", directory.encode(), b"fuse", 0,
                  options.encode()) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    dead, stop = os.pipe()
    thread = threading.Thread(target=serve, args=(device, dead))
    thread.start()
    ready, tell = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(device)
        os.open(directory + "/file", os.O_RDONLY)
        os.write(tell, b".")
        signal.pause()
    os.read(ready, 1)
    os.write(stop, b".")
    thread.join()
    print(child, flush=True)
    sys.stdin.read()
    os.close(device)        # all that waits for it goes on
    os.kill(child, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1])
