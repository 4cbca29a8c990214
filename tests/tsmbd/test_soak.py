# SPDX-License-Identifier: BSD-2-Clause
"""soak.py for half a minute: each of its events happens once."""

import subprocess
import sys

import pytest

from serving import has_no_http
from test_serve import full_disk    # noqa: F401


@pytest.mark.thorough
def test_soak(program, privileged, build, source, full_disk):   # noqa: F811
    if has_no_http(program):
        pytest.skip("this tsmbd was built without libmicrohttpd")
    done = subprocess.run(
        [sys.executable, source / "tests" / "tsmbd" / "soak.py", "--build",
         build, "--minutes", "0.6", "--every", "3", "--stop", "1", "--full",
         "4", "--scrape-ms", "10000"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, universal_newlines=True, timeout=600)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    for event in "upgrade_server 1", "fill_disk 1", "rotate_logs 1":
        assert event in done.stdout
