# SPDX-License-Identifier: BSD-2-Clause
"""The probe sites of a binary as the tracer wants them, from what readelf
prints: offsets in the file instead of addresses, and where the argument is.

Location 0x1139, semaphore 0x5000, argument -8@%rdi become
Site(offset=0x1139, semaphore=0x4000, operand="-8@%rdi").
"""

import re
import subprocess
from collections import namedtuple

Site = namedtuple("Site", "offset semaphore operand")

_NOTE = re.compile(r"Provider: (\S+)\s+Name: (\S+)\s+Location: (0x\w+), "
                   r"Base: 0x\w+, Semaphore: (0x\w+)\s+Arguments: (\S+)")
_LOAD = re.compile(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)")

# struct pt_regs of x86-64, in the order of <asm/ptrace.h>
_REGISTERS = ["r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9",
              "r8", "rax", "rcx", "rdx", "rsi", "rdi", None, None, None, None,
              "rsp"]


def _readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, path], check=True,
                          text=True, stdout=subprocess.PIPE).stdout


def notes(path, probe="round"):
    """(location, semaphore, operand) of each site of a probe of life.d."""
    found = _NOTE.findall(_readelf(path, "-n"))
    return [(int(location, 16), int(semaphore, 16), operand)
            for provider, name, location, semaphore, operand in found
            if (provider, name) == ("life", probe)]


def sites(path, probe="round"):
    """The sites of a probe in a program or library."""
    segments = [tuple(int(word, 16) for word in words)
                for words in _LOAD.findall(_readelf(path, "-l"))]

    def in_file(address):
        for offset, start, size in segments:
            if start <= address < start + size:
                return address - start + offset
        raise AssertionError("%s has no byte for %#x" % (path, address))

    return [Site(in_file(location), in_file(semaphore), operand)
            for location, semaphore, operand in notes(path, probe)]


def cookie(target, operand):
    """union tracer_cookie of tracer.h, as a number."""
    register = re.match("-8@%(\\w+)$", operand)
    assert register, operand
    return target | 8 * _REGISTERS.index(register[1]) << 32
