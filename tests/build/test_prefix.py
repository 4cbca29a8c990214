# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit is installed below a prefix with a blank, which pkg-config writes as
"\\ ", also in variables."""

import shutil

import pytest

from opt_in import usual
from project_tool import BUILDS, Project, run


@pytest.fixture(scope="module")
def with_blank(prefix, tmp_path_factory):
    """A copy of the installation below such a prefix."""
    folder = tmp_path_factory.mktemp("prefix") / "a prefix"
    shutil.copytree(prefix, folder, symlinks=True)
    for path in folder.rglob("*.pc"):
        path.write_text(path.read_text().replace(
            str(prefix), str(folder).replace(" ", "\\ ")))
    return folder


@pytest.mark.parametrize("build", usual(list(BUILDS), "make"))
def test_prefix_with_a_blank(build, source, tmp_path, with_blank):
    project = Project(build, "installed", source, tmp_path, with_blank)
    project.configure()
    project.make()
    assert project.probes() == ["request_end", "request_start", "written"]
    assert run(project.program(), "a") == "a\n"
    project.make()
