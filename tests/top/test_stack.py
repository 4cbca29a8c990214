# SPDX-License-Identifier: BSD-2-Clause
"""Programs of probes keep the stack of their task: see lib/uprobe/stack.bpf.h.
That it helps, tests/kernels shows: here the kernel may never preempt."""

import platform
import re
import subprocess

import pytest

TAIL_CALL = {"little endian": bytes([0x85, 0, 0, 0, 12, 0, 0, 0]),
             "big endian": bytes([0x85, 0, 0, 0, 0, 0, 0, 12])}
SECTION = re.compile(r"\[ *(\d+)\] (\S+) +PROGBITS +\w+ (\w+) ")
FUNCTION = re.compile(
    r"^ *\d+: (\w+) +(\d+) FUNC +\w+ +\w+ +(\d+) (\S+)", re.M)


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, str(path)], check=True,
                          stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def programs(path, section):
    """{name: its instructions} of a section of a BPF object."""
    found = [(number, offset) for number, name, offset in
             SECTION.findall(readelf("-S", path)) if name == section]
    if not found:
        return {}
    (number, offset), = found
    code = path.read_bytes()[int(offset, 16):]
    return {name: code[int(at, 16):int(at, 16) + int(size)]
            for at, size, home, name in FUNCTION.findall(readelf("-s", path))
            if home == number}


@pytest.mark.parametrize("place, section", [
    ("lib/tool/top/hit.bpf.o", "uprobe"),
    ("lib/tool/trace_kernel.bpf.o", "uprobe.s"),
    ("lib/tsmbd/tsmbd.bpf.o", "usdt"),
])
def test_each_has_a_tail_call(build, place, section):
    if platform.machine() not in ("x86_64", "aarch64"):
        pytest.skip("hits share no stack on this machine")
    path = build / place
    if not path.exists():
        pytest.skip("not built: needs libbpf, clang, bpftool")
    header = readelf("-h", path)
    call, = (code for order, code in TAIL_CALL.items() if order in header)
    found = programs(path, section)
    assert found
    without = [name for name, code in found.items()
               if not any(code[at:at + 8] == call
                          for at in range(0, len(code), 8))]
    assert without == [], "they do not call stack_own()"
