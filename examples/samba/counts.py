# SPDX-License-Identifier: BSD-2-Clause
"""Four counts of the same requests, which have to agree.

relay.py has what was on the wire. smbd's own profiling (smbstatus -P) counts a
request when its handler begins, the probes tell tsmbd and smb2.bt when it has
ended. So these are not all the same number: a CANCEL is not answered. A request
that still waits when its client leaves is not answered either, and older
versions of smbd do not even end it. A request that names no open tree or file
is rejected before its handler. Times cannot be equal: smbd reads its clock a
little later than a tracer does.

                   sent answered   smbd  tsmbd smb2.bt    in: smbd      tsmbd
    CREATE         1904     1904   1900   1904    1904      251764     252533
"""

import collections
import json
import re

from relay import NAMES
import source

CANCELLED = 0xc0000120
# NETWORK_NAME_DELETED, FILE_CLOSED, USER_SESSION_DELETED: the answers to
# requests that are refused before their handlers run
REJECTED = (0xc00000c9, 0xc0000128, 0xc0000203)

# the status with which a CHANGE_NOTIFY ends as its directory is closed, and the
# bytes of a reply that is an error
NOTIFY_CLEANUP = 0x0000010b
ERROR_BYTES = 64 + 9

# names of smbstatus -P, by opcode
PROFILE = [
    "negprot", "sesssetup", "logoff", "tcon", "tdis", "create", "close",
    "flush", "read", "write", "lock", "ioctl", "cancel", "keepalive", "find",
    "notify", "getinfo", "setinfo", "break"]
ORDER = NAMES + ["UNKNOWN"]
TITLES = ["sent", "answered", "smbd", "tsmbd", "smb2.bt", "in: smbd", "tsmbd",
          "out: smbd", "tsmbd"]
WIDTHS = [7, 9, 7, 7, 8, 12, 11, 12, 11]
PER_FILE = ["CREATE", "WRITE", "READ", "QUERY_INFO", "CLOSE"]


def by_bpftrace(text):
    """Returns {name: count} from the output of smb2.bt."""
    return {name: int(count) for name, count in re.findall(
        r"^@requests\[(\w+)\]: count (\d+)", text, re.MULTILINE)}


def _report(text):
    return json.loads(text.strip().split("\n")[-1])


def by_tsmbd(text):
    """Returns {name: operation} from the output of tsmbd --json."""
    report = _report(text)
    lost = {what: n for what, n in report["lost"].items() if n}
    if lost:
        raise source.Failed("tsmbd lost events: %s" % lost)
    return {NAMES[operation["opcode"]]: operation
            for operation in report["operations"]}


def by_smbd(profile):
    """Returns {name: operation} with the keys of tsmbd, or None if smbd has no
    profile."""
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


def ends_what_is_left(tree):
    """Whether this smbd ends the requests of a client that has left; that of
    4.17 exits without."""
    code = tree / "source3" / "smbd" / "smb2_server.c"
    return "smbd_server_connection_terminate_state" in code.read_text(
        encoding="utf-8", errors="replace")


def end_what_is_left(requests):
    """Gives them the reply that smbd made and that nobody received."""
    for request in requests:
        if request.status is None and request.name == "CHANGE_NOTIFY":
            request.status = NOTIFY_CLEANUP
            request.out_bytes = ERROR_BYTES
            request.was_sent = False


def _right(requests):
    """Returns a line of the table: the expected counts for these requests,
    which are all of one command."""
    begun = [r for r in requests if r.status not in REJECTED]
    # a CANCEL is ended by tsmbd, and left out by smb2.bt
    ended = [r for r in requests
             if r.status is not None or r.name == "CANCEL"]
    replied = [r for r in requests if r.status is not None]
    return [
        len(requests), sum(r.was_sent for r in replied), len(begun),
        len(ended), len(replied),
        sum(r.in_bytes for r in begun), sum(r.in_bytes for r in ended),
        sum(r.out_bytes for r in begun), sum(r.out_bytes for r in ended)]


def _taken(operations, name, key):
    """Returns the count, or None if it was not taken."""
    return None if operations is None else \
        operations.get(name, {}).get(key, 0)


