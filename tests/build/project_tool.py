# SPDX-License-Identifier: BSD-2-Clause
"""Projects with the files of examples/build: configured, built and looked at.

    project = Project("cmake", "copied", source, folder, prefix)
    project.configure()
    project.make()
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from programs import which

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples" / "samba"))

import source as samba_source  # noqa: E402

# Debian has no package of waf. This source package has one in its tree.
WAF_PACKAGE = "jackd2"
MAKE = ["make", "--no-print-directory", "-j32"]
NINJA = ["ninja", "-j32"]
WAF = ["WAF", "-j32"]

# build: the directory below examples/build, what is run in the tree before it,
# how it is configured, without probes too, how it builds and cleans, and which
# commands it needs
BUILDS = {
    "make": ("make", [], [], ["PROBES=no"],
             [*MAKE, "-f", "../Makefile", "srcdir=.."], ["clean"], ["make"]),
    "autoconf": ("autoconf", [["aclocal"], ["autoconf"]], ["../configure"],
                 ["--disable-probes"], MAKE, ["clean"],
                 ["make", "autoconf", "aclocal"]),
    "automake": ("automake", [["aclocal"], ["autoconf"],
                              ["automake", "--add-missing"]],
                 ["../configure"], ["--enable-probes=no"], [*MAKE, "V=1"],
                 ["clean"], ["make", "autoconf", "automake"]),
    "cmake": ("cmake", [], ["cmake", ".."], ["-DSDTKIT_PROBES=OFF"],
              [*MAKE, "VERBOSE=1"], ["clean"], ["make", "cmake"]),
    "cmake-ninja": ("cmake", [], ["cmake", "-GNinja", ".."],
                    ["-DSDTKIT_PROBES=OFF"], [*NINJA, "-v"], ["-tclean"],
                    ["cmake"]),
    "meson": ("meson", [], ["meson", "setup", "..", "."],
              ["--reconfigure", "-Dprobes=false"], [*NINJA, "-v"],
              ["-tclean"], []),
    "waf": ("waf", [], ["WAF", "configure"], ["--enable-probes=no"],
            [*WAF, "-v", "build"], ["clean"], []),
}
CROSS = {
    "make": ([], ["CC=aarch64-linux-gnu-gcc"]),
    "autoconf": (["--host=aarch64-linux-gnu"], []),
    "automake": (["--host=aarch64-linux-gnu"], []),
    "cmake": (["-DCMAKE_TOOLCHAIN_FILE=../cross.cmake"], []),
    "cmake-ninja": (["-DCMAKE_TOOLCHAIN_FILE=../cross.cmake"], []),
    "meson": (["--cross-file=../cross.ini"], []),
    "waf": ([], []),
}
CROSS_FILES = {
    "cross.cmake": """set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
