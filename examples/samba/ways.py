# SPDX-License-Identifier: BSD-2-Clause
"""The spans of a server, counted by its recorder and by the kernel at the same
time: two `sdtkit top` watch it, one with --via=recorder, one with --via=kernel.
Used by run.py, ../servers/run.py and tests/top.

    environment = preloaded(build, directory, "redis:command")
    with tracer.running(tops(build, pid, ["redis:command"]), top) as texts:
        ...
    compare(report(texts["kernel"]), report(texts["recorder"]))

Numbers and sums of spans are equal. A time is not: each has a clock of its own
at each end of a span. Between the two is what a hit takes, so a distribution
moves by one slot, which is a power of two. A few spans may move further: those
of a process that has to wait for a processor between the two, or for memory.
"""

import collections
import json

import source

WAYS = ("kernel", "recorder")
# that may move further, of the spans of a row, and of those of any row
FURTHER, ANY = 0.05, 2
# nanoseconds: a span that takes no longer than some hits is in any slot below
SHORT = 8192
EXACT = ("count", "errors", "sums")
EXACT_TOTALS = ("ended", "unmatched", "restarted", "lost", "unread")


def preloaded(build, directory, patterns):
    """What the environment of a server has more, to count these spans in a
    file in the directory."""
    library = build / "lib" / "record" / "libsdtkit-recorder.so"
    return {"LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent),
            "SDTKIT_RECORDER_COUNT": patterns,
            "SDTKIT_RECORDER_OPTIONS": "dir=%s" % directory}


def top_command(build, pid, way, spans):
    return [build / "lib/tool/sdtkit", "top", "--json", "-d", "-p", pid,
            "--via=" + way] + spans


def tops(build, pid, spans):
    """The tracers, for tracer.running()."""
    return [(way, top_command(build, pid, way, spans), "Collecting")
            for way in WAYS]


def report(text):
    """The last report in the output of sdtkit top --json."""
    return json.loads([line for line in text.split("\n")
                       if line.startswith("{")][-1])


def _rows(report):
    return {(row["provider"], row["span"], row["name"]): row
            for row in report["spans"]}


def _at_least(row, time):
    return sum(slot["count"] for slot in row["slots"]
               if slot["from_ns"] >= time)


def moved(one, other):
    """How many spans are more than a slot further up in one of two rows."""
    return max((_at_least(a, slot["from_ns"]) -
                _at_least(b, slot["from_ns"] / 2)
                for a, b in ((one, other), (other, one))
                for slot in a["slots"] if slot["from_ns"] > SHORT), default=0)


def differences(kernel, recorder):
    """Returns a line for each thing that is not as it has to be."""
    ours, theirs = _rows(recorder), _rows(kernel)
    wrong = ["%s:%s %s: by one way only" % key
             for key in sorted(set(ours) ^ set(theirs), key=str)]
    for key in sorted(set(ours) & set(theirs), key=str):
        for what in EXACT:
            values = theirs[key].get(what), ours[key].get(what)
            if values[0] != values[1]:
                wrong.append("%s:%s %s: %s: %s by the kernel, %s by the "
                             "recorder" % (*key, what, *values))
        for row in theirs[key], ours[key]:
            if _at_least(row, 0) != row["count"]:
                wrong.append("%s:%s %s: the slots have not all spans" % key)
        further = moved(theirs[key], ours[key])
        if further > ANY + FURTHER * ours[key]["count"]:
            wrong.append("%s:%s %s: %d spans moved by more than a slot" % (
                *key, further))
    totals = [{(total["provider"], total["span"]):
               {what: total[what] for what in EXACT_TOTALS}
               for total in report["totals"]} for report in (kernel, recorder)]
    return wrong + [
        "%s:%s: %s by the kernel, %s by the recorder" % (
            *span, totals[0].get(span), totals[1].get(span))
        for span in sorted(totals[0].keys() | totals[1].keys())
        if totals[0].get(span) != totals[1].get(span)]


def compare(kernel, recorder):
    """Prints a line for each span; raises Failed if there are differences."""
    shown = collections.Counter()
    errors = collections.Counter()
    for row in recorder["spans"]:
        span = "%s:%s" % (row["provider"], row["span"])
        shown[span] += row["count"]
        errors[span] += row.get("errors", 0)
    print("%-28s%10s%10s" % ("", "spans", "errors"))
    for span, count in shown.items():
        print("%-28s%10d%10d" % (span, count, errors[span]))
    wrong = differences(kernel, recorder)
    if wrong or not shown:
        raise source.Failed("by both ways:\n%s" % (
            "\n".join(wrong) or "no span was counted"))
