# SPDX-License-Identifier: BSD-2-Clause
"""Prints a CTF trace as babeltrace2's library reads it, an object per line:
events, and losses. A program of its own, because only Debian's Python has the
library.

    {"name": "act:step", "time": 1700000000000000000, "pid": 7, "tid": 7,
     "fields": {"n": 1}, "labels": {}}
    {"lost": 17}
"""

import json
import sys

import bt2


def names(field):
    """The names of the value of an enumeration; the library's own function
    fails if there is none."""
    return [name for name in field.cls
            if any(values.lower <= int(field) <= values.upper
                   for values in field.cls[name].ranges)]


def plain(field):
    """The value of a field: numbers, text, true and false, lists, dicts."""
    if isinstance(field, bt2._StructureFieldConst):
        return {name: plain(field[name]) for name in field}
    if isinstance(field, bt2._ArrayFieldConst):
        return [plain(item) for item in field]
    if isinstance(field, bt2._StringFieldConst):
        return str(field)
    if isinstance(field, bt2._EnumerationFieldConst):
        return {"true": True, "false": False}.get(
            " ".join(names(field)), int(field))
    if isinstance(field, bt2._RealFieldConst):
        return float(field)
    return int(field)


def labels(fields):
    """The names of the values of enumerations that are not records' members."""
    return {name: names(fields[name]) for name in fields
            if isinstance(fields[name], bt2._EnumerationFieldConst)}


def main(path):
    for message in bt2.TraceCollectionMessageIterator(path):
        if isinstance(message, bt2._DiscardedEventsMessageConst):
            found = {"lost": message.count,
                     "time": message.end_default_clock_snapshot.ns_from_origin}
        elif isinstance(message, bt2._EventMessageConst):
            event = message.event
            context = event.packet.context_field
            found = {
                "name": event.name,
                "time": message.default_clock_snapshot.ns_from_origin,
                "pid": int(context["pid"]), "tid": int(context["tid"]),
                "stream": event.stream.id,
                "fields": plain(event.payload_field),
                "labels": labels(event.payload_field)}
        else:
            continue
        print(json.dumps(found))


main(sys.argv[1])
