# SPDX-License-Identifier: BSD-2-Clause
"""A running demo server; each test that uses one also tests how it ends."""

import os
import subprocess

import pytest

from demo_server import LIMIT, Server


@pytest.fixture
def server(build, tmp_path):
    server = Server(build, tmp_path / "served", tmp_path / "log")
    yield server
    server.end()


@pytest.fixture
def connection(server):
    with server.login() as connection:
        yield connection


@pytest.fixture(scope="session")
def tracer(unavailable):
    """Ends the test if bpftrace cannot run here."""
    if os.geteuid() != 0:
        unavailable("bpftrace needs root")
    try:
        probe = subprocess.run(
            ["bpftrace", "-e", "BEGIN { exit(); }"], timeout=LIMIT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
    except FileNotFoundError:
        unavailable("bpftrace is not installed")
    if probe.returncode != 0:
        unavailable("bpftrace does not run here: " + probe.stdout.strip())
