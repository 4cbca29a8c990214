# SPDX-License-Identifier: BSD-2-Clause
"""Reads the probe sites of a file from the output of readelf and from that of
`sdtkit list -v`, both as lists of Site in the order that sdtkit documents: by
name, then by offset in the file."""

import collections
import os
import re
import subprocess

Site = collections.namedtuple("Site", "name address offset semaphore operands")

# What readelf -nW prints for a site. Newer versions print Provider on a line
# of its own.
NOTE = re.compile(
    r"Provider: (?P<provider>.*)\n"
    r"\s+Name: (?P<probe>.*)\n"
    r"\s+Location: (?P<location>0x[0-9a-f]+), Base: (?P<base>0x[0-9a-f]+), "
    r"Semaphore: (?P<semaphore>0x[0-9a-f]+)\n"
    r"\s+Arguments: (?P<arguments>.*)\n")
BASE = re.compile(r"\] \.stapsdt\.base\s+\S+\s+([0-9a-f]+)")
LOAD = re.compile(r"^  LOAD +(0x\S+) (0x\S+) 0x\S+ (0x\S+) 0x\S+ (.{3}) ",
                  re.M)
CODE_GONE = re.compile(r"\] \.text\s+NOBITS")


def readelf(option, path):
    done = subprocess.run(["readelf", option, str(path)],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=dict(os.environ, LC_ALL="C"))
    return done.stdout.decode("utf-8", "backslashreplace")


def code_segments(headers):
    """Returns (file offset, address, size) of each segment with code in the
    file."""
    if CODE_GONE.search(headers):
        return []
    return [tuple(int(number, 16) for number in load[:3])
            for load in LOAD.findall(headers) if "E" in load[3]]


def code_offset(segments, address):
    """Returns the offset in the file of an address in code, or None."""
    for offset, start, size in segments:
        if start <= address < start + size:
            return address - start + offset
    return None


def by_readelf(path):
    headers = readelf("-SlW", path)
    relocatable = "There are no program headers" in headers
    base = BASE.search(headers)
    segments = code_segments(headers)
    sites = []
    for note in NOTE.finditer(readelf("-nW", path)):
        moved = 0
        if base and int(note.group("base"), 16):
            moved = int(base.group(1), 16) - int(note.group("base"), 16)
        name = "%s:%s" % (note.group("provider"), note.group("probe"))
        address = int(note.group("location"), 16) + moved
        semaphore = int(note.group("semaphore"), 16)
        offset = code_offset(segments, address)
        addresses = ["?"] * 3 if relocatable else [
            hex(address),
            hex(offset) if offset is not None else "-",
            hex(semaphore + moved) if semaphore else "-"]
        sites.append(Site(name, *addresses, note.group("arguments") or "-"))
    return sorted(sites, key=lambda site: site.name.encode())


def by_sdtkit(text):
    """Returns the sites in the output of `sdtkit list -v` for one file."""
    lines = text.splitlines()
    if not lines:
        return []
    assert lines[0].split() == ["PROBE", "ADDRESS", "OFFSET", "SEMAPHORE",
                                "OPERANDS"]
    return [Site(*line.split(None, 4)) for line in lines[1:]]


def summary(sites):
    """Returns the lines that `sdtkit list` must print for these sites. They
    are sorted as sdtkit does: by name, then by types: s8 before u8, 8 before
    64."""
    counts = collections.Counter()
    for site in sites:
        types = tuple(map(type_of, operands_of(site.operands)))
        semaphore = {"?": "?", "-": "no"}.get(site.semaphore, "yes")
        counts[(site.name, types, semaphore)] += 1

    def order(key):
        name, types, semaphore = key
        return (name.encode(), [("fsu?".index(t[0]), int(t[1:] or 0))
                                for t in types], semaphore)
    return [[str(counts[key]), key[2], "%s(%s)" % (key[0], ", ".join(key[1]))]
            for key in sorted(counts, key=order)]


def operands_of(text):
    return [] if text == "-" else re.findall(r"(?:\[[^]]*\]|\([^)]*\)|\S)+",
                                             text)


def type_of(operand):
    found = re.match(r"(-?)(\d+)(f?)@", operand)
    if not found:
        return "?"
    letter = "f" if found.group(3) else "s" if found.group(1) else "u"
    return letter + str(8 * int(found.group(2)))
