# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit init: the lines that it prints are put where it says, and then the
commands that it prints build the program and list its probes."""

import os
import re
import resource
import subprocess
import sys

import pytest

from opt_in import usual
from programs import which
from project_tool import ROOT, RUN_WAF, run, waf_folder

sys.path.insert(0, str(ROOT))

from probegen import builds  # noqa: E402

SERVER = """#include <stdio.h>

int main(int argc, char **argv)
{
	const char *operation = argv[0];
	int id = argc, status = 0;

	printf("%d %d %s\\n", id, status, operation);
	return 0;
}
"""
AUTOCONF = "AC_INIT([server], [1])\n%sAC_PROG_CC\n" \
    "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n"
# the files of each build, before there are probes, and the commands it needs
PROJECTS = {
    "make": ({"Makefile": "server: server.o\n"}, ["make"]),
    # its rules do not use CPPFLAGS
    "make-cflags": ({"makefile": "%.o: %.c\n\t$(CC) $(CFLAGS) -c $<\n"
                     "server: server.o\n\t$(CC) -o $@ $< $(LDLIBS)\n"},
                    ["make"]),
    "make-none": ({}, ["make"]),
    "autoconf": ({"configure.ac": AUTOCONF % "",
                  "Makefile.in": "CC = @CC@\nserver: server.o\n"},
                 ["make", "autoreconf"]),
    "automake": ({"configure.ac": AUTOCONF % "AM_INIT_AUTOMAKE([foreign])\n",
                  "Makefile.am": "bin_PROGRAMS = server\nEXTRA_DIST = a\n"
                  "server_SOURCES = server.c\n"},
                 ["make", "autoreconf", "automake"]),
    "cmake": ({"CMakeLists.txt": "cmake_minimum_required(VERSION 3.15)\n"
               "project(x C)\nadd_executable(server server.c)\n"}, ["cmake"]),
    "meson": ({"meson.build": "project('x', 'c')\n"
               "executable('server', 'server.c')\n"}, ["meson"]),
    "waf": ({"wscript": """\
def options(opt):
    opt.load('compiler_c')

def configure(conf):
    conf.load('compiler_c')

def build(bld):
    bld.program(source='server.c', target='server')
