# SPDX-License-Identifier: BSD-2-Clause
"""The end of what "meson setup" says: what is built, and what is left out."""

import os
import re
import subprocess

from build_tool import run


def summary(said):
    """name -> what is said of it in the summary of meson."""
    text = said.split("What is built\n")[1].split("\n\n")[0]
    return dict(re.split(r"\s*: ", line.strip(), maxsplit=1)
                for line in text.splitlines())


def test_what_is_left_out_is_said(source, tmp_path):
    """Without some libraries, and as packagers build it."""
    known = tmp_path / "pkgconfig"
    known.mkdir()
    folders = subprocess.run(
        ["pkg-config", "--variable", "pc_path", "pkg-config"], check=True,
        stdout=subprocess.PIPE, text=True).stdout.strip().split(":")
    for name in "libelf", "zlib", "jansson", "ncursesw":
        for folder in folders:
            path = os.path.join(folder, name + ".pc")
            if os.path.exists(path):
                (known / (name + ".pc")).symlink_to(path)
                break
    # meson would ask CMake next
    (tmp_path / "native.ini").write_text("[binaries]\ncmake = 'false'\n")
    said = run("meson", "setup", tmp_path / "out", source, "-Dcurses=disabled",
               "--buildtype=plain", "--native-file", tmp_path / "native.ini",
               env=dict(os.environ, PKG_CONFIG_LIBDIR=str(known),
                        PKG_CONFIG_PATH=""))
    assert summary(said) == {
        "components": "headers, arg, notes, tap, recorder, tool",
        "sdtkit top": "no, missing: libbpf 1.0, libdw",
        "keys in top": "no, disabled",
        "tsmbd": "no, not in a plain build: set -Dtsmbd=enabled",
        "HTTP of tsmbd": "no, missing: tsmbd",
        "demo": "no, not in a plain build: set -Ddemo=enabled",
        "tests": "no, missing: cmocka",
    }
