# SPDX-License-Identifier: BSD-2-Clause
"""Packs the page into a header for html.c.

    pack.py OUTPUT TEMPLATE STYLE SCRIPT...

The style and the scripts are put into the template, and the policy allows
exactly them, by their hashes. What remains of the form {{field}} is filled in
by html.c: the header has the parts of the page, each with the field that
follows it.
"""

import base64
import hashlib
import pathlib
import re
import sys

POLICY = ("default-src 'none'; style-src '%s'; script-src '%s'; "
          "img-src data:; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'")


def hash_of(text):
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()


def join_scripts(paths):
    scripts = "".join(path.read_text() for path in paths)
    return '"use strict";\n(() => {\n%s})();\n' % scripts


def c_string(text):
    lines = text.splitlines(keepends=True) or [""]
    return "\n".join('\t"%s"' % escape(line) for line in lines)


def escape(line):
    return (line.replace("\\", "\\\\").replace('"', '\\"')
            .replace("\n", "\\n").replace("?", "\\?"))


def main():
    output, template, style, *scripts = map(pathlib.Path, sys.argv[1:])
    style = "\n" + style.read_text()
    script = "\n" + join_scripts(scripts)
    for text in (style, script):
        if any(ord(letter) > 126 for letter in text) or \
                 "</" in text or "<!--" in text:
            sys.exit("pack.py: styles and scripts must be ASCII, and must "
                     "not contain </ or <!--")
    page = template.read_text()
    for field, text in (
            ("policy", POLICY % (hash_of(style), hash_of(script))),
            ("style", style), ("script", script)):
        page = page.replace("{{%s}}" % field, text)
    parts = re.split(r"\{\{(\w+)\}\}", page) + [""]
    with output.open("w") as file:
        file.write("/* Made by pack.py. */\nstatic const struct {\n"
                   "\tconst char *text;\n\tsize_t length;\n"
                   "\tconst char *field;\n} parts[] = {\n")
        for text, field in zip(parts[::2], parts[1::2]):
            file.write('{\n%s,\n\t%d, "%s" },\n' % (
                c_string(text), len(text.encode()), field))
        file.write("};\n")


main()
