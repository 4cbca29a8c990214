# SPDX-License-Identifier: BSD-2-Clause
"""The first sentence of a comment, which lists and notes have."""

import pytest

from probegen_tool import SOURCE    # noqa: F401  (it makes probegen importable)

from probegen import model


@pytest.mark.parametrize("doc, expected", [
    (["Waits..."], "Waits..."), (["Waits ..."], "Waits ..."),
    (["Waits for", "the disk..."], "Waits for the disk..."),
    (["Waits... Then reads."], "Waits... Then reads"),
    (["Waits."], "Waits"), (["Waits. Then reads..."], "Waits"),
    (["0...9, e.g. 3."], "0...9, e.g. 3"), (["..."], "..."), ([], "")])
def test_summary(doc, expected):
    assert model.summary(doc) == expected
