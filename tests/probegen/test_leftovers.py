# SPDX-License-Identifier: BSD-2-Clause
"""-G leaves no file but the object, whatever CFLAGS ask the compiler for, and
makes the same object each time. Comments that are not UTF-8 are converted."""

import os
import subprocess

import pytest

from dropin_tool import folder, good, semaphores     # noqa: F401  (fixtures)
from emit_tool import make
from test_every_format import FORMATS, in_process


@pytest.mark.parametrize("compiler, flags", [
    ("gcc", "-save-temps -O2 -g -fstack-usage --coverage"),
    ("gcc -save-temps=obj", "--save-temps -fdump-tree-original"),
    ("clang", "-save-temps -g"), ("clang", "-save-temps=obj --coverage")])
def test_only_the_object(folder, compiler, flags):      # noqa: F811
    good(folder, "-G -s shop.d", CC=compiler, CFLAGS=flags)
    semaphores(folder, "shop.o")
    first = (folder / "shop.o").read_bytes()
    good(folder, "-G -s shop.d --always", CC=compiler, CFLAGS=flags)
    assert (folder / "shop.o").read_bytes() == first
    assert sorted(os.listdir(folder)) == ["shop.d", "shop.o"]


LATIN = b"""/* Gr\xfc\xdfe f\xfcr Jos\xe9 \x96 \x80 */
provider x {
	// und \xc3\xbc bleibt
	probe y(int a, /* \xe4 */ char *b);
	/* \x81 */
	probe z();
};
"""


def test_latin_comments(tmp_path, monkeypatch):
    """All formats are UTF-8, and no compiler warns of the header."""
    path = tmp_path / "x.d"
    path.write_bytes(LATIN)
    with in_process(monkeypatch) as run:
        for form in FORMATS:
            output = tmp_path / ("x.h" if form == "header" else form)
            assert run("-Wno-all", "--emit", form, path, "-o",
                       output) == (0, "")
            assert "\udc80" not in output.read_bytes().decode("utf-8")
    text = (tmp_path / "x.h").read_text(encoding="utf-8")
    for words in ("Gr\xfc\xdfe f\xfcr Jos\xe9 \u2013 \u20ac", "und \xfc bleibt",
                  "\xe4", "\ufffd"):
        assert words in text, words
    assert "Gr\xfc\xdfe" in make("json", path, "-C")
    subprocess.run(["clang", "-Weverything", "-Werror=invalid-utf8",
                    "-Wno-unknown-warning-option", "-fsyntax-only", "-w",
                    "-xc", tmp_path / "x.h", "-I", os.path.join(
                        os.path.dirname(__file__), "../../include")],
                   check=True)
