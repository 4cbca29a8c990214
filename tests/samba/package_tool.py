# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of examples/samba/debian share: its modules, and a small
Debian source package that is no Samba."""

import subprocess
import sys

from samba_tool import CODE, SAMBA, TABLE

DEBIAN = SAMBA / "debian"
sys.path.insert(0, str(DEBIAN))

VERSION = "2:4.17.12+dfsg-0+deb12u4"

# What debian/ has of a real one, as far as make.py looks at it.
FILES = {
    "debian/changelog":
        "samba (%s) bookworm-security; urgency=medium\n\n  * A change.\n\n"
        " -- A. U. Thor <thor@example.org>  Fri, 22 May 2026 09:40:47 +0300\n"
        % VERSION,
    "debian/control":
        "Source: samba\nSection: net\nPriority: optional\n"
        "Maintainer: A. U. Thor <thor@example.org>\n"
        "Standards-Version: 4.6.2\n"
        "Build-Depends: debhelper-compat (= 13)\n"
        "Build-Depends-Arch:\n\tbison,\n# libraries:\n\tlibtevent-dev,\n\n"
        "Package: samba\nArchitecture: any\nDescription: a small one\n",
    "debian/copyright": "Files: *\nCopyright: A. U. Thor\nLicense: GPL-3+\n",
    "debian/rules": "#!/usr/bin/make -f\nconfig-args = --prefix=/usr\n\n"
                    "configure:\n\t@echo ${config-args}\n",
    "debian/source/format": "3.0 (quilt)\n",
    "debian/patches/series": "# Debian's\nmove.patch\n",
    "debian/patches/move.patch":
        "--- a/queue.h\n+++ b/queue.h\n@@ -1 +1,2 @@\n struct queue;\n"
        "+struct moved;\n",
    ".pc/applied-patches": "move.patch\n",
    "queue.c": CODE,
    "queue.h": "struct queue;\nstruct moved;\n",
}


def small_package(top):
    """An unpacked source package, Debian's patch applied, and its table."""
    tree = top / "samba-4.17.12+dfsg"
    for name, text in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    (tree / "debian/rules").chmod(0o755)
    table = top / "table.txt"
    table.write_text(TABLE)
    return tree, table


def everything(tree):
    """{path: content} of a tree, without what quilt notes."""
    return {str(p.relative_to(tree)): p.read_bytes()
            for p in tree.rglob("*")
            if p.is_file() and ".pc" not in p.relative_to(tree).parts}


def make(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-B", str(DEBIAN / "make.py")] +
        [str(a) for a in arguments], universal_newlines=True,
        capture_output=True, **more)
