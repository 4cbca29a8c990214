# SPDX-License-Identifier: BSD-2-Clause
"""An installation of sdtkit, made once, for projects that use one."""

import os
import pathlib

import pytest

from installed import install


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """The prefix below which headers, probegen and libsdtkit are installed.
    `build` is what tests of this room call a build system."""
    path = os.environ.get("SDTKIT_BUILD")
    if not path:
        pytest.skip("SDTKIT_BUILD is not set; run through ./dev test")
    return install(pathlib.Path(path), tmp_path_factory.mktemp("installed"))
