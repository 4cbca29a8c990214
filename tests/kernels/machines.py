#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""machines.py MACHINE BUILD FEATURE...: runs features under Debian's kernel of
another machine, prints what came of each, and writes it to results/. BUILD is
a build for that machine, which `machines.py MACHINE` alone says how to make.
Without a FEATURE all are run, which takes hours; page.py then makes the page.

A machine is a row. Its tracers and compiler are Debian's, unpacked in the
cache (1.3 GB); qemu runs all of it, many times slower than a machine does:
tests of tracers take minutes each.
"""

import collections
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

from tracers.vm import debian, guest  # noqa: E402
from kernels import features, in_guest, recorded, values  # noqa: E402

LIMIT = 5000        # seconds for a feature
LIFE = 8 * 3600     # seconds until a guest ends in any case
PACKAGES = (
    "bash", "bpfcc-tools", "bpftool", "bpftrace", "busybox-static", "clang",
    "coreutils", "dash", "gcc", "gdb", "grep", "iproute2", "libbpf-dev",
    "libc6-dev", "libcmocka-dev", "libdw-dev", "libelf-dev", "libjansson-dev",
    "libmicrohttpd-dev", "libncurses-dev", "libsqlite3-dev", "libtalloc-dev",
    "libtevent-dev", "linux-perf", "mawk", "mount", "pkg-config", "procps", "python3-bpfcc",
    "python3-pytest", "sed", "systemtap-sdt-dev", "util-linux")

# debian: its name there; family: Meson's; package: of its kernel; suite: of
# Debian, which has kernel and tracers
Row = collections.namedtuple("Row", "debian triplet family package qemu words "
                             "console device suite")
Row.__new__.__defaults__ = ("bookworm",)
ROWS = {
    "aarch64": Row("arm64", "aarch64-linux-gnu", "aarch64",
                   "linux-image-arm64", "qemu-system-aarch64",
                   ("-M", "virt", "-cpu", "cortex-a72", "-accel", "tcg"),
                   "ttyAMA0", "virtio-9p-pci"),
    "s390x": Row("s390x", "s390x-linux-gnu", "s390x", "linux-image-s390x",
                 "qemu-system-s390x",
                 ("-M", "s390-ccw-virtio", "-cpu", "max", "-accel", "tcg"),
                 "ttysclp0", "virtio-9p-ccw"),
    "ppc64le": Row("ppc64el", "powerpc64le-linux-gnu", "ppc64",
                   "linux-image-powerpc64le", "qemu-system-ppc64",
                   ("-M", "pseries", "-cpu", "power9", "-accel", "tcg"),
                   "hvc0", "virtio-9p-pci"),
    "riscv64": Row("riscv64", "riscv64-linux-gnu", "riscv64",
                   "linux-image-riscv64", "qemu-system-riscv64",
                   ("-M", "virt", "-accel", "tcg"), "ttyS0", "virtio-9p-pci",
                   "trixie"),
}
# What is run there, beside the values: those of features.FEATURES that are not
# about nops, stacks and verifiers of x86-64's kernels. Programs for the values
# are made on the host: a compiler is slow there.
VALUES = """
/usr/bin/python3 {source}/tests/kernels/values.py {folder}/../forms '%s'
"""
FEATURES = {"values by " + tracer: features.Feature(
    script=VALUES % tracer, parts=("",)) for tracer in features.TRACERS}
FEATURES["semaphores rise and fall"] = features.Feature(
    ("tracers/test_groups.py",),    # the tracer of life/ is for x86-64
    "there and not bcc and not dtrace")
FEATURES["sdtkit top"] = features.Feature(      # test_many.py has x86-64's notes
    ("top/test_demo.py", "top/test_spans.py"), "test_requests or nest or moves")
FEATURES["taps"] = features.Feature(programs=features.FEATURES[
    "taps"].programs[:-1])
FEATURES["taps and many threads"] = features.Feature(
    programs=features.FEATURES["taps"].programs[-1:])
FEATURES.update((name, features.FEATURES[name]) for name in (
    "the demo with smb2.bt", "tsmbd",
    "tsmbd with all options", "sdtkit top --flame",
    "the recorder"))
NO_PARSER = "%s has no parser of arguments for this machine"
NO_USDT = "libbpf \"doesn't support USDTs on current architecture\""
UNBOUNDED = ("Linux 6.1 refuses bpf_usdt_arg() of libbpf 1.1, as clang 14 "
             "compiles it: \"R2 unbounded memory access\"")
OF_LIBBPF = "4 of 6 tests pass; those of libbpf do not: "
KNOWN = {
    ("ppc64le", "semaphores rise and fall"): OF_LIBBPF + NO_USDT,
    ("ppc64le", "values by bcc"):
        "clang 14, which bcc 0.26 compiles with, refuses an assembler "
        "constraint in the headers of this kernel: \"invalid input constraint "
        "'YZ<>' in asm\"",
    ("ppc64le", "values by libbpf"): NO_USDT,
    ("riscv64", "values by perf"): NO_PARSER % "perf",
    ("s390x", "semaphores rise and fall"): OF_LIBBPF + UNBOUNDED,
    ("s390x", "values by libbpf"): UNBOUNDED,
    ("s390x", "values by perf"): NO_PARSER % "perf",
}
# The libraries of a newer release may want more of the C library than that of
# the cross compiler has; in the guest they have their own.
# bpftool only makes skeletons for its own byte order.
CROSS = """[binaries]
c = ['{triplet}-gcc', '--sysroot={root}', '-Wl,--allow-shlib-undefined']
ar = '{triplet}-ar'
strip = '{triplet}-strip'
pkgconfig = 'pkg-config'
bpftool = {bpftool}
[properties]
sys_root = '{root}'
pkg_config_libdir = '{root}/usr/lib/{multiarch}/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = '{family}'
cpu = '{family}'
endian = '{endian}'
"""


def root(row):
    """Where its /usr is, without what maintainers' scripts would do."""
    packages = PACKAGES + (row.package.replace("image", "headers"),)
    path = debian.unpacked("root-" + row.debian, row.suite, packages,
                           row.debian) / "root"
    for name, program in ("awk", "mawk"), ("cc", "gcc"):
        link = path / "usr/bin" / name
        if not os.path.lexists(str(link)):
            link.symlink_to(program)
            compile_python(path)
    return path


