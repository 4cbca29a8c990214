# SPDX-License-Identifier: BSD-2-Clause
"""The kernels: a row each, one line to add another. The newest of a suite
comes by the package linux-image-amd64."""

import collections

from tracers.vm import debian, guest
from . import choice

# suite: of Debian; None for the kernel whose headers are installed
Kernel = collections.namedtuple("Kernel", "machine suite package")
MACHINES = {"x86_64": guest.X86}
NEWEST = "linux-image-amd64"
KERNELS = {
    "5.10": Kernel("x86_64", "bullseye", NEWEST),
    "6.1": Kernel("x86_64", None, None),
    "6.12 of backports": Kernel("x86_64", "bookworm-backports", NEWEST),
    "6.12": Kernel("x86_64", "trixie", NEWEST),
    "6.18": Kernel("x86_64", "trixie-backports",
                   "linux-image-6.18.15+deb13-amd64"),
    "7.2": Kernel("x86_64", "unstable", NEWEST),
}


def chosen():
    """The names of those to run."""
    return choice.chosen("SDTKIT_KERNELS", KERNELS)


def folder(name):
    """Where a kernel is; debian.Lacking if it cannot be had."""
    kernel = KERNELS[name]
    if kernel.suite is None:
        return debian.kernel()
    return debian.kernel_of(kernel.suite, kernel.package)
