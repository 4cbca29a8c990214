# SPDX-License-Identifier: BSD-2-Clause
"""The hosts of these tests: who watches reaches each, and nobody else."""

import pathlib
import subprocess

ECHO = """
import socket
server = socket.create_server(("%s", 7))
print("listens", flush=True)
client, _ = server.accept()
client.sendall(b"%s")
"""
ASK = """
import socket
with socket.create_connection(("%s", 7)) as server:
    print(server.recv(100).decode())
"""


def test_each_answers(network, started):
    hosts = network(2)
    for host in hosts.hosts:
        server = started(*host.words(
            "python3", "-c", ECHO % (host.address, host.address)),
            stdout=subprocess.PIPE)
        assert server.stdout.readline() == "listens\n"
        done = hosts.watcher.run("python3", "-c", ASK % host.address)
        assert done.stdout == host.address + "\n", done.stderr


def test_nothing_stays(network):
    hosts = network(1)
    holder = hosts.hosts[0].holder.pid
    hosts.end()
    assert not pathlib.Path("/proc/%d" % holder).exists()
