# SPDX-License-Identifier: BSD-2-Clause
"""All of it, tests too, builds without a warning with other options of meson
than those of ./dev."""

import os
import shutil

import pytest

from build_tool import configure, run


@pytest.mark.parametrize("compiler, options", [
    ("gcc", ["--unity=on", "--buildtype=minsize", "-Db_ndebug=true"]),
    ("clang", ["--buildtype=release", "-Db_sanitize=address",
               "-Db_lundef=false"]),
], ids=["gcc", "clang"])
def test_builds(source, tmp_path, compiler, options, all_builds):
    if not shutil.which(compiler):
        pytest.skip(compiler + " is missing")
    configure(source, tmp_path, "-Dwerror=true", *options,
              env={"CC": compiler})
    run("ninja", "-C", tmp_path)
    assert os.access(tmp_path / "lib" / "tool" / "sdtkit", os.X_OK)
