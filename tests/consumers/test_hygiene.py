# SPDX-License-Identifier: BSD-2-Clause
"""A test that fails leaves nothing behind in the kernel or in the user's
build-id cache."""

import pathlib

import pytest

import builds
import expect
import matrix
from tracers import perf


def events():
    with open("/sys/kernel/tracing/uprobe_events") as file:
        return [line for line in file if "sdt_form" in line]


def test_perf(tmp_path, monkeypatch, unavailable):
    if perf.lacks():
        unavailable(perf.lacks())
    program = builds.make(tmp_path, builds.PLAIN)
    cache = pathlib.Path.home() / ".debug"
    before = sorted(cache.rglob("*"))
    add, seen = perf._add, []

    def failing(*arguments):
        add(*arguments)
        seen.extend(events())
        raise KeyboardInterrupt

    monkeypatch.setattr(perf, "_add", failing)
    with pytest.raises(KeyboardInterrupt):
        matrix.read(perf, program, {"effects": expect.expressions("effects")})
    assert len(seen) == 1
    assert seen[0] not in events()
    assert sorted(cache.rglob("*")) == before
