# SPDX-License-Identifier: BSD-2-Clause
"""bcc: its Python package, in a process of its own (inside/bcc.py).

It compiles C with the kernel's headers, which it looks for below /lib/modules
and in /sys/kernel/kheaders.tar.xz. Where the running kernel has none, those of
any Debian package do, in one tree: probes need nothing that differs.
"""

import functools
import json
import os
import pathlib
import platform
import re
import tempfile

from . import KINDS, root_lacks, run
from programs import once

NAME = "bcc"
IN_KERNEL = True
READS = KINDS
PYTHON = "/usr/bin/python3"     # what Debian's packages are for
_READER = pathlib.Path(__file__).parent / "inside" / "bcc.py"


@once
def lacks():
    missing = root_lacks("tplist-bpfcc", PYTHON)
    if missing:
        return missing
    if not version():
        return "bcc is not installed (package python3-bpfcc)"
    if headers() is None:
        return "bcc needs kernel headers (package linux-headers-amd64)"
    return None


@functools.lru_cache(maxsize=None)
def version():
    status, said = run([PYTHON, "-Ic", "import bcc; print(bcc.__version__)"])
    return "" if status else said.strip()


def most():
    return 12


def listed(path):
    _, said = run(["tplist-bpfcc", "-l", path])
    return set(re.findall(r" (\w+:\w+)$", said, re.M))


def read(program, wanted):
    jobs = program.report.with_name("bcc.json")
    jobs.write_text(json.dumps({
        "wanted": wanted, "path": str(program.probes),
        "command": program.command}))
    status, said = run([PYTHON, "-IB", _READER, jobs],
                       env=dict(os.environ, **headers()))
    found = re.findall(r"^HITS (.*)$", said, re.M)
    if status or not found:
        raise AssertionError("bcc: " + said)
    return json.loads(found[0])


@functools.lru_cache(maxsize=None)
def headers():
    """What bcc's environment must hold; None if there are no headers."""
    own = pathlib.Path("/lib/modules", platform.release(), "build")
    if own.exists() or os.path.exists("/sys/kernel/kheaders.tar.xz"):
        return {}
    for common in sorted(pathlib.Path("/usr/src").glob("linux-headers-*-common")):
        for built in common.parent.glob(common.name.replace("common", "a*64")):
            return {"BCC_KERNEL_SOURCE": _one_tree(common, built)}
    return None


_TREES = []


def _one_tree(common, built):
    """Debian has the headers of an architecture and the common ones apart."""
    _TREES.append(tempfile.TemporaryDirectory(prefix="sdtkit-headers-"))
    tree = pathlib.Path(_TREES[-1].name)
    for part in "include", "arch/x86/include", "arch/arm64/include":
        (tree / part).mkdir(parents=True)
        for source in common / part, built / part:
            for entry in source.glob("*"):
                (tree / part / entry.name).symlink_to(entry)
    return str(tree)
