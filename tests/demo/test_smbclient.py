# SPDX-License-Identifier: BSD-2-Clause
"""Samba's own client on the demo server: another reading of [MS-SMB2]."""

import random
import subprocess

import pytest

from demo_server import LIMIT
from programs import which


@pytest.fixture
def smbclient(server, tmp_path):
    """smbclient(commands): runs them as the guest, must succeed."""
    if not which("smbclient"):
        pytest.skip("smbclient is not installed")
    config = tmp_path / "smb.conf"
    config.write_text("".join(
        "%s = %s\n" % (name, tmp_path) for name in (
            "lock directory", "state directory", "cache directory",
            "private dir", "pid directory", "ncalrpc dir")))

    def run(commands):
        result = subprocess.run(
            ["smbclient", "//127.0.0.1/demo", "-p", str(server.port), "-N",
             "-s", config, "-c", commands], cwd=tmp_path, timeout=LIMIT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
        assert result.returncode == 0, result.stdout
    return run


def test_tree_goes_up_and_comes_back(server, smbclient, tmp_path):
    rng = random.Random(1)
    files = {}
    for name, size in (("a", 0), ("b", 1), ("dir/c", 10240),
                       ("dir/sub/d", 300000)):
        path = tmp_path / "up" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        files[name] = rng.getrandbits(8 * size + 8).to_bytes(size + 1, "big")
        path.write_bytes(files[name])
    smbclient("lcd up; recurse; prompt; mput *")
    for name, content in files.items():
        assert (server.directory / name).read_bytes() == content
        smbclient('get "%s" back' % name.replace("/", "\\"))
        assert (tmp_path / "back").read_bytes() == content
