# SPDX-License-Identifier: BSD-2-Clause
"""The matrix that the tests of this room share."""

import pytest

import builds
import matrix


def pytest_generate_tests(metafunc):
    if "cell" in metafunc.fixturenames:
        metafunc.parametrize("cell", matrix.cells(), ids=str)


@pytest.fixture(scope="session")
def measured(request):
    """The matrix; it has started with the cells of the tests that will run."""
    own = matrix.Matrix()
    wanted = [item.callspec.params["cell"] for item in request.session.items
              if "cell" in getattr(item, "fixturenames", ())]
    own.start([cell for cell in wanted if not (
        cell.tracer.lacks() or builds.lacks(cell.header))])
    yield own
    own.close()
