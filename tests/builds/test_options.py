# SPDX-License-Identifier: BSD-2-Clause
"""All of it, tests too, builds without a warning with other options of meson
than those of ./dev."""

import os

import pytest

from build_tool import configure, run, steps
from opt_in import rarely
from programs import which


@pytest.mark.parametrize("compiler, options", [
    ("gcc", ["--unity=on", "--buildtype=minsize", "-Db_ndebug=true"]),
    ("clang", ["--buildtype=release", "-Db_sanitize=address",
               "-Db_lundef=false"]),
], ids=["gcc", "clang"])
def test_builds(source, tmp_path, compiler, options, all_builds):
    if not which(compiler):
        pytest.skip(compiler + " is missing")
    configure(source, tmp_path, "-Dwerror=true", "-Ddemo=enabled",
              "-Dtsmbd=enabled", *options,
              env={"CC": compiler})
    run("ninja", "-C", tmp_path)
    assert os.access(tmp_path / "lib" / "tool" / "sdtkit", os.X_OK)


BUILT = {
    "--buildtype=plain": set(),
    "--buildtype=release -Ddemo=enabled": {"demo-server"},
    "--buildtype=debug -Dtests=disabled": {"demo-server", "tsmbd"},
    "--buildtype=debug -Dtop=disabled": {"demo-server", "tsmbd"},
}


@pytest.mark.parametrize("options", rarely(
    BUILT, ["--buildtype=release -Ddemo=enabled"]))
def test_a_release_build_has_what_was_asked_for(source, build, tmp_path,
                                                options):
    """As packagers build it: no demo and no tsmbd of which nobody spoke."""
    if not (build / "lib" / "tsmbd" / "tsmbd").exists():
        pytest.skip("tsmbd was not built: needs libbpf, clang and bpftool")
    configure(source, tmp_path, *options.split())
    targets = {os.path.basename(step.split()[-1])
               for step in steps(tmp_path) if "Linking" in step}
    assert targets & {"demo-server", "tsmbd"} == BUILT[options]
    assert "sdtkit" in targets
