# SPDX-License-Identifier: BSD-2-Clause
"""Each example of examples/build, with sdtkit installed and copied into the
tree: out of the source directory, in a path with a blank, many jobs at once.
SDTKIT_BUILD_TIMES=100 builds each so many times: a race is not lost each time.
"""

import os

import pytest

from opt_in import usual
from project_tool import BUILDS, Project, run
from programs import which

PROBES = ["request_end", "request_start", "written"]
FORMS = ["installed", "copied"]
# The others are built with ./dev test --all.
USUAL = ["make-copied", "meson-installed"]
TIMES = int(os.environ.get("SDTKIT_BUILD_TIMES", 1))


@pytest.fixture
def project(request, source, tmp_path, prefix):
    build, form = request.param.rsplit("-", 1)
    made = Project(build, form, source, tmp_path, prefix)
    made.configure()
    return made


@pytest.mark.parametrize("project", usual(
    ["%s-%s" % (build, form) for build in BUILDS for form in FORMS], *USUAL),
    indirect=True)
def test_build(project):
    project.make()
    assert project.probes() == PROBES
    assert run(project.program(), "a", "b") == "a\nb\n"
    built_again_makes_nothing(project)
    a_description_concerns_its_users(project)
    another_probegen(project)
    for _ in range(TIMES):
        project.cleaned()
        assert not project.objects()
        project.make()
    without_probes(project)
    nothing_is_left(project)


def built_again_makes_nothing(project):
    before = project.objects()
    assert set(before) == {"server", "store"}
    project.make()
    assert project.objects() == before


def a_description_concerns_its_users(project):
    before = project.objects()
    path = project.folder / "probes" / "store_probes.d"
    path.write_text(path.read_text().replace("was written", "is written"))
    project.make()
    after = project.objects()
    assert after["store"] != before["store"]
    assert after["server"] == before["server"]
    assert "is written" in project.headers()["store_probes.h"]
    built_again_makes_nothing(project)


def another_probegen(project):
    """It is replaced as a package manager does it: by a file that is older
    than the headers."""
    path = project.generator / "emit" / "header.py"
    times, text = path.stat(), path.read_text()
    new = path.with_name("new")
    new.write_text(text.replace("do not edit.", "do not edit this."))
    os.utime(new, ns=(times.st_atime_ns, times.st_mtime_ns))
    os.replace(new, path)
    try:
        project.make()
        assert all("do not edit this." in text
                   for text in project.headers().values())
        built_again_makes_nothing(project)
    finally:
        path.write_text(text)
    project.make()


def without_probes(project):
    project.cleaned()
    project.configure(*project.without)
    project.make(*[] if project.config else project.without)
    assert project.probes() == []
    assert run(project.program(), "a") == "a\n"


def nothing_is_left(project):
    project.cleaned()
    assert not project.objects() and not project.headers()
    assert sorted(path.name for path in (project.folder / "probes").glob(
        "*.d")) == ["server_probes.d", "store_probes.d"]


def test_configure_tells_the_version(source, tmp_path, prefix):
    project = Project("autoconf", "installed", source, tmp_path, prefix)
    version = run("pkg-config", "--modversion", "sdtkit", env=project.env)
    assert "checking for sdtkit... " + version in project.configure()


@pytest.mark.thorough
@pytest.mark.parametrize("build", BUILDS)
def test_cross(build, source, tmp_path, prefix):
    """For aarch64, with an sdtkit that is installed for this machine."""
    if not which("aarch64-linux-gnu-gcc"):
        pytest.skip("aarch64-linux-gnu-gcc is missing")
    project = Project(build, "installed", source, tmp_path, prefix)
    project.cross(prefix)
    project.configure()
    project.make()
    assert project.probes() == PROBES
    assert "AArch64" in run("readelf", "-h", project.program())
    if which("qemu-aarch64-static"):
        assert run("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu",
                   project.program(), "a") == "a\n"
