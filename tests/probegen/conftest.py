# SPDX-License-Identifier: BSD-2-Clause
"""What several files of this room use: the path of a description."""

import pytest

from probegen_tool import GOOD


@pytest.fixture
def good(tmp_path):
    """Returns the path of a description without a fault."""
    path = tmp_path / "good.d"
    path.write_text(GOOD)
    return path
