# SPDX-License-Identifier: BSD-2-Clause
"""fuzz.py for about five seconds, from a fixed seed."""

import fuzz


def test_short_run(tmp_path):
    tried, taken = fuzz.fuzz(60, 20261121, str(tmp_path), limit=2300)
    assert tried >= 100 and taken > 0
