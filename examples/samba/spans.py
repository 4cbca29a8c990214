# SPDX-License-Identifier: BSD-2-Clause
"""The span `request` of the provider smb2, as `sdtkit top` counts it, beside
what was on the wire and what tsmbd measured.

                     requests  errors       tsmbd         top
    CREATE               2217      29     1544856     1539894   us   -0.3 %

A span has one list of statuses that are no errors, tsmbd one for each command:
a LOCK that is withdrawn is an error for tsmbd only. In tsmbd's table, the time
of a CHANGE_NOTIFY is without that in which it waits for changes.

Both take the time from elapsed_ns of the probe at the end, so that of READ and
WRITE is the same but for roundings: within 1 %. What tsmbd shows of other
commands, such as a LOGOFF that ends others, may come from its own clock.
"""

import collections
import json

from counts import ORDER
import source

# ok= of the span in smb2.d
OK = (0, 0xc0000016, 0x80000006, 0xc0000120, 0xc0000011)
# of the time of a command; more is an error for these
NEAR = 0.01
SAME = ("READ", "WRITE")


def read(text, strict=lambda total: True):
    """Returns the report in the output of sdtkit top --json; raises Failed if
    it is not complete. strict: spans of which each start and end is there."""
    report = json.loads(next(line for line in text.split("\n")
                             if line.startswith("{")))
    for total in report["totals"]:
        lost = {what: total[what] for what in (
            ("lost", "unread", "unmatched", "restarted") if strict(total)
            else ("lost", "unread")) if total[what]}
        if lost:
            raise source.Failed("sdtkit top: %s:%s: %s" % (
                total["provider"], total["span"], lost))
    return report


def by_top(text):
    """Returns {name: row} from the output of sdtkit top --json."""
    return {row["name"]: row for row in read(text)["spans"]}


def _right(requests):
    """Returns {name: (count, errors, bytes in, bytes out)} of the wire."""
    found = collections.defaultdict(lambda: (0, 0, 0, 0))
    for r in requests:
        if r.status is not None or r.name == "CANCEL":
            found[r.name] = tuple(map(sum, zip(found[r.name], (
                1, (r.status or 0) not in OK, r.in_bytes, r.out_bytes))))
    return dict(found)


def compare(requests, rows, tsmbd):
    """Prints counts and times; raises Failed unless requests, errors and bytes
    are those of the wire, and the times of SAME are NEAR."""
    right = _right(requests)
    taken = {name: (row["count"], row.get("errors", 0),
                    row["sums"]["in_bytes"], row["sums"]["out_bytes"])
             for name, row in rows.items()}
    if taken != right:
        raise source.Failed("sdtkit top has %s, on the wire were %s" % (
            taken, right))
    print("%-16s%9s%8s%12s%12s" % ("", "requests", "errors", "tsmbd", "top"))
    for name in sorted(rows, key=ORDER.index):
        operation, ours = tsmbd[name], rows[name]["sum_us"]
        time = operation["total_us"]
        if operation.get("waited_for") == "changes":
            time += operation["waited_us"]
        print("%-16s%9d%8d%12d%12d   us %+6.1f %%" % (
            name, *taken[name][:2], time, ours, 100 * (ours / max(time, 1) - 1)
        ))
        if name in SAME and abs(ours - time) > NEAR * time:
            raise source.Failed("%s took %d us by sdtkit top, %d us by tsmbd"
                                % (name, ours, time))
