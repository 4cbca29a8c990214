# SPDX-License-Identifier: BSD-2-Clause
import os
import subprocess

import pytest


@pytest.fixture(scope="module")
def made_up(source, tmp_path_factory):
    """made_up(file, source...): a program of this room that has these files of
    lib in it."""
    def make(name, *sources):
        path = tmp_path_factory.mktemp("made-up") / "made-up"
        subprocess.run(
            [os.environ.get("CC", "cc"), "-D_GNU_SOURCE",
             *("-I%s" % (source / name) for name in
               ["include", "lib", "lib/text", "lib/uprobe"]),
             source / "tests" / "service" / name,
             *(source / "lib" / one for one in sources),
             "-ljansson", "-o", path], check=True)
        return path
    return make