""",
    "cross.ini": """[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
"""}
RUN_WAF = """
import os, sys
sys.path.insert(0, sys.argv[1])
from waflib import Context, Scripting
sys.argv[:2] = ["waf"]
Scripting.waf_entry_point(os.getcwd(), Context.WAFVERSION,
                          os.path.dirname(Context.__file__) + "/..")
"""


def waf_folder(source):
    """Where there is a waf: in a Samba that `./dev samba` has fetched, or else
    in a small source package of Debian's, which is fetched for --all.
    None if there is none."""
    places = [os.environ.get("SDTKIT_SAMBA", ""),
              str(source / "build" / "samba")]
    for place in filter(None, places):
        for found in sorted(pathlib.Path(place).glob(
                "samba-*/third_party/waf")):
            return found
    return fetched_waf() if os.environ.get("SDTKIT_ALL") else None


def fetched_waf():
    """A fetched one stays in the cache."""
    cache = pathlib.Path(os.environ.get("SDTKIT_TRACERS_CACHE")
                         or pathlib.Path.home() / ".cache" / "sdtkit")
    top = cache / WAF_PACKAGE
    try:
        top.mkdir(parents=True, exist_ok=True)
        return samba_source.fetch(top, package=WAF_PACKAGE)
    except (samba_source.Failed, OSError):
        return None     # no network, no space


def run(*command, **options):
    """What a command says; where it fails, the test fails with that."""
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


class Project:
    """The program of examples/build with the files of one build, whose sdtkit
    is "installed" or "copied"."""

    def __init__(self, build, form, source, folder, prefix):
        (self.name, self.prepare, self.config, self.without, self.build,
         self.clean, needed) = BUILDS[build]
        for command in needed:
            if not which(command):
                pytest.skip(command + " is missing")
        self.waf = waf_folder(source)
        if build == "waf" and not self.waf:
            pytest.skip("there is no waf: ./dev samba fetches one, and so does "
                        "./dev test --all if it can")
        # no build handles "+" or a blank with less care than make does
        self.folder = folder / "my project+"
        self.out = self.folder if build == "waf" else self.folder / "out"
        self.more = []
        self.env = dict(os.environ, MAKEFLAGS="", PYTHONDONTWRITEBYTECODE="1")
        for variable in "CFLAGS", "CPPFLAGS", "PKG_CONFIG_LIBDIR":
            self.env.pop(variable, None)
        examples = source / "examples" / "build"
        shutil.copytree(examples / "program", self.folder)
        shutil.copytree(examples / self.name, self.folder, dirs_exist_ok=True)
        self.out.mkdir(exist_ok=True)
        if form == "copied":
            self._copy(source)
        else:
            self._install(prefix)

    def _copy(self, source):
        """What docs/building.md says that a copy needs."""
        home = self.folder / "sdtkit"
        names = ["include", "probegen", "lib/build"]
        if self.name == "meson":
            home = self.folder / "subprojects" / "sdtkit"
            names += ["meson.build", "meson_options.txt", "lib", "providers",
                      "docs"]
        for name in names:
            if (source / name).is_dir():
                shutil.copytree(source / name, home / name, dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source / name, home / name)
        self.generator = home / "probegen"
        self.env.update(PKG_CONFIG_LIBDIR="/nowhere", PKG_CONFIG_PATH="")

    def _install(self, prefix):
        self.generator = prefix / "share" / "sdtkit" / "probegen"
        folders = [str(path) for path in prefix.rglob("pkgconfig")]
        self.env.update(PKG_CONFIG_PATH=":".join(folders),
                        CMAKE_PREFIX_PATH=str(prefix),
                        ACLOCAL_PATH=str(prefix / "share" / "aclocal"))

    def cross(self, prefix):
        """For aarch64. pkg-config knows no library of this machine."""
        for name, text in CROSS_FILES.items():
            (self.folder / name).write_text(text)
        options, more = CROSS[self.name]
        self.config = [*self.config, *options] if self.config else []
        self.more = more
        self.env.pop("PKG_CONFIG_PATH", None)
        self.env.update(CC="aarch64-linux-gnu-gcc", PKG_CONFIG_LIBDIR=str(
            prefix / "share" / "pkgconfig"))

    def _run(self, command, *options):
        if command[0] == "WAF":
            command = [sys.executable, "-c", RUN_WAF, self.waf, *command[1:]]
        return run(*command, *options, cwd=self.out, env=self.env)

    def configure(self, *options):
        for command in self.prepare:
            run(*command, cwd=self.folder, env=self.env)
        self.prepare = []
        return self._run(self.config, *options) if self.config else ""

    def make(self, *options):
        return self._run(self.build, *self.more, *options)

    def cleaned(self):
        command = [word for word in self.build
                   if word not in ("build", "-v")]
        self._run(command, *self.clean)

    # ------------------------------------------------------- what there is

    def program(self):
        return next(path for path in self.out.rglob("server")
                    if path.is_file())

    def probes(self):
        return sorted(re.findall(r"Name: (\w+)", run("readelf", "-nW",
                                                     self.program())))

    def objects(self):
        """The time of each object, by the name of its source. libsdtkit's, in
        a subproject, are others."""
        found = {re.split(r"[.]", path.name)[0].split("_")[-1]: path
                 for path in self.out.rglob("*.o")}
        return {name: found[name].stat().st_mtime_ns
                for name in {"server", "store"} & set(found)}

    def headers(self):
        return {path.name: path.read_text()
                for path in self.folder.rglob("*_probes.h")
                if "subprojects" not in path.parts}
