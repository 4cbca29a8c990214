# SPDX-License-Identifier: BSD-2-Clause
"""Debian's redis and mosquitto, with the probes of examples/servers: fetched,
built, driven, and held against their own statistics, by run.py. It prints what
differs."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["redis", "mosquitto"])
def test_a_server_of_debian(name, need, source, build):
    need("dpkg-buildpackage")   # its package unpacks sources
    done = subprocess.run(
        [sys.executable, "-B", source / "examples" / "servers" / "run.py",
         name], env=dict(os.environ, SDTKIT_BUILD=str(build)), text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    assert "Success: patched, built, checked, tested" in done.stdout
