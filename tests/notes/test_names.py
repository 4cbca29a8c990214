# SPDX-License-Identifier: BSD-2-Clause
"""The libraries share one name space, since a program may link with all of
them: a struct has one layout, and a source file has one name."""

import collections
import re

STRUCT = re.compile(r"^struct (sdtkit_\w+) \{", re.MULTILINE)
LIBRARIES = ["arg", "attach", "decode", "notes", "tap", "text", "trace"]


def test_a_struct_has_one_layout(source):
    found = collections.defaultdict(list)
    for folder in "include/sdtkit", "lib":
        for path in sorted((source / folder).rglob("*.[ch]")):
            for name in STRUCT.findall(path.read_text()):
                found[name].append(str(path.relative_to(source)))
    assert found
    assert {name: paths for name, paths in found.items()
            if len(paths) > 1} == {}


def test_a_file_of_the_libraries_has_one_name(source):
    names = collections.Counter(
        path.name for library in LIBRARIES
        for path in (source / "lib" / library).glob("*.c"))
    assert names
    assert [name for name, count in names.items() if count > 1] == []
