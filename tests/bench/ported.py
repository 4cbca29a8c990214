#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""ported.py - builds programs that use <sys/sdt.h> with ours, beside
SystemTap's, and prints the table of docs/porting.md.

    ported.py --sdtkit build/lib/tool/sdtkit DIRECTORY [PROGRAM ...]

DIRECTORY keeps Debian's source packages and what is built; a second run finds
both. Each program is built twice from the same sources, unchanged:

1. with systemtap-sdt-dev: its header, and its dtrace if the build runs one;
2. with ours: CPATH names include/sdtkit/sdt, and `dtrace` is probegen. In this
   build, SystemTap's header and its dtrace are errors: files that say so are
   mounted over them, so root has to run it.

The packages that a build needs are those of `apt-get build-dep`, or fewer.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SDTKIT = HERE.parent.parent
SDT = SDTKIT / "include" / "sdtkit" / "sdt"
sys.path.insert(0, str(SDTKIT / "examples" / "samba"))

import source   # noqa: E402

HIDDEN = '#error "the <sys/sdt.h> of systemtap-sdt-dev was read"\n'
JOBS = "-j%d" % len(os.sched_getaffinity(0))

# package: of Debian 12; where: below its tree; steps: commands, in which
# DTRACE stands for the program; files: what has the probes
Program = collections.namedtuple("Program", "name package where steps files")
# QEMU's own generator; of each group of its probes, the functions that fire
# them are compiled, whoever calls them. A whole QEMU takes too long.
TRACETOOL = r"""
mkdir -p sdt/trace
: > sdt/trace/control.h
for events in $(find . -name trace-events ! -path './tests/*'); do
	group=$(dirname "$events" | sed 's,^\./*,,; s,^$,root,; s,[/.-],_,g')
	tool="python3 scripts/tracetool.py --backend=dtrace --group=$group"
	$tool --format=h "$events" "sdt/trace-$group.h"
	$tool --format=d --binary=qemu --probe-prefix=qemu "$events" \
		"sdt/$group.d"
	DTRACE -o "sdt/trace-dtrace-$group.h" -h -s "sdt/$group.d"
	DTRACE -o "sdt/semaphores-$group.o" -G -s "sdt/$group.d"
	printf '#include <%s.h>\n' stdbool stddef stdint stdlib sys/types \
		> "sdt/$group.c"
	printf 'typedef int TraceEvent;\n#include "trace-%s.h"\n' "$group" \
		>> "sdt/$group.c"
	cc -O2 -fPIC -fkeep-inline-functions -w -Isdt -c "sdt/$group.c" \
		-o "sdt/$group.o"
done
cc -shared -o sdt/probes.so sdt/*.o"""
# Those of MariaDB's objects that have probes: a whole server takes too long.
# handler::ha_write_tmp_row() and its like are inline functions with probes.
MARIADB = r"""
cmake -S . -B sdt -G Ninja -Wno-dev -DENABLE_DTRACE=ON \
	-DCMAKE_BUILD_TYPE=Release '-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG' \
	'-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG' \
	-DWITH_SSL=system -DWITH_PCRE=system -DWITH_LIBFMT=system \
	-DWITHOUT_DYNAMIC_PLUGINS=ON -DWITH_WSREP=OFF -DWITH_UNIT_TESTS=OFF \
	-DWITH_EMBEDDED_SERVER=OFF -DPLUGIN_INNOBASE=NO -DPLUGIN_PERFSCHEMA=NO \
	-DPLUGIN_FEEDBACK=NO -DPLUGIN_PARTITION=NO -DPLUGIN_SEQUENCE=NO
objects=$(cd sql && grep -lE '"probes_mysql.h"|ha_[a-z]+_tmp_row' *.cc |
	sed 's,.*,sql/CMakeFiles/sql.dir/&.o,')
objects="$objects storage/csv/CMakeFiles/csv.dir/ha_tina.cc.o"
objects="$objects mysys/CMakeFiles/mysys.dir/mf_keycache.c.o"
cd sdt
ninja JOBS $objects
c++ -shared -o probes.so $objects probes_mysql.o"""
# The part of libstdc++ that throws and catches, by configure of libstdc++ alone:
# a whole gcc takes hours.
LIBSUPCXX = r"""
set -e
mkdir -p sdt
tar -xf gcc-*.tar.xz --strip-components=1 --wildcards \
	--exclude='*/testsuite/*/*' '*/libstdc++-v3' '*/libgcc' '*/include' \
	'*/libiberty' '*/config' '*/config.*' '*/config-ml.in' '*/install-sh' \
	'*/ltmain.sh' '*/missing' '*/mkinstalldirs' '*/move-if-change' \
	'*/gcc/BASE-VER' '*/gcc/DATESTAMP'
cd sdt
../libstdc++-v3/configure --disable-multilib --disable-nls \
	'CFLAGS=-g -O2' 'CXXFLAGS=-g -O2' \
	--disable-libstdcxx-pch
make JOBS -C include
make JOBS -C libsupc++
c++ -shared -o probes.so -Wl,--whole-archive \
	libsupc++/.libs/libsupc++convenience.a -Wl,--no-whole-archive"""
