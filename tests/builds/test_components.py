# SPDX-License-Identifier: BSD-2-Clause
"""-Dcomponents: what is built and installed, and what it needs."""

import os
import subprocess

import pytest

from build_tool import ALONE, configure, files_below, install, steps
from opt_in import rarely

NO_LIBELF = {"PKG_CONFIG_LIBDIR": "", "PKG_CONFIG_PATH": ""}
LIBRARIES = {"libsdtkit.a", "libsdtkit-notes.a", "libsdtkit-tap.a",
             "libsdtkit-recorder.a", "sdtkit"}


def built(files):
    return {os.path.basename(path) for path in files
            if "/lib/" in path or "/bin/" in path} & LIBRARIES


@pytest.fixture(scope="module")
def headers(source, tmp_path_factory):
    """The prefix of an installation of headers only."""
    folder = tmp_path_factory.mktemp("headers")
    prefix = folder / "a pre+fix"
    configure(source, folder / "out", "-Dcomponents=headers",
              "--prefix", prefix, env=NO_LIBELF)
    install(folder / "out", folder / "root")
    (folder / "root" / prefix.relative_to("/")).rename(prefix)
    return prefix


def test_headers_need_nothing(headers):
    """Headers, probegen and the providers, and nothing to compile."""
    files = files_below(headers)
    assert built(files) == set()
    for path in ("bin/probegen", "include/sdtkit/probe.h",
                 "share/pkgconfig/sdtkit.pc",
                 "share/sdtkit/probegen/cli.py",
                 "share/sdtkit/providers/README.md",
                 "share/sdtkit/providers/smb2/README.md",
                 "share/sdtkit/providers/smb2/smb2.d",
                 "share/sdtkit/providers/smb2/smb2.md"):
        assert "/" + path in files
    assert not any(path.endswith(("/tap.h", "/notes.h", "/sdtkit.1"))
                   for path in files)


def test_sys_sdt(headers):
    """The directory of the installed <sys/sdt.h> is all that -I has to name,
    and pkg-config knows it."""
    found = subprocess.run(
        ["pkg-config", "--variable=sdtdir", "sdtkit"], check=True, text=True,
        stdout=subprocess.PIPE, env=dict(
            os.environ, PKG_CONFIG_PATH=str(headers / "share/pkgconfig")))
    folder = found.stdout.rstrip("\n").replace("\\", "")
    assert folder == str(headers / "include/sdtkit/sdt")
    for options in ["-I", folder], []:
        said = subprocess.run(
            ["cc", *options, "-H", "-fsyntax-only", "-xc", "-"], check=True,
            text=True, input="#include <sys/sdt.h>\n",
            stderr=subprocess.PIPE,
            env=dict(os.environ, **({} if options else {"CPATH": folder})))
        assert folder + "/sys/sdt.h" in said.stderr
        assert "sdt-config.h" not in said.stderr


SOME = {
    "arg": {"libsdtkit.a"},
    "tap,headers": {"libsdtkit-tap.a"},
    "recorder": {"libsdtkit-tap.a", "libsdtkit-recorder.a"},
    "notes": {"libsdtkit-notes.a"},
    "tool": LIBRARIES - {"libsdtkit.a"},
    "auto": LIBRARIES,
}


@pytest.mark.parametrize("components", rarely(SOME, ["recorder", "tool"]))
def test_some(source, tmp_path, components):
    configure(source, tmp_path / "out", "-Dcomponents=" + components, *ALONE)
    targets = {os.path.basename(step.split()[-1])
               for step in steps(tmp_path / "out") if "Linking" in step}
    assert targets & LIBRARIES == SOME[components]


def test_what_is_missing(source, tmp_path):
    """Without libelf, the message names the option that does without."""
    done = subprocess.run(
        ["meson", "setup", tmp_path / "out", source, *ALONE],
        env=dict(os.environ, **NO_LIBELF), stdout=subprocess.PIPE, text=True)
    assert done.returncode != 0
    assert "-Dcomponents=headers,arg,tap" in done.stdout


@pytest.mark.parametrize("feature", rarely(["demo", "tsmbd", "tests"],
                                           ["tsmbd"]))
def test_what_is_asked_for_is_built_or_refused(source, tmp_path, feature):
    done = subprocess.run(
        ["meson", "setup", tmp_path / "out", source, "-Dcomponents=headers",
         "-D%s=enabled" % feature], stdout=subprocess.PIPE, text=True)
    assert done.returncode != 0
    assert ("-D%s=enabled needs the components arg and tool" % feature
            in done.stdout)
