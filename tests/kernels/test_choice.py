# SPDX-License-Identifier: BSD-2-Clause
"""Which rows and columns a variable chooses."""

import pytest

from .choice import chosen

KNOWN = ("one", "two", "two, at once")


@pytest.mark.parametrize("text, names", [
    (None, list(KNOWN)), ("", list(KNOWN)), ("two", ["two"]),
    ("two,one", ["two", "one"]), ("two, at once,one", ["two, at once", "one"]),
])
def test_names(monkeypatch, text, names):
    if text is None:
        monkeypatch.delenv("CHOICE", raising=False)
    else:
        monkeypatch.setenv("CHOICE", text)
    assert chosen("CHOICE", KNOWN) == names


def test_unknown(monkeypatch):
    monkeypatch.setenv("CHOICE", "one,tow")
    with pytest.raises(pytest.UsageError, match="CHOICE: there is no 'tow'"):
        chosen("CHOICE", KNOWN)
