# SPDX-License-Identifier: BSD-2-Clause
"""The workflows of examples/ci install sdtkit as they say, from a repository.
That takes a build; tests/examples/test_ci.py has the rest."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "examples"))

import ci_tool  # noqa: E402


@pytest.mark.parametrize("name", sorted(ci_tool.FILES))
def test_sdtkit_is_installed(name, source, tmp_path):
    pytest.importorskip("yaml")
    repository = tmp_path / "sdtkit.git"
    shutil.copytree(
        source, repository, symlinks=True, ignore=lambda folder, names: {
            ".git", "build", "__pycache__"} if folder == str(source) else {})
    ci_tool.git(repository, "init", "-q")
    ci_tool.git(repository, "add", ".")
    ci_tool.git(repository, "commit", "-q", "-m", "a release")
    ci_tool.git(repository, "tag", "v1")
    variables, scripts = ci_tool.load(source, name)
    prefix = tmp_path / "runner" / "prefix"
    prefix.mkdir(parents=True)
    done = ci_tool.run(dict(scripts)["install"], tmp_path, {}, dict(
        variables, SDTKIT_URL="file://%s" % repository, SDTKIT_VERSION="v1",
        SDTKIT_PREFIX=str(prefix), RUNNER_TEMP=str(prefix.parent),
        GITHUB_PATH=str(tmp_path / "path"), GITHUB_ENV=str(tmp_path / "env")))
    assert done.returncode == 0, done.stdout
    pkgconfig = "%s/share/pkgconfig:%s/lib/pkgconfig" % (prefix, prefix)
    if name == "github":
        assert (tmp_path / "path").read_text() == "%s/bin\n" % prefix
        assert (tmp_path / "env").read_text() == \
            "PKG_CONFIG_PATH=%s\n" % pkgconfig
    environment = dict(os.environ, PKG_CONFIG_PATH=pkgconfig)
    subprocess.run(["pkg-config", "--exists", "sdtkit", "sdtkit-tap"],
                   env=environment, check=True)
    subprocess.run([prefix / "bin" / "sdtkit", "--version"], check=True)
    subprocess.run([prefix / "bin" / "probegen", "--version"], check=True)