PROGRAMS = [
    Program("memcached", "memcached", "", [
        "./configure --enable-dtrace --disable-docs",
        "make %s" % JOBS], ["memcached"]),
    Program("Tcl", "tcl8.6", "unix", [
        "./configure --enable-dtrace",
        "make %s libtcl8.6.so" % JOBS], ["libtcl8.6.so"]),
    Program("GLib", "glib2.0", "", [
        "meson setup sdt -Ddtrace=true -Dtests=false -Dlibmount=disabled"
        " -Dselinux=disabled -Dman=false -Dwrap_mode=nofallback",
        "ninja %s -C sdt glib/libglib-2.0.so.0.7400.6"
        " gobject/libgobject-2.0.so.0.7400.6 gio/libgio-2.0.so.0.7400.6"
        % JOBS],
        ["sdt/glib/libglib-2.0.so.0.7400.6",
         "sdt/gobject/libgobject-2.0.so.0.7400.6",
         "sdt/gio/libgio-2.0.so.0.7400.6"]),
    Program("libvirt", "libvirt", "", [
        "meson setup sdt -Dauto_features=disabled -Dsystem=true"
        " -Ddtrace=enabled -Ddriver_remote=enabled -Ddriver_test=enabled"
        " -Dtests=disabled -Ddocs=disabled",
        "ninja %s -C sdt src/libvirt.so.0.9000.0" % JOBS],
        ["sdt/src/libvirt.so.0.9000.0"]),
    Program("MariaDB: the objects with probes", "mariadb", "", [
        "set -e" + MARIADB.replace("JOBS", JOBS)], ["sdt/probes.so"]),
    Program("libstdc++ of gcc: libsupc++", "gcc-12", "", [
        LIBSUPCXX.replace("JOBS", JOBS)], ["sdt/probes.so"]),
    Program("Python", "python3.11", "", [
        "./configure --with-dtrace",
        "make %s python" % JOBS], ["python"]),
    Program("PostgreSQL", "postgresql-15", "", [
        "./configure --enable-dtrace --without-readline --without-zlib",
        "make %s -C src/backend" % JOBS], ["src/backend/postgres"]),
    Program("Perl", "perl", "", [
        "./Configure -des -Dusedtrace=DTRACE",
        "make %s perl" % JOBS], ["perl"]),
    Program("Ruby", "ruby3.1", "", [
        "./configure --enable-dtrace --disable-install-doc",
        "make %s ruby" % JOBS], ["ruby"]),
    Program("QEMU's trace functions", "qemu", "", [TRACETOOL],
            ["sdt/probes.so"]),
]
OPERANDS = ("OPERAND_UNREADABLE", "OPERAND_MISREAD")


def unpacked(top, package):
    """The tree of a source package, without the updates of security, which
    some mirrors do not keep."""
    (top / package).mkdir(exist_ok=True)
    lists = "\n".join(line for line in source.lists_of_apt().split("\n")
                      if "security" not in line) + "\n"
    return source.fetch(top / package, lists, package)


def environment(top, ours):
    made = dict(os.environ)
    if not ours:
        return made
    programs = top / "bin"
    programs.mkdir(exist_ok=True)
    link = programs / "dtrace"
    if not link.exists():
        link.symlink_to(SDTKIT / "probegen" / "__main__.py")
    made["PATH"] = "%s:%s" % (programs, made["PATH"])
    made["CPATH"] = str(SDT)
    return made


