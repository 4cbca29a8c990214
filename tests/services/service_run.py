# SPDX-License-Identifier: BSD-2-Clause
"""tsmbd on the hosts of network.py, and what Prometheus has of it."""

import os
import socket
import subprocess

from demo_server import LIMIT, wait_until

PORT = 10445
# by opcode
COMMANDS = ["negprot", "sesssetup", "logoff", "tcon", "tdis", "create",
            "close", "flush", "read", "write", "lock", "ioctl", "cancel",
            "keepalive", "query_directory", "notify", "getinfo", "setinfo",
            "break"]


class Service:
    """`tsmbd serve` on a host, which has attached; the options say to what."""

    def __init__(self, program, host, folder, *options):
        self.log = folder / (host.address + ".log")
        path = folder / (host.address + ".ready")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, \
                self.log.open("w") as log:
            ready.bind(str(path))
            path.chmod(0o777)
            ready.settimeout(LIMIT)
            self.process = subprocess.Popen(host.words(
                program, "serve", *options, "--no-auth",
                "--listen=%s:%d" % (host.address, PORT)), stderr=log,
                env=dict(os.environ, NOTIFY_SOCKET=str(path)))
            while b"READY=1" not in ready.recv(4096):
                pass

    def stop(self):
        self.process.terminate()
        assert self.process.wait(LIMIT) == 0, self.log.read_text()

    def end(self):
        if self.process.poll() is None:
            self.stop()


def without_zeros(values):
    return {key: value for key, value in values.items() if value}


def reports(prometheus):
    """{instance: how many reports it had}; none for one whose last scrape
    was too slow."""
    return prometheus.values("tsmbd_reports_total", "instance")


def all_reports(prometheus):
    hosts = prometheus.values("up", "instance")
    return prometheus.wait_until(
        lambda: reports(prometheus).keys() == hosts.keys() and
        reports(prometheus), "all hosts scraped")


def scraped(prometheus, query, labels, expected):
    """Waits until that is so, and sees that it stays so: nothing is counted
    twice, or late. A scrape that was too slow on a busy machine leaves a gap,
    so it has to be so again, which what was counted too much never is."""
    def wait():
        def are():
            return without_zeros(prometheus.values(query, *labels))
        try:
            wait_until(lambda: are() == expected, query)
        except AssertionError:
            assert are() == expected
    wait()
    seen = all_reports(prometheus)
    wait_until(lambda: all(reports(prometheus).get(host, 0) >= number + 2
                           for host, number in seen.items()),
               "two reports more")
    wait()
