# SPDX-License-Identifier: BSD-2-Clause
"""serve_truth.py: sdtkit serve and the servers count the same. Redis and
Mosquitto are among them after `./dev server redis mosquitto`."""

import os

import pytest

import serve_truth


def test_all_counts_are_equal(build, unavailable):
    if not (build / "lib/tool/serve/sdtkit-serve").exists():
        pytest.skip("sdtkit serve was not built")
    if os.geteuid() != 0:
        unavailable("sdtkit serve needs root")
    kinds = serve_truth.chosen()
    if serve_truth.PostgreSQL not in kinds:
        unavailable("PostgreSQL and its pgbench are not installed")
    rows = serve_truth.measure(build, kinds, 1000)
    serve_truth.show(rows)
    assert {row.server for row in rows} == {kind.name for kind in kinds}
    assert not [row for row in rows if row.theirs != row.ours]
    assert all(sum(row.ours for row in rows if row.server == kind.name) > 100
               for kind in kinds)