"""}, []),
}
STEP = re.compile(r"^(\S+), (.+):\n((?:    .*\n|\n(?=    ))+)", re.M)


@pytest.fixture
def init(build, tmp_path):
    """init(*args): runs the command, in the directory of a project."""
    folder = tmp_path / "my server-2.1"
    folder.mkdir()

    def call(*args, **options):
        return subprocess.run(
            [str(build / "lib/tool/sdtkit"), "init", *map(str, args)],
            text=True, stderr=subprocess.PIPE, **dict(
                {"cwd": str(folder), "stdout": subprocess.PIPE}, **options))
    call.folder = folder
    return call


def put(text, where, lines):
    """Returns a file with the lines where init has said that they belong."""
    first, calls = lines.split("\n", 1)
    for place, old, new in [
            ("where a request ", "\treturn", calls + "\treturn"),
            ("above executable(", "executable(", lines + "executable("),
            ("within executable(", "'server.c'", "'server.c', " + first),
            ("below AC_PROG_CC", "AC_PROG_CC\n", "AC_PROG_CC\n" + lines),
            ("at the end of options(opt)", "\n\ndef configure",
             "\n    %s\n\ndef configure" % first),
            ("at the end of configure(conf)", "\n\ndef build",
             "\n    %s\n\ndef build" % first),
            ("in the source of ", "'server.c'", "'server.c %s'" % first)]:
        if where.startswith(place):
            assert text.count(old) == 1
            above = first + "\n" if calls and "where" in place else ""
            return above + text.replace(old, new)
    assert where in ("at the end", "below its imports")
    return text + lines if where == "at the end" else lines + text


@pytest.mark.parametrize("name", usual(list(PROJECTS), "make", "make-none",
                                       "meson"))
def test_lines_build(init, name, source, prefix):
    texts, needed = PROJECTS[name]
    for command in needed:
        if not which(command):
            pytest.skip(command + " is missing")
    waf = name == "waf" and waf_folder(source)
    if name == "waf" and not waf:
        pytest.skip("there is no waf: ./dev samba fetches one")
    for file, text in dict(texts, **{"server.c": SERVER}).items():
        (init.folder / file).write_text(text)
    done = init()
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith("my_server_probes.d is written: fill it in\n")
    assert name.split("-")[0] in done.stdout.split("\n")[2]
    for file, where, lines in STEP.findall(done.stdout):
        path = init.folder / file
        path.write_text(put(path.read_text() if path.exists() else "", where,
                            re.sub("^    ", "", lines, flags=re.M)))
    commands = done.stdout.split("\nThen:\n")[1].split("\n    ")
    env = dict(os.environ, MAKEFLAGS="", PATH="%s:%s" % (
        prefix / "bin", os.environ["PATH"]), PKG_CONFIG_PATH=":".join(
            str(path) for path in prefix.rglob("pkgconfig")),
        CMAKE_PREFIX_PATH=str(prefix),
        ACLOCAL_PATH=str(prefix / "share" / "aclocal"))
    if waf:
        commands[0] = commands[0].replace("./waf", "%s -c '%s' %s" % (
            sys.executable, RUN_WAF, waf))
    if name == "make":
        # else, make only says that it cannot make the header
        done = subprocess.run(
            ["make"], cwd=str(init.folder), stderr=subprocess.PIPE, text=True,
            env=dict(env, PKG_CONFIG_PATH="", PKG_CONFIG_LIBDIR="/dev/null"))
        assert "set PKG_CONFIG_PATH.  Stop." in done.stderr
    said = [run("sh", "-ec", command, cwd=init.folder, env=env)
            for command in commands]
    assert "my_server:request_start(uint64_t id, char *operation)" in said[1]
    assert 'my_server:request_start(id=1, operation="' in said[2]
    assert "my_server:request_end(id=1, status=0)" in said[2]


def test_several_builds(init):
    for name in "CMakeLists.txt", "wscript", "Makefile", "Makefile.in":
        (init.folder / name).write_text("")
    done = init("--dry-run")
    assert "these lines are for cmake\nother builds are here, too: " \
        "--build=autoconf|waf prints their lines\n" in done.stdout
    assert "these lines are for waf\n\n" in init("--dry-run",
                                                 "--build=waf").stdout
    assert not list(init.folder.glob("*.d"))


def test_a_program_whose_sources_are_elsewhere(init):
    (init.folder / "Makefile.am").write_text("bin_PROGRAMS = shopd\n"
                                             "shopd_SOURCES = src/shop.c\n")
    text = init("--dry-run").stdout
    assert "\n    shopd.$(OBJEXT): my_server_probes.h\n" in text
    assert "\n    shopd_LDADD = $(SDTKIT_LIBS)\n" in text


@pytest.mark.parametrize("name, provider", [
    ("Shop server-2.1", "shop_server"), ("größe", "gr_e"), ("9p", "p"),
    ("1.0", "server"), ("string", "string_server"), ("-x", "x"),
    ("a" * 200, "a" * 32), ("proc", "proc_server"), ("a\nb", "a_b")])
def test_names_of_directories(init, name, provider, source):
    """probegen accepts what is written, without a warning."""
    folder = init.folder / name
    folder.mkdir()
    (folder / "a.c").write_text("int main(void)\n{\n}\n")
    done = init("--", name)
    assert (done.stderr, done.returncode) == ("", 0)
    assert "Then:\n    cd " in done.stdout
    made = folder / (provider + "_probes.d")
    assert run(sys.executable, source / "probegen", "-o", folder / "x.h",
               made) == ""


@pytest.mark.parametrize("args, said", [
    (["--provider=int"], "invalid value 'int' for --provider: 'int' is a "
     "reserved word of D"),
    (["--provider=a:b"], "use letters, digits and '_', and no digit first"),
    (["--build=ant"], "invalid value 'ant' for --build: use autoconf, "
     "automake, cmake, make, meson or waf"),
    (["absent"], "absent: No such file or directory"),
    (["."] * 2, "init takes one directory\nsdtkit init: try 'sdtkit init "
     "--help'"),
    (["--nonsense"], "option --nonsense not recognized"),
])
def test_what_is_wrong(init, args, said):
    done = init(*args)
    assert said in done.stderr and done.stdout == ""
    assert all(line.startswith("sdtkit init: ")
               for line in done.stderr.splitlines())
    assert done.returncode == 2 and not list(init.folder.iterdir())


def test_nothing_is_overwritten(init):
    path = init.folder / "shop_probes.d"
    path.write_text("mine")
    done = init("--provider=shop")
    assert done.stderr.startswith("sdtkit init: shop_probes.d exists and stays "
                                  "as it is: ") and done.returncode == 2
    assert path.read_text() == "mine"
    path.unlink()
    path.symlink_to("elsewhere")
    assert init("--provider=shop").returncode == 2
    assert not (init.folder / "elsewhere").exists()


def test_a_full_disk(init):
    done = init(preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (0, 0)))
    assert done.stderr == "sdtkit init: my_server_probes.d: File too large\n"
    assert (done.stdout, done.returncode) == ("", 2)
    assert not list(init.folder.iterdir())
    with open("/dev/full", "w") as full:
        done = init("--dry-run", stdout=full)
    assert "No space left" in done.stderr and done.returncode == 2


def test_a_directory_that_takes_no_file(init):
    done = init("/sys")
    assert done.stderr.startswith("sdtkit init: /sys/sys_probes.d: ")
    assert (done.stdout, done.returncode) == ("", 2)


def test_help_fits_a_screen(init):
    lines = init("--help").stdout.splitlines()
    assert lines[0].startswith("Usage: sdtkit init ")
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert init("-V").stdout == "sdtkit %s\n" % init(
        "--version").stdout.split()[1]


def test_lines_are_those_of_the_example(source):
    """The only long ones; docs/building.md has the same."""
    there = (source / "examples/build/meson/meson.build").read_text()
    lines = next(build for build in builds.BUILDS
                 if build.name == "meson").steps[0][1]
    for line in lines[:lines.index("%(")].splitlines():
        assert "\n%s\n" % line in there
