# SPDX-License-Identifier: BSD-2-Clause
"""An installation of sdtkit, made once."""

import pytest

from installed import environment, install


@pytest.fixture(scope="session")
def installed(build, tmp_path_factory):
    """An environment in which sdtkit is installed below a prefix."""
    return environment(install(build, tmp_path_factory.mktemp("installed")))