def _counted(name, smbd, tsmbd, bpftrace):
    """Returns the same line with the counts that were taken; the two of the
    wire are not in it."""
    return [_taken(smbd, name, "count"), _taken(tsmbd, name, "count"),
            bpftrace.get(name, 0)] + [
                _taken(program, name, key) for key in ("bytes_in", "bytes_out")
                for program in (smbd, tsmbd)]


def compare_counts(requests, smbd, tsmbd, bpftrace):
    """Prints them; raises Failed unless all that were taken are right."""
    _line("", TITLES, WIDTHS)
    by_name = {name: [] for name in (*(smbd or ()), *(tsmbd or ()), *bpftrace)}
    for request in requests:
        by_name.setdefault(request.name, []).append(request)
    wrong = False
    for name in sorted(by_name, key=ORDER.index):
        right = _right(by_name[name])
        taken = right[:2] + _counted(name, smbd, tsmbd, bpftrace)
        same = all(cell in (None, must) for cell, must in zip(taken, right))
        wrong = wrong or not same
        _line(name, taken, WIDTHS,
              "" if same else "   DIFFERENT, should be %s" % right)
    if wrong or not requests:
        raise source.Failed("the counts differ")


def compare_errors(requests, text):
    """Compares the answers whose status is not 0, by command and status."""
    wire = collections.Counter((r.name, r.status) for r in requests if r.status)
    told = {(NAMES[error["opcode"]], error["status"]): error["count"]
            for error in _report(text)["errors"]}
    if told != wire:
        raise source.Failed("errors: tsmbd has %s, on the wire were %s" % (
            told, dict(wire)))
    print("%d replies with a status that is not 0, of %d kinds: tsmbd has the "
          "same" % (sum(wire.values()), len(wire)))


# metrics of tsmbd, and the same numbers in its report
METRICS = {"smbd_requests_total": "count",
           "smbd_request_duration_seconds_count": "count",
           "smbd_received_bytes_total": "bytes_in",
           "smbd_sent_bytes_total": "bytes_out",
           "smbd_errors_total": "errors"}


def compare_metrics(tsmbd, text):
    """Compares the metrics with the report, which is compared with the wire and
    smbd's profile."""
    found = collections.Counter()
    for name, command, value in re.findall(
            r'^(\w+)\{command="(\w+)"[^}]*\} (\d+)$', text, re.MULTILINE):
        if name in METRICS and int(value):
            found[name, "SMB2_OP_" + command.upper()] += int(value)
    right = {(name, operation["name"]): operation[key]
             for name, key in METRICS.items()
             for operation in tsmbd.values() if operation[key]}
    if found != right:
        raise source.Failed("metrics: %s, but the report has %s" % (
            dict(found), right))
    print("%d metrics of %d commands: the same as in the report" % (
        len(right), len(tsmbd)))


# (title, condition, commands for which it has to occur): what is rare.
RARE = [
    ("interim response", lambda r: r.interim,
     ["CREATE", "LOCK", "CHANGE_NOTIFY"]),
    ("in a compound", lambda r: r.is_compound, ["CREATE", "FLUSH"]),
    ("withdrawn", lambda r: r.status == CANCELLED, ["LOCK", "CHANGE_NOTIFY"]),
    ("rejected early", lambda r: r.status in REJECTED, ["LOCK"]),
    ("not answered", lambda r: r.status is None or not r.was_sent,
     ["CANCEL", "CHANGE_NOTIFY"]),
]


def show_rare(requests):
    """Raises Failed unless every command and all of RARE were on the wire."""
    lacking = set(NAMES) - {r.name for r in requests}
    for title, is_rare, needed in RARE:
        found = collections.Counter(r.name for r in requests if is_rare(r))
        print("%-18s" % title + ", ".join(
            "%d %s" % (found[name], name)
            for name in sorted(found, key=ORDER.index)))
        lacking |= {"%s: %s" % (title, name) for name in needed
                    if not found[name]}
    if lacking:
        raise source.Failed("not on the wire: %s" % sorted(lacking))


def compare_rounds(first, second, files):
    """The second round did the same work with so many more files. Raises
    Failed unless the rounds differ by a whole number of requests for each
    file, which for READ and WRITE is one."""
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
