#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""machines.py MACHINE BUILD FEATURE...: runs features of features.py under
Debian's kernel of another machine, and prints what came of each. BUILD is a
build for that machine, which `machines.py MACHINE` alone says how to make.

A machine is a row. Its tracers and compiler are Debian's, unpacked in the
cache (1.3 GB); qemu runs all of it, many times slower than a machine does:
tests of tracers take minutes each.
"""

import collections
import os
import pathlib
import shutil
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

from tracers.vm import debian, guest  # noqa: E402
from kernels import features, in_guest  # noqa: E402

LIMIT = 3000        # seconds for a feature
PACKAGES = (
    "bash", "bpftool", "bpftrace", "busybox-static", "clang", "coreutils",
    "dash", "gcc", "gdb", "grep", "iproute2", "libbpf-dev", "libc6-dev",
    "libcmocka-dev", "libelf-dev", "libjansson-dev", "libmicrohttpd-dev",
    "libncurses-dev", "libtalloc-dev", "libtevent-dev", "linux-perf", "mawk",
    "mount", "pkg-config", "procps", "python3-bpfcc", "python3-pytest", "sed",
    "util-linux")

# debian: its name there; family: Meson's; package: of its kernel
Row = collections.namedtuple("Row", "debian triplet family package qemu words "
                             "console device")
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
}
CROSS = """[binaries]
c = ['{triplet}-gcc', '--sysroot={root}']
ar = '{triplet}-ar'
strip = '{triplet}-strip'
pkgconfig = 'pkg-config'
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
    path = debian.unpacked("root-" + row.debian, "bookworm", packages,
                           row.debian) / "root"
    programs = path / "usr/bin"
    if not os.path.lexists(str(programs / "awk")):
        (programs / "awk").symlink_to("mawk")
    return path


def kernel(row):
    return debian.kernel_of("bookworm", row.package, row.debian)


def machine(row):
    place = root(row)
    return guest.Machine(row.qemu, row.words, row.console, row.device,
                         str(place / "usr/bin/busybox"), str(place / "usr"))


def cross_file(row, path):
    """Writes what `meson setup --cross-file` wants."""
    multiarch = next((root(row) / "usr/lib").glob("*-linux-gnu")).name
    path.write_text(CROSS.format(
        root=root(row), multiarch=multiarch, triplet=row.triplet,
        family=row.family,
        endian="big" if row.family == "s390x" else "little"))


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
        memory="2G", limit=LIMIT, life=8 * 3600, processors=2,
        more=[TESTS.parent, build])
    try:
        for feature in wanted or features.FEATURES:
            outcomes = in_guest.run(
                booted, features.FEATURES[feature], build, TESTS.parent,
                pathlib.Path(share, feature.replace(" ", "_")))
            for part, outcome in outcomes.items():
                print("%s: %s %s" % (
                    " by ".join(filter(None, (feature, part))),
                    outcome.result, outcome.detail), flush=True)
    finally:
        booted.end()
        shutil.rmtree(share)


if __name__ == "__main__":
    main(*sys.argv[1:])
