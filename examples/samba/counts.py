# SPDX-License-Identifier: BSD-2-Clause
"""Four counts of the same requests, which have to be equal.

What the client sent is counted by relay.py; what smbd answered by itself (its
profiling, smbstatus -P); what the probes told by tsmbd and by smb2.bt. Times
cannot be equal: smbd reads its clock a little later than a tracer does.

                      client    smbd   tsmbd smb2.bt    in: smbd      tsmbd ...
    CREATE              1848    1848    1848    1848      243440     243440
"""

import json
import re

from relay import NAMES
import source

# names of smbstatus -P, by opcode
PROFILE = [
    "negprot", "sesssetup", "logoff", "tcon", "tdis", "create", "close",
    "flush", "read", "write", "lock", "ioctl", "cancel", "keepalive", "find",
    "notify", "getinfo", "setinfo", "break"]
ORDER = NAMES + ["UNKNOWN"]
PER_FILE = ["CREATE", "WRITE", "READ", "QUERY_INFO", "CLOSE"]


def by_bpftrace(text):
    """{name: count} from what smb2.bt printed."""
    return {name: int(count) for name, count in re.findall(
        r"^@requests\[(\w+)\]: count (\d+)", text, re.MULTILINE)}


def by_tsmbd(text):
    """{name: operation} from the report that tsmbd --json printed."""
    report = json.loads(text.strip().split("\n")[-1])
    lost = {what: n for what, n in report["lost"].items() if n}
    if lost:
        raise source.Failed("tsmbd lost events: %s" % lost)
    return {NAMES[operation["opcode"]]: operation
            for operation in report["operations"]}


def by_smbd(profile):
    """{name: operation}, with the keys that tsmbd's have; None without."""
    if not profile:
        return None
    found = {}
    for name, short in zip(NAMES, PROFILE):
        def value(what):
            return profile["smb2_%s_%s" % (short, what)]
        if value("count"):
            found[name] = {
                "count": value("count"), "bytes_in": value("inbytes"),
                "bytes_out": value("outbytes"), "total_us": value("time")}
    return found


def _line(title, cells, widths, verdict=""):
    print("%-16s" % title + "".join(
        "%*s" % (width, "-" if cell is None else cell)
        for cell, width in zip(cells, widths)) + verdict)


def _exact(operations, name, key):
    """A cell per count: None if it was not taken."""
    return None if operations is None else \
        operations.get(name, {}).get(key, 0)


def compare_counts(client, smbd, tsmbd, bpftrace):
    """Prints them; raises Failed unless all that were taken are equal."""
    widths = (8, 8, 8, 8, 12, 11, 12, 11)
    print("%-16s%8s%8s%8s%8s%12s%11s%12s%11s" % (
        "", "client", "smbd", "tsmbd", "smb2.bt", "in: smbd", "tsmbd",
        "out: smbd", "tsmbd"))
    names = set(client) | set(tsmbd or {}) | set(bpftrace) | set(smbd or {})
    wrong = False
    for name in sorted(names, key=ORDER.index):
        # a CANCEL has no end, by which tracers count
        ends = None if name == "CANCEL" else tsmbd
        counts = [client[name], _exact(smbd, name, "count"),
                  _exact(ends, name, "count"),
                  None if name == "CANCEL" else bpftrace.get(name, 0)]
        pairs = [[_exact(taken, name, key) for taken in (smbd, ends)]
                 for key in ("bytes_in", "bytes_out")]
        same = all(len(set(cells) - {None}) <= 1 for cells in [counts] + pairs)
        wrong = wrong or not same
        _line(name, counts + pairs[0] + pairs[1], widths,
              "" if same else "   DIFFERENT")
    if wrong or not client:
        raise source.Failed("the counts differ")


def compare_rounds(first, second, files):
    """The second round of the same work had so many files more: what differs
    is what a file takes, and nothing else. WRITE and READ take one each."""
    found = []
    for name in PER_FILE:
        per_file, rest = divmod(second[name] - first[name], files)
        if rest or (name in ("READ", "WRITE") and per_file != 1):
            raise source.Failed("%d more files, %d more %s" % (
                files, second[name] - first[name], name))
        found.append("%d %s" % (per_file, name))
    print("each file took " + ", ".join(found))


def show_times(smbd, tsmbd):
    """Side by side, in microseconds: they are two measurements."""
    print("%-16s%10s%10s   us" % ("", "smbd", "tsmbd"))
    for name in sorted(smbd, key=ORDER.index):
        if name in tsmbd:
            _line(name, [smbd[name]["total_us"], tsmbd[name]["total_us"]],
                  (10, 10))
