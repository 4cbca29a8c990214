# SPDX-License-Identifier: BSD-2-Clause
"""The builds that `sdtkit init` knows: how it finds them, and the lines that
each of them needs. docs/building.md explains these lines; tests/build applies
them as they are printed, and builds.

    Build.steps: (where, lines)

with these words in them: provider, file (of the build), program, variable (the
same as automake spells it), source (the C file with main) and object (the same
without its suffix).
"""

import os
import re
from collections import namedtuple

# files: one of them is in a directory that has this build
# program: what finds the name of the program in that file
# command: builds; made: where the program is then
Build = namedtuple("Build", "name files program steps command made")

_AUTOCONF = ("configure.ac, below AC_PROG_CC", "SDTKIT_INIT\n")
_WAF = "%s.load('sdtkit', tooldir=[SDTKIT])\n"

# If a directory has several, the first of these is taken: makefiles are often
# made by the others.
BUILDS = (
    Build("meson", ("meson.build",), r"^\s*executable\(\s*'([\w.+-]+)'", (
        ("%(file)s, above executable('%(program)s', ...)", """\
sdtkit = dependency('sdtkit')
# pkg-config writes a backslash before a blank
probegen = find_program(sdtkit.get_variable('probegen').replace('\\\\', ''))
probes = generator(probegen,
  output: '@BASENAME@.h',
  depfile: '@BASENAME@.h.dep',
  arguments: ['@INPUT@', '-o', '@OUTPUT@',
              '--depfile', '@DEPFILE@', '--depend-on-probegen'])
arg = dependency('sdtkit-arg', required: false)
%(provider)s_probes = declare_dependency(
  sources: probes.process('%(provider)s_probes.d'),
  dependencies: [sdtkit, arg],
  compile_args: arg.found() ? [] : '-DSDTKIT_ARG_INLINE')
"""), ("%(file)s, within executable('%(program)s', ...)",
       "dependencies: %(provider)s_probes,\n")),
          "meson setup build && ninja -C build", "build/"),
    Build("cmake", ("CMakeLists.txt",),
          r"^\s*(?i:add_executable)\s*\(\s*([\w.+-]+)", (
              ("%(file)s, at the end", """\
find_package(sdtkit REQUIRED)
sdtkit_add_provider(%(program)s %(provider)s_probes.d)
"""),), "cmake -S . -B build && cmake --build build", "build/"),
    Build("automake", ("Makefile.am",),
          r"^\w+_PROGRAMS\s*\+?=\s*([\w.+-]+)", (_AUTOCONF, (
              "%(file)s, at the end", """\
%(variable)s_LDADD += $(SDTKIT_LIBS)
AM_CPPFLAGS += $(SDTKIT_CPPFLAGS)
EXTRA_DIST += %(provider)s_probes.d
CLEANFILES += %(provider)s_probes.h
%(object)s.$(OBJEXT): %(provider)s_probes.h
@SDTKIT_RULES@
""")), "autoreconf -i && ./configure && make", ""),
    Build("autoconf", ("Makefile.in", "configure.ac", "configure.in"),
          r"^([\w.+-]+)\s*:[^=\n]*\.o\b", (_AUTOCONF, (
              "Makefile.in, at the end", """\
CPPFLAGS += -I. @SDTKIT_CPPFLAGS@
LDLIBS += @SDTKIT_LIBS@
%(object)s.o: %(provider)s_probes.h
@SDTKIT_RULES@
""")), "autoreconf -i && ./configure && make", ""),
    Build("waf", ("wscript",), r"\btarget\s*=\s*['\"]([\w.+-]+)['\"]", (
        ("%(file)s, below its imports", """\
import shlex
import subprocess
SDTKIT, = shlex.split(subprocess.check_output(
    ['pkg-config', '--variable=waftool', 'sdtkit']).decode())
"""), ("%(file)s, at the end of options(opt)", _WAF % "opt"),
        ("%(file)s, at the end of configure(conf)", _WAF % "conf"),
        ("%(file)s, in the source of the program '%(program)s'",
         "%(provider)s_probes.d\n")),
          "./waf configure build", "build/"),
    Build("make", ("GNUmakefile", "makefile", "Makefile"),
          r"^([\w.+-]+)\s*:[^=\n]*\.o\b", (
              ("%(file)s, at the end", """\
include $(or $(shell pkg-config --variable=makefile sdtkit),$(error \\
	pkg-config does not find sdtkit: set PKG_CONFIG_PATH))
CPPFLAGS += -I. $(SDTKIT_CPPFLAGS)
LDLIBS += $(SDTKIT_LIBS)
%(object)s.o: %(provider)s_probes.h
"""),), "make", ""),
)
NAMES = tuple(sorted(build.name for build in BUILDS))

_MAIN = re.compile(r"\bmain\s*\(")
_SUFFIXES = (".c", ".cc", ".cpp", ".cxx")


def find(folder, name):
    """Returns (build, other builds) of a directory: the build of this name, or
    one that the directory has; None if it has none."""
    entries = set(os.listdir(folder))
    found = [build for build in BUILDS if entries.intersection(build.files)]
    if name is not None:
        return next(build for build in BUILDS if build.name == name), []
    if not found:
        return None, []
    # what a makefile is made from, or belongs to, is not a second build
    names = {build.name for build in found}
    parts = {"autoconf": {"automake"}, "make": {"automake", "autoconf"}}
    return found[0], [build for build in found[1:]
                      if not names & parts.get(build.name, set())]


def words(folder, build, provider):
    """Returns a dict of what the lines of a build name."""
    file = next((name for name in build.files
                 if os.path.exists(os.path.join(folder, name))),
                build.files[-1])
    text = _read(os.path.join(folder, file))
    source = _main_file(folder)
    program = re.search(build.program, text, re.M)
    stem = os.path.splitext(source)[0] if source else (
        program[1] if program else provider)
    program = program[1] if program else stem
    return {"provider": provider, "file": file, "program": program,
            "variable": re.sub(r"\W", "_", program), "source": source,
            "object": stem, "text": text}


def steps(build, named):
    """Returns the (where, lines) of a build with the words of a directory."""
    made = [(where % named, lines % named) for where, lines in build.steps]
    if build.name == "automake":
        # its += is an error without an = above it
        made = [(where, re.sub(
            r"^(\w+) \+=", lambda at: at[0] if re.search(
                r"^%s\s*\+?=" % at[1], named["text"], re.M)
            else at[1] + " =", lines, flags=re.M)) for where, lines in made]
    elif build.name == "make" and not named["text"]:
        made = [(where, "%(program)s: %(object)s.o\n" % named + lines)
                for where, lines in made]
    elif build.name == "make" and "CPPFLAGS" not in named["text"] and (
            "$(CFLAGS)" in named["text"]):
        made = [(where, lines.replace("CPPFLAGS +=", "CFLAGS +="))
                for where, lines in made]
    return made


def _main_file(folder):
    """Returns the C file with main(), or else the first one, or None."""
    names = sorted(name for name in os.listdir(folder)
                   if name.endswith(_SUFFIXES))
    return next((name for name in names
                 if _MAIN.search(_read(os.path.join(folder, name)))),
                names[0] if names else None)


def _read(path):
    """Returns the text of a file; "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
