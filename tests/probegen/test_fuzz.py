# SPDX-License-Identifier: BSD-2-Clause
"""A short run of fuzz.py from a fixed seed, so that it stays able to run."""

import fuzz


def test_short_run(tmp_path):
    tried, taken = fuzz.fuzz(60, 20261121, str(tmp_path), limit=1500)
    assert tried >= 100 and taken > 0
