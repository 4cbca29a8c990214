# SPDX-License-Identifier: BSD-2-Clause
"""The examples in README.md and docs/language.md are true."""

import re
import subprocess
import sys

import pytest


def blocks(path):
    return re.findall(r"^```\w*\n(.*?)^```", path.read_text(), re.M | re.S)


@pytest.mark.parametrize("name", ["README.md", "docs/language.md"])
def test_example_compiles(name, source, tmp_path):
    texts = blocks(source / name)
    description = [text for text in texts if re.search(r"^provider smb2? \{", text, re.M)][0]
    provider = re.search(r"^provider (\w+)", description, re.M)[1]
    header = provider + ".h"
    (tmp_path / "x.d").write_text(description)
    subprocess.run([sys.executable, source / "probegen", "-Wno-all",
                    tmp_path / "x.d", "-o", tmp_path / header], check=True)
    body = ("#include <stdint.h>\n"
            "struct request { uint64_t mid; };\n"
            "static inline uint16_t opcode(struct request *req)\n"
            "{ return (uint16_t)req->mid; }\n")
    code = [text for text in texts if '#include "%s"' % header in text]
    body += code[0] + "}\n" if code else '#include "%s"\n' % header
    subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                    "-I", tmp_path, "-I", source / "include", "-xc", "-"],
                   input=body, text=True, check=True)


def test_map_of_the_tree(source):
    """Every link of README.md leads somewhere."""
    for target in re.findall(r"\]\(([^)]+)\)",
                             (source / "README.md").read_text()):
        assert (source / target).exists(), target


def test_every_error_code_of_the_docs_exists(source):
    sys.path.insert(0, str(source))
    from probegen import diag
    for name in "README.md", "docs/language.md", "docs/probegen.1":
        for code in re.findall(r"error ([A-Z_]+):",
                               (source / name).read_text()):
            assert code in diag.CODES or code == "CODE"
