# SPDX-License-Identifier: BSD-2-Clause
"""Hosts, each a network namespace with an address of its own, on one wire.

A namespace has no name: a process holds it, and it is gone when that ends.
"""

import ctypes
import socket
import subprocess
import sys

CLONE_NEWNET = 0x40000000   # <sched.h>

# Says that it is in the namespace, and ends when its creator does.
HOLDER = "import sys; print(flush=True); sys.stdin.read()"


class Host:
    """A network namespace with lo."""

    def __init__(self, ip, address):
        self.ip_program = ip
        self.address = address
        self.holder = subprocess.Popen(
            ["unshare", "--net", sys.executable, "-c", HOLDER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, universal_newlines=True)
        self.holder.stdout.readline()
        self.ip("link", "set", "lo", "up")

    def words(self, *command):
        """What to run, to run that on this host."""
        return ["nsenter", "--net=/proc/%d/ns/net" % self.holder.pid, "--",
                *map(str, command)]

    def run(self, *command, **kwargs):
        return subprocess.run(
            self.words(*command), capture_output=True, text=True, **kwargs)

    def connect(self, address, port):
        """A socket of this process that is connected on this host. A socket
        stays in the namespace in which it was made."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as own, \
                open("/proc/%d/ns/net" % self.holder.pid) as there:
            if libc.setns(there.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                return socket.create_connection((address, port))
            finally:
                libc.setns(own.fileno(), CLONE_NEWNET)

    def ip(self, *words):
        done = self.run(self.ip_program, *words)
        assert done.returncode == 0, done.stderr

    def end(self):
        self.holder.communicate()


class Network:
    """A host for who watches, and a wire from it to each of count others."""

    def __init__(self, ip, count):
        self.watcher = Host(ip, "10.77.0.1")
        self.hosts = [Host(ip, "10.77.%d.2" % number)
                      for number in range(1, count + 1)]
        for number, host in enumerate(self.hosts, 1):
            self.wire(number, host)

    def wire(self, number, host):
        name = "to%d" % number
        self.watcher.ip("link", "add", name, "type", "veth", "peer", "name",
                        "wire", "netns", str(host.holder.pid))
        self.watcher.ip("address", "add", "10.77.%d.1/24" % number,
                        "dev", name)
        self.watcher.ip("link", "set", name, "up")
        host.ip("address", "add", host.address + "/24", "dev", "wire")
        host.ip("link", "set", "wire", "up")

    def end(self):
        for host in [self.watcher, *self.hosts]:
            host.end()
