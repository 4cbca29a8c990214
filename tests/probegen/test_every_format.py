# SPDX-License-Identifier: BSD-2-Clause
"""Every description that sdtkit ships, and every one that a test takes, in
every format, in this process: an emitter must not raise an exception on any.

The object is left out, because a compiler makes it; the drop-in header, whose
text it is compiled from, is made.
"""

import contextlib
import gc
import io
import subprocess

import pytest

from probegen_tool import SOURCE

from probegen import cli, diag, emit, files

FORMATS = [name for name, form in emit.FORMATS.items() if not form.compiled]
SHIPPED = sorted(
    path for folder in ("examples", "providers", "tests")
    for path in SOURCE.glob(folder + "/**/*.d")
    if "probegen" not in path.parts[len(SOURCE.parts):]
    and not path.read_text().startswith("#!"))
CASES = sorted(SOURCE.glob("tests/probegen/ok/*/in.d"))


@contextlib.contextmanager
def in_process(monkeypatch):
    """Yields a function that runs probegen with arguments here, and returns
    its status and its messages."""
    said = io.StringIO()
    monkeypatch.setattr(files, "complain", said.write)
    monkeypatch.setattr(files, "_SIGNALS", ())
    monkeypatch.setattr(gc, "disable", lambda: None)

    def run(*args):
        said.seek(0)
        said.truncate()
        return cli.main(["probegen", *map(str, args)]), said.getvalue()
    yield run


def test_there_are_descriptions():
    assert len(SHIPPED) >= 25 and len(CASES) >= 8 and len(FORMATS) >= 16


@pytest.mark.parametrize("path", SHIPPED + CASES, ids=lambda path: "-".join(
    path.with_suffix("").relative_to(SOURCE).parts[-2:]))
def test_every_format_is_made(path, tmp_path, monkeypatch):
    """A drop-in header may be refused, with MARSHALLED or one of its kind."""
    with in_process(monkeypatch) as run:
        for form in FORMATS:
            status, said = run("-Wno-all", "--emit", form, path, "-o",
                               tmp_path / form)
            assert "INTERNAL" not in said, said
            if form == "dropin" and status == 1:
                assert " error MARSHALLED: " in said, said
            else:
                assert (status, said) == (0, ""), (form, said)
                assert (tmp_path / form).read_bytes()


LATE = """provider p {
	probe first(int a);
	probe begin(int a, int b, int c, int d, int e, int f, %s);
	probe end(int a, int b, int c, int d, int e, int f, %s);
};
#pragma sdtkit span other start=first end=end key=a
#pragma sdtkit span late start=begin end=end key=a %s
"""


@pytest.mark.parametrize("start, end, properties", [
    ("char *who", "int x", "name=who"),
    ("int x", "char *who", "name=who"),
    ("uint32_t n", "uint64_t n", "name=n"),
    ("size_t size", "size_t size", "sum=size"),
    ("int x", "size_t size", "sum=size"),
    ("int x", "int status", "error=status"),
    ("int x", "uint64_t took", "duration=us(took)"),
])
def test_spans_use_the_seventh_argument(start, end, properties, tmp_path,
                                        monkeypatch):
    """bpftrace 0.17 cannot read it."""
    path = tmp_path / "x.d"
    path.write_text(LATE % (start, end, properties))
    with in_process(monkeypatch) as run:
        for form in FORMATS:
            output = tmp_path / form
            status, said = run("-Wno-all", "--emit", form, path, "-o", output)
            assert (status, said) == (0, ""), (form, said)


# -------------------------------------------------------- a broken emitter

@pytest.mark.parametrize("name, place", [
    ("SPAN", ":7:1: "), ("PROBE", ":3:8: "), ("ALWAYS", ": ")])
def test_broken_emitter(name, place, tmp_path, monkeypatch):
    """The message has one sentence and the place, and nothing is written."""
    path, output = tmp_path / "x.d", tmp_path / "x.md"
    path.write_text(LATE % ("int x", "int y", ""))
    output.write_text("old\n")

    def breaks(_, model):
        found = {"SPAN": [each.name for provider in model.providers
                          for each in provider.spans],
                 "PROBE": [each.name for provider in model.providers
                           for each in provider.probes],
                 "ALWAYS": ["late"]}[name]
        if {"late", "begin"} & set(found):
            raise KeyError("of\nthis")
        return ""

    monkeypatch.setattr(emit.Format, "emit", breaks)
    with in_process(monkeypatch) as run:
        status, said = run("-Wno-all", "--emit", "markdown", path, "-o",
                           output)
    assert status == 1 and output.read_text() == "old\n"
    first, *rest = said.splitlines()
    assert first.startswith(
        "%s%serror INTERNAL: probegen has a defect and cannot write the "
        "format 'markdown': KeyError at " % (path, place)), said
    assert first.endswith(": 'of\\nthis'") and "Traceback" not in said
    assert rest[-1].startswith("hint: please report")


def test_no_traceback_from_the_program(tmp_path):
    """As a program, probegen ends with status 1 and the same message."""
    (tmp_path / "x.d").write_text(LATE % ("int x", "int y", ""))
    script = ("import sys; from probegen import cli; from probegen.emit import"
              " markdown\ndef emit(model): raise ValueError\n"
              "markdown.emit = emit\nsys.exit(cli.main(sys.argv))")
    result = subprocess.run(
        ["/usr/bin/python3", "-c", script, "--emit", "markdown", "x.d"],
        cwd=tmp_path, env={"PYTHONPATH": str(SOURCE)}, text=True,
        capture_output=True)
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr.count("\n") == 2, result.stderr
    assert "INTERNAL" in diag.CODES and "INTERNAL" in result.stderr
