# SPDX-License-Identifier: BSD-2-Clause
"""A test that fails leaves nothing behind in the kernel or in the user's
build-id cache."""

import pathlib

import pytest

import builds
import expect
import matrix
from tracers import perf


def test_perf(tmp_path, monkeypatch, unavailable):
    if perf.lacks():
        unavailable(perf.lacks())
    program = builds.make(tmp_path, builds.PLAIN)
    # a home that no other test has
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    cache = pathlib.Path.home() / ".debug"
    before = sorted(cache.rglob("*"))
    add, seen = perf._add, []

    def failing(*arguments):
        add(*arguments)
        seen.extend(perf.left(tmp_path))
        raise KeyboardInterrupt

    monkeypatch.setattr(perf, "_add", failing)
    with pytest.raises(KeyboardInterrupt):
        matrix.read(perf, program, {"effects": expect.expressions("effects")})
    assert len(seen) == 1 and "sdt_form" in seen[0]
    assert not perf.left(tmp_path)
    assert sorted(cache.rglob("*")) == before
