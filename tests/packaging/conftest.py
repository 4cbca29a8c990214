# SPDX-License-Identifier: BSD-2-Clause
"""Packages of this tree, each kind built once, and a Debian to put them into.

SDTKIT_PACKAGES: a directory of Debian's packages of this tree that have been
built already, for those who work on one of these tests.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "demo"),
                str(HERE.parent / "tsmbd")]

from debian_root import Root     # noqa: E402
from source_tree import copy    # noqa: E402


@pytest.fixture(scope="session")
def debian(need, source, tmp_path_factory):
    """The directory of Debian's packages of this tree, and of the log."""
    need("dh")
    if os.environ.get("SDTKIT_PACKAGES"):
        return pathlib.Path(os.environ["SDTKIT_PACKAGES"])
    folder = tmp_path_factory.mktemp("debian")
    copy(source, folder / "sdtkit")
    build_packages(need, folder / "sdtkit", folder / "log")
    return folder


@pytest.fixture(scope="session")
def packages(debian):
    """{name: file} of Debian's packages, without those of debug symbols."""
    return {path.name.split("_")[0]: path for path in debian.glob("*.deb")
            if "-dbgsym_" not in path.name}


def build_packages(need, tree, log, *before, **environment):
    """As docs/packaging.md says, and the source package too. `before` are words
    before the command."""
    shutil.copytree(tree / "examples" / "packaging" / "debian",
                    tree / "debian", symlinks=True)
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("SDTKIT_", "DEB_", "PYTHON"))
             and name not in ("CFLAGS", "LDFLAGS", "XDG_RUNTIME_DIR")}
    with open(log, "w") as said:
        done = subprocess.run(
            [*before, need("dpkg-buildpackage"), "-us", "-uc"], cwd=tree,
            env=dict(clean, **environment), stdin=subprocess.DEVNULL,
            stdout=said, stderr=said)
    assert done.returncode == 0, "".join(
        log.read_text(errors="replace").splitlines(keepends=True)[-40:])


@pytest.fixture(scope="session")
def bare_root(need, tmp_path_factory):
    """A minimal Debian 12, which nobody writes to."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to make a root directory of its own")
    return Root.bootstrap(need("debootstrap"),
                          tmp_path_factory.mktemp("root"))


@pytest.fixture
def root(bare_root, tmp_path):
    """That Debian, to change as one likes."""
    with bare_root.layer(tmp_path / "layer") as layer:
        yield layer