def compile_python(path):
    """Python's modules, if the host has the same release: in the guest that
    took minutes each time that Python began."""
    library = path / "usr/lib" / os.path.basename(sysconfig.get_path("stdlib"))
    if library.exists():
        subprocess.run([sys.executable, "-m", "compileall", "-q", "-s", path,
                        library, path / "usr/lib/python3/dist-packages"],
                       check=False)     # some are for other releases


def kernel(row):
    return debian.kernel_of(row.suite, row.package, row.debian)


def machine(row):
    place = root(row)
    return guest.Machine(row.qemu, row.words, row.console, row.device,
                         str(place / "usr/bin/busybox"), str(place / "usr"))


def cross_file(row, path):
    """Writes what `meson setup --cross-file` wants."""
    multiarch = next((root(row) / "usr/lib").glob("*-linux-gnu")).name
    path.write_text(CROSS.format(
        root=root(row), multiarch=multiarch, triplet=row.triplet,
        family=row.family, bpftool=bpftool(row),
        endian="big" if row.family == "s390x" else "little"))


def bpftool(row):
    """One that makes skeletons for the machine's byte order."""
    if row.family != "s390x":
        return ["bpftool"]
    return ["qemu-s390x-static", "-L", str(root(row)),
            str(root(row) / "usr/sbin/bpftool")]


def compiler(row):
    return row.triplet + "-gcc", "--sysroot=%s" % root(row)


def explained(name, feature, outcomes):
    """The outcomes, with the reason of those that are known not to be ours."""
    reason = KNOWN.get((name, feature))
    return {part: in_guest.Outcome("cannot", reason, outcome.said)
            if reason and outcome.result == "fails" else outcome
            for part, outcome in outcomes.items()}


def tell(outcomes, feature):
    for part, outcome in outcomes.items():
        print("%s: %s %s" % (recorded.row(feature, part), outcome.result,
                             outcome.detail), flush=True)
        if outcome.result != "works":
            print(outcome.said, flush=True)


def run(name, booted, build, share, wanted):
    """The features in the guest, one after another."""
    row = ROWS[name]
    values.make(share / "forms", compiler(row), row.triplet + "-strip")
    tools = recorded.of_kernel(name, row.suite, kernel(row))[1]["tools"]
    if not tools:       # it takes minutes: only for a kernel that is new here
        tools = in_guest.tools(booted, features.TRACERS, build, TESTS.parent)
    for feature in wanted or FEATURES:
        outcomes = in_guest.run(
            booted, FEATURES[feature], build, TESTS.parent,
            share / feature.replace(" ", "_"))
        outcomes = explained(name, feature, outcomes)
        tell(outcomes, feature)
        recorded.record(*recorded.of_kernel(name, row.suite, kernel(row)),
                        feature, outcomes, tools)


def main(name, build=None, *wanted):
    row = ROWS[name]
    if not build:
        path = debian.cache() / ("cross-" + name)
        cross_file(row, path)
        return print("meson setup --cross-file %s BUILD; ninja -C BUILD" %
                     path)
    build, share = pathlib.Path(build).resolve(), tempfile.mkdtemp()
    booted = guest.Guest(
        pathlib.Path(share), kernel=kernel(row), machine=machine(row),
        memory="2G", limit=LIMIT, life=LIFE, processors=2,
        more=[TESTS.parent, *([] if TESTS.parent in build.parents else
                              [build])])
    try:
        run(name, booted, build, pathlib.Path(share), wanted)
    finally:
        booted.end()
        shutil.rmtree(share)


if __name__ == "__main__":
    main(*sys.argv[1:])