def hiding(top):
    """The command in front of one that must not read SystemTap's header."""
    error = top / "error.h"
    error.write_text(HIDDEN)
    said = subprocess.run(["cc", "-E", "-xc", "-"],
                          input="#include <sys/sdt.h>\n",
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          universal_newlines=True).stdout
    there = set(re.findall(r'"(/[^"]*/sys/sdt\.h)"', said))
    there |= {path for path in ["/usr/bin/dtrace"] if os.path.exists(path)}
    mounts = "".join('mount --bind "$0" %s && ' % path
                     for path in sorted(there))
    return ["unshare", "-m", "--propagation", "private", "sh", "-c",
            mounts + 'exec "$@"', str(error)]


def build(top, program, ours):
    """Builds a copy of the tree; the files with probes."""
    label = "ours" if ours else "systemtap"
    tree = unpacked(top, program.package)
    copy = top / program.package / label
    log = top / program.package / (label + ".log")
    files = [copy / program.where / name for name in program.files]
    if all(path.exists() for path in files):
        return files
    if copy.exists():
        shutil.rmtree(str(copy))
    shutil.copytree(str(tree), str(copy), symlinks=True)
    before = hiding(top) if ours else []
    dtrace = str(top / "bin" / "dtrace") if ours else "/usr/bin/dtrace"
    with open(str(log), "w") as out:
        for step in program.steps:
            command = before + ["nice", "sh", "-c",
                                step.replace("DTRACE", dtrace)]
            print("%s, %s: %s" % (program.name, label, step), flush=True,
                  file=sys.stderr)
            done = subprocess.run(command, cwd=str(copy / program.where),
                                  stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT,
                                  env=environment(top, ours))
            if done.returncode:
                raise source.Failed("%s failed, see %s" % (step, log))
    return files


def tell(sdtkit, *arguments):
    return json.loads(subprocess.run(
        [str(sdtkit), *map(str, arguments)], stdout=subprocess.PIPE,
        universal_newlines=True).stdout)


def examined(sdtkit, files):
    """(probes, sites, findings about operands, the other errors)"""
    sites = [site for path in files for site in subprocess.run(
        ["readelf", "-nW", str(path)], stdout=subprocess.PIPE,
        universal_newlines=True).stdout.split("Provider: ")[1:]]
    names = {tuple(site.split()[0:3:2]) for site in sites}
    findings = tell(sdtkit, "check", "--json", *files)["findings"]
    operands = sum(finding["sites"] for finding in findings
                   if finding["code"] in OPERANDS)
    others = sorted({finding["code"] for finding in findings
                     if finding["severity"] == "error" and
                     finding["code"] not in OPERANDS})
    return len(names), len(sites), operands, others


def row(program, version, results):
    cells = [program.name + " " + version]
    theirs, ours = results
    cells += ["%d, %d" % theirs[:2], "%d, %d" % ours[:2]]
    for result in results:
        cells.append(", ".join(["%d" % result[2]] +
                               ["`%s`" % code for code in result[3]]))
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(
        description="build programs with our <sys/sdt.h> and SystemTap's")
    parser.add_argument("--sdtkit", required=True, type=pathlib.Path,
                        help="the sdtkit command, for its check")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", metavar="program",
                        help="names of source packages; default: all")
    options = parser.parse_args()
    unknown = set(options.programs) - {entry.package for entry in PROGRAMS}
    if unknown:
        parser.error("unknown program %s: choose from %s" % (
            sorted(unknown)[0], ", ".join(p.package for p in PROGRAMS)))
    top = options.directory.resolve()
    top.mkdir(parents=True, exist_ok=True)
    print("| program | probes, sites: SystemTap's | ours "
          "| findings: SystemTap's | ours |\n"
          "| --- | --- | --- | --- | --- |", flush=True)
    failed = 0
    for program in PROGRAMS:
        if options.programs and program.package not in options.programs:
            continue
        try:
            results = [examined(options.sdtkit, build(top, program, ours))
                       for ours in (False, True)]
        except source.Failed as error:
            failed = 1
            print("ported.py: %s: %s" % (program.name, error),
                  file=sys.stderr, flush=True)
            continue
        version = unpacked(top, program.package).name.split("-")[-1]
        print(row(program, version, results), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
