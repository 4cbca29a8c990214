# SPDX-License-Identifier: BSD-2-Clause
"""The configuration is exchanged while it is read again."""

import os
import shutil
import signal
import subprocess

import pytest

from demo_server import wait_until
from test_serve import serve    # noqa: F401

GOOD = "run-as = nobody\n"


@pytest.fixture
def exchanged(serve, open_directory, source):   # noqa: F811
    """exchanged(text): a reload of a good file, whose first reader is the last
    one: when it has opened the file, another one with this text is there."""
    library = open_directory / "exchange.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-Wall",
                    "-Werror", "-D_GNU_SOURCE",
                    source / "tests" / "tsmbd" / "exchange.c", "-o", library,
                    "-ldl"], check=True)
    own = open_directory / "own"
    own.mkdir()
    path = own / "tsmbd.conf"
    path.write_text(GOOD)
    path.chmod(0o644)
    shutil.chown(own, "nobody")
    service = serve("--config", path, env={
        "LD_PRELOAD": str(library), "EXCHANGE_FILE": str(path),
        "ASAN_OPTIONS": "verify_asan_link_order=0"}).begin()
    after = own / "tsmbd.conf.next"

    def exchange(text):
        path.write_text(GOOD)
        service.log.write_text("")
        beside = own / "beside"
        beside.write_bytes(text)
        beside.chmod(0o644)
        beside.rename(after)
        service.process.send_signal(signal.SIGHUP)
        wait_until(lambda: not after.exists(), "exchanged")
        return service
    return exchange


@pytest.mark.thorough
def test_what_was_found_good_is_taken(exchanged):
    for text in b"nonsense = 1\n", b"listen = nowhere\n", b"\0", b"\xff" * 99:
        service = exchanged(text)
        service.says("the configuration has been read again")
        assert "not been changed" not in service.log.read_text()
        service.log.write_text("")
        service.process.send_signal(signal.SIGHUP)
        service.says("the configuration has not been changed")
    service.stop()
