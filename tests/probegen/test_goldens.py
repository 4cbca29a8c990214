# SPDX-License-Identifier: BSD-2-Clause
"""From ok/NAME/in.d, probegen must make the files beside it, byte for byte:
always expect.h (native), and each of the other FORMS that is there: those that
the case has something to say in, and all of them for smb2. Many lines at the
beginning that are those of smb2's file stand there only: the others have their
number. Every header must compile alone, as C and as C++, under the warnings
that people use.

To add a case, drop in a directory; to add an expectation, an empty file such
as expect.stp. SDTKIT_REGENERATE=1 writes what is expected, for a person to
read.
"""

import os
import pathlib
import subprocess

import pytest

from opt_in import usual
from probegen_tool import SOURCE, codes, run, start

assert codes()

from probegen import emit       # noqa: E402  (its path is set now)

OK = pathlib.Path(__file__).resolve().parent / "ok"
CASES = sorted(path.name for path in OK.iterdir() if path.is_dir())
MANY = 50       # lines
PROVIDERS = sorted((SOURCE / "providers").glob("*/*.d"))

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
            "-Wcast-qual", "-Wundef", "-Werror"]
COMPILERS = [
    ["gcc", "-std=c99", "-Wc++-compat", "-Wmissing-prototypes"],
    ["clang", "-std=c2x", "-Wmissing-prototypes"],
    ["g++", "-xc++", "-std=c++11", "-Wold-style-cast"],
    ["clang++", "-xc++", "-std=c++2b", "-Wold-style-cast"],
]
# one of each language, and one of each maker
USUAL = usual(COMPILERS, COMPILERS[0], COMPILERS[3])
# the options that builds use instead of --emit
SHORT = {"header": [], "dropin": ["-h"]}


def forms():
    """Returns a dict: name of the expectation of each format -> options. The
    name is `expect` and the suffix; if an earlier format has the same suffix,
    the name of the format stands between them."""
    found = {}
    for name, made in emit.FORMATS.items():
        expected = "expect" + made.suffix
        if expected in found:
            expected = "expect-%s%s" % (name, made.suffix)
        found[expected] = SHORT.get(name, ["--emit", name])
    return found


FORMS = forms()
EXPECTED = [(name, expected) for name in CASES for expected in sorted(
    {"expect.h"} | {path.name for path in (OK / name).glob("expect*")})]


def compile_header(header, compiler, *flags):
    """Compiles a header as if it were a program."""
    program = '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n'
    subprocess.run(
        compiler + WARNINGS + ["-I", str(SOURCE / "include"), *flags,
                               "-fsyntax-only", "-xc++"
                               if compiler[0].endswith("++") else "-xc", "-"],
        input=program % (header, header), text=True, check=True)


def shortened(text, name, expected):
    """The text without what smb2's file has in the place of its beginning."""
    full = OK / "smb2" / expected
    if name == "smb2" or not full.exists():
        return text
    lines = text.splitlines(keepends=True)
    same = len(os.path.commonprefix(
        [lines, full.read_text().splitlines(keepends=True)]))
    return "".join([text] if same < MANY else [
        "(%d lines of smb2's)\n" % same, *lines[same:]])


@pytest.mark.parametrize("name,expected", EXPECTED)
def test_golden(name, expected, tmp_path):
    output = tmp_path / "out.h"
    result = run("-Wno-all", *FORMS[expected], "-s", OK / name / "in.d",
                 "-o", output)
    assert (result.returncode, result.stderr) == (0, "")
    golden = OK / name / expected
    text = shortened(output.read_text(), name, expected)
    if os.environ.get("SDTKIT_REGENERATE") == "1":
        golden.write_text(text)
    assert text == golden.read_text()


@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
@pytest.mark.parametrize("name", CASES)
def test_golden_compiles(name, compiler):
    compile_header(OK / name / "expect.h", compiler)
    compile_header(OK / name / "expect.h", compiler, "-DSDTKIT_DISABLE")


@pytest.mark.parametrize("compiler", USUAL, ids=lambda c: c[0])
@pytest.mark.parametrize("path", PROVIDERS, ids=lambda p: p.stem)
def test_provider_compiles(path, compiler, tmp_path):
    header = tmp_path / (path.stem + ".h")
    result = run(path, "-o", header)
    assert (result.returncode, result.stderr) == (0, "")
    compile_header(header, compiler)
    compile_header(header, compiler, "-DSDTKIT_DISABLE")


@pytest.mark.parametrize("path", PROVIDERS, ids=lambda p: p.stem)
def test_header_fits_80_columns(path):
    text = run(path, "-o", "-").stdout
    wide = [line for line in text.split("\n") if len(line.expandtabs(8)) > 80]
    assert wide == []


def test_output_is_deterministic(tmp_path):
    """The bytes do not depend on the directory or on the order of hashing."""
    texts = set()
    for seed in "0", "1", "77":
        folder = tmp_path / seed
        folder.mkdir()
        copy = folder / "smb2.d"
        copy.write_bytes((SOURCE / "providers/smb2/smb2.d").read_bytes())
        texts.add(start(copy, "-o", "-", cwd=str(folder),
                        env=dict(os.environ, PYTHONHASHSEED=seed)).stdout)
    assert len(texts) == 1 and len(texts.pop()) > 1000
