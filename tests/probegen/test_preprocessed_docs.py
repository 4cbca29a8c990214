# SPDX-License-Identifier: BSD-2-Clause
"""With -C, comments document probes as they do without: also those of files
that are included and of macros, but not those that surround a file in the
preprocessor's output."""

import os
import pathlib
import re
import threading

import pytest

from opt_in import usual
from probegen_tool import SOURCE, run

CPPS = ["cpp", "gcc -E", "clang -E"]
FILES = sorted((SOURCE / "providers").glob("*/*.d")) + sorted(
    (pathlib.Path(__file__).resolve().parent / "ok").glob("*/in.d"))


def markdown(*args, cpp="cpp", stdin=None):
    """Returns what a description says, without the name of its file."""
    result = run("-Wno-all", "--emit", "markdown", "-o", "-", *args,
                 env=dict(os.environ, CPP=cpp), input=stdin)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split("\n", 1)[1]


@pytest.mark.parametrize("cpp", usual(CPPS, "cpp"))
@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(
    path.parts[-2:]))
def test_same_as_without(path, cpp, tmp_path):
    # to the preprocessor, a backslash joins two lines of a comment as well
    copy = tmp_path / "in.d"
    copy.write_text(re.sub(
        r"/\*.*?\*/|//[^\n]*\n", lambda text: text[0].replace("\\\n", "\n"),
        path.read_text(), flags=re.S))
    assert markdown("-C", copy, cpp=cpp) == markdown(copy)


MACROS = """\
/* no comment of a provider */
#include <stdbool.h>
#include <stdint.h>
#include "part.h"
#define NAME shop
#define KEY uint64_t mid, /* the key */ int code /* its kind */
#define EMPTY /* nothing */
/* no comment of a provider either */
#define MADE(name, type) probe name(type value)

/* The shop. */
provider NAME {
	/* An order
	 * is placed. */
	probe order(KEY,
		int who);	// the customer
				// who pays
	// By a macro.
	MADE(made, EMPTY int);
#ifdef WITH
	/* Never. */
	probe never();
#else
	/* Otherwise. */
	probe other(
		/* whether it is */
		bool is,
		bool was,	/* whether it was */
		PART);
#endif
	probe quick(bool so);	/* In no time. */
	// Last.
	probe last();
};
"""
PART = """\
#define PART struct part *part	/* which part */
/* no comment of a probe */
struct part { int number; };
"""
SAID = ["The shop.", "An order\nis placed.", "mid` | the key",
        "code` | its kind", "who` | the customer who pays", "By a macro.",
        "Otherwise.", "is` | whether it is", "was` | whether it was",
        "part` | which part", "In no time.", "Last."]


@pytest.mark.parametrize("cpp", CPPS)
def test_includes_and_macros(cpp, tmp_path):
    (tmp_path / "in.d").write_text(MACROS)
    (tmp_path / "part.h").write_text(PART)
    text = markdown("-C", tmp_path / "in.d", cpp=cpp)
    assert [said for said in SAID if said not in text] == []
    assert [line for line in text.split("\n")
            if "no comment" in line or "Never" in line] == []
    assert markdown("-C", "-I%s" % tmp_path, "-", cpp=cpp,
                    stdin=MACROS) == text


@pytest.mark.parametrize("line", [
    "#define PASTED(name) s ## /* a comment */ name",
    "/* first */ #define PASTED(name) s##name",
    "/* first */ #define PASTED(name) s##name\n#undef PASTED\n"
    "#define PASTED(name) sh ## op"])
def test_comments_never_change_a_probe(line, tmp_path):
    """If the text has other tokens with comments than without, the comments
    are left out."""
    (tmp_path / "in.d").write_text(line + """
#ifndef PASTED
#error
#endif
/* The shop. */
provider PASTED(hop) {
	/* It closes. */
	probe close(int code);	/* why */
};
""")
    text = markdown("-C", tmp_path / "in.d")
    assert "## Provider shop" in text and "int code" in text
    if "first" not in line:
        assert "The shop." in text and "It closes." in text


@pytest.mark.parametrize("cpp", ["cpp -P", "clang -E -P"])
def test_text_without_line_markers(cpp, tmp_path):
    """Comments are left out, because they may be from any file, such as the
    licence of the C library."""
    (tmp_path / "in.d").write_text(
        "provider shop {\n\t/* It closes. */\n\tprobe close();\n};\n")
    text = markdown("-C", tmp_path / "in.d", cpp=cpp)
    assert "shop:close" in text and "License" not in text


def test_pipe_is_read_once(tmp_path):
    """A second read would wait for a writer forever."""
    pipe = tmp_path / "in.d"
    os.mkfifo(str(pipe))
    writer = threading.Thread(target=pipe.write_text, args=[
        "provider shop { probe close(); };\n"], daemon=True)
    writer.start()
    assert "shop:close" in markdown("-C", pipe)


def test_preprocessor_says_things_once(tmp_path):
    (tmp_path / "in.d").write_text(
        "#warning one\nprovider shop {\n\tprobe close();\n};\n")
    result = run("-C", "--emit", "json", "-o", "-", tmp_path / "in.d")
    assert result.returncode == 0
    assert result.stderr.count("#warning one") <= 2     # and the line itself
    assert result.stderr.count("warning: #warning") == 1


def test_headers_for_dtrace_need_no_second_run(tmp_path):
    """They have no documentation, so the preprocessor runs once."""
    (tmp_path / "count").write_text(
        "#!/bin/sh\necho >> %s/runs\nexec cpp \"$@\"\n" % tmp_path)
    (tmp_path / "count").chmod(0o755)
    (tmp_path / "in.d").write_text("provider shop {\n\tprobe close();\n};\n")
    result = run("-C", "-h", "-o", "-", "-s", tmp_path / "in.d",
                 env=dict(os.environ, CPP=str(tmp_path / "count")))
    assert result.returncode == 0
    assert (tmp_path / "runs").read_text() == "\n"
