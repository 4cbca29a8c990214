# SPDX-License-Identifier: BSD-2-Clause
"""A file system may read or write less than it is asked for."""

import os
import subprocess

import demo_wire as w
from demo_server import Server

SIZE = 10240


def test_all_is_read_and_written(build, source, tmp_path, monkeypatch):
    library = tmp_path / "short.so"
    subprocess.run(
        [os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Werror", "-shared",
         "-fPIC", source / "tests" / "demo" / "short_reads.c", "-o", library],
        check=True)
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("ASAN_OPTIONS", os.environ.get("ASAN_OPTIONS", "") +
                       ":verify_asan_link_order=0")
    server = Server(build, tmp_path / "served", tmp_path / "log")
    monkeypatch.delenv("LD_PRELOAD")
    try:
        done = server.client("--files", "3", "--size", str(SIZE))
        assert done.returncode == 0, done.stderr
        (tmp_path / "served" / "end").write_bytes(b"x" * SIZE)
        connection = server.login()
        fid = connection.open("end", w.READ_DATA)
        reply = connection.call(w.READ, w.read_body(fid, 2 * SIZE))
        assert len(reply.data) == SIZE
    finally:
        server.stop()
        server.process.stdout.close()
