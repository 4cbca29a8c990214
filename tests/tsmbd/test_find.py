# SPDX-License-Identifier: BSD-2-Clause
"""Servers whose files are not where their names say: containers, upgrades."""

import os
import shutil
import subprocess

import pytest

from demo_server import LIMIT, Server
from test_counts import by_opcode, operations, run_clients

# A name that no other process has; the kernel keeps 15 letters.
NAME = "contain-%d" % os.getpid()


class Contained(Server):
    """Runs in a mount namespace that a line of sh sets up."""

    def __init__(self, build, path, top, prepare):
        self.path = path
        self.prepare = prepare
        super().__init__(build, top / "served", top / "log")

    def command(self, *args):
        return ["unshare", "--mount", "--propagation", "private", "sh", "-ec",
                self.prepare + '; exec "$0" "$@"', self.path, *args]


def overlay(image):
    return "mount -t overlay overlay -o lowerdir=%s:%s %s" % (
        image / "layer", image / "empty", image / "merged")


@pytest.fixture
def contain(build, image, tmp_path, privileged, unavailable):
    """contain(path, sh): a server that is at path in a container."""
    can = subprocess.run(["unshare", "--mount", "sh", "-c", overlay(image)],
                         timeout=LIMIT, stderr=subprocess.PIPE)
    if can.returncode != 0:
        unavailable("no mounts of one's own here: %r" % can.stderr)
    running = []

    def start(path, prepare):
        top = tmp_path / ("container%d" % len(running))
        top.mkdir()
        running.append(Contained(build, path, top, prepare))
        return running[-1]

    yield start
    for server in running:
        server.process.kill()
        server.process.wait()
        server.process.stdout.close()


@pytest.fixture(params=[
    None, pytest.param("uprobe", marks=pytest.mark.thorough)])
def either_way(request, monkeypatch):
    """Both ways to attach: the one that tsmbd chooses, and libbpf's."""
    if request.param is not None:
        monkeypatch.setenv("TSMBD_OLD_KERNEL", request.param)


def counts_equal(tracer, servers):
    """Each request and each byte is counted once."""
    sent = [report for server in servers for report in run_clients(server)]
    report = tracer.report()
    assert report["processes"] == len(servers)
    assert operations(report, "count") == by_opcode(sent, "sent")
    assert operations(report, "bytes_in") == by_opcode(sent, "bytes_out")


@pytest.fixture
def image(build, tmp_path):
    """Layers of an overlay, with the server in the lower one."""
    (tmp_path / "layer").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "merged").mkdir()
    shutil.copy(build / "examples" / "demo" / "demo-server",
                tmp_path / "layer" / NAME)
    return tmp_path


def test_a_file_that_is_not_here(contain, tracing, image, either_way):
    """The path does not exist outside of the container."""
    server = contain(image / "merged" / NAME, overlay(image))
    assert not (image / "merged" / NAME).exists()
    counts_equal(tracing("-p", str(server.pid)), [server])


def test_two_containers_of_one_image(contain, tracing, image, either_way):
    """Two files for stat(), one for the kernel: a hit counts once."""
    servers = [contain(image / "merged" / NAME, overlay(image))
               for _ in range(2)]
    counts_equal(tracing("-n", NAME), servers)


@pytest.mark.thorough
def test_another_file_of_that_name(contain, tracing, image, build):
    """The host has another file at the same path."""
    shutil.copy("/bin/true", image / "merged" / NAME)
    server = contain(image / "merged" / NAME, overlay(image))
    counts_equal(tracing("-p", str(server.pid)), [server])


@pytest.mark.thorough
def test_a_file_that_was_replaced(contain, tracing, image, either_way):
    """An upgrade: the old one still runs, beside the new one."""
    path = image / "layer" / NAME
    servers = [contain(path, "true")]
    shutil.copy(path, image / "new")
    (image / "new").rename(path)
    servers.append(contain(path, "true"))
    counts_equal(tracing("-n", NAME), servers)


@pytest.mark.thorough
def test_one_file_given_twice(server, tracing, image):
    link = image / "link"
    link.symlink_to(server.program)
    counts_equal(tracing("-f", str(link), "-f", str(server.program)), [server])
