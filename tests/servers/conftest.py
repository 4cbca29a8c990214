# SPDX-License-Identifier: BSD-2-Clause
"""The servers of examples/servers, by the text of their directories."""

import pathlib
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SERVERS = SOURCE / "examples" / "servers"
sys.path.insert(0, str(SERVERS))

import run      # noqa: E402


@pytest.fixture(params=run.NAMES)
def server(request):
    """The module of a server: redis_server.py, mosquitto_server.py."""
    return run.load(request.param)
