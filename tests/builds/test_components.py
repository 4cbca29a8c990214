# SPDX-License-Identifier: BSD-2-Clause
"""-Dcomponents: what is built and installed, and what it needs."""

import os
import subprocess

import pytest

from build_tool import ALONE, configure, install, steps

NO_LIBELF = {"PKG_CONFIG_LIBDIR": "", "PKG_CONFIG_PATH": ""}
LIBRARIES = {"libsdtkit.a", "libsdtkit-notes.a", "libsdtkit-tap.a", "sdtkit"}


def built(files):
    return {os.path.basename(path) for path in files
            if "/lib/" in path or "/bin/" in path} & LIBRARIES


def test_headers_need_nothing(source, tmp_path):
    """Headers, probegen and the providers, and nothing to compile."""
    configure(source, tmp_path / "out", "-Dcomponents=headers", env=NO_LIBELF)
    files = install(tmp_path / "out", tmp_path / "root")
    assert built(files) == set()
    for path in ("bin/probegen", "include/sdtkit/probe.h",
                 "share/pkgconfig/sdtkit.pc",
                 "share/sdtkit/probegen/cli.py",
                 "share/sdtkit/providers/README.md",
                 "share/sdtkit/providers/smb2/README.md",
                 "share/sdtkit/providers/smb2/smb2.d",
                 "share/sdtkit/providers/smb2/smb2.md"):
        assert "/usr/local/" + path in files
    assert not any(path.endswith(("/tap.h", "/notes.h", "/sdtkit.1"))
                   for path in files)


@pytest.mark.parametrize("components, expected", [
    ("arg", {"libsdtkit.a"}),
    ("tap,headers", {"libsdtkit-tap.a"}),
    ("notes", {"libsdtkit-notes.a"}),
    ("tool", LIBRARIES - {"libsdtkit.a"}),
    ("auto", LIBRARIES),
])
def test_some(source, tmp_path, components, expected):
    configure(source, tmp_path / "out", "-Dcomponents=" + components, *ALONE)
    targets = {os.path.basename(step.split()[-1])
               for step in steps(tmp_path / "out") if "Linking" in step}
    assert targets & LIBRARIES == expected


def test_what_is_missing(source, tmp_path):
    """Without libelf, the message names the option that does without."""
    done = subprocess.run(
        ["meson", "setup", tmp_path / "out", source, *ALONE],
        env=dict(os.environ, **NO_LIBELF), stdout=subprocess.PIPE, text=True)
    assert done.returncode != 0
    assert "-Dcomponents=headers,arg,tap" in done.stdout


@pytest.mark.parametrize("feature", ["demo", "tsmbd"])
def test_what_is_asked_for_is_built_or_refused(source, tmp_path, feature):
    done = subprocess.run(
        ["meson", "setup", tmp_path / "out", source, "-Dcomponents=headers",
         "-D%s=enabled" % feature], stdout=subprocess.PIPE, text=True)
    assert done.returncode != 0
    assert ("-D%s=enabled needs the components arg and tool" % feature
            in done.stdout)
