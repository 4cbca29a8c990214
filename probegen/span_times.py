# SPDX-License-Identifier: BSD-2-Clause
"""Spans whose end tells how long they took, or when they began.

    #pragma sdtkit span request end=request_done duration=elapsed_ns
    #pragma sdtkit span query end=query_done started=us(since) key=id

The unit is the end of the argument's name, or written around the argument.
Such a span needs no start, and without start and suspend no key.
"""

import re

from . import ctypes_table, span_text
from .span_text import Malformed

PROPERTIES = ("duration", "started")
# in nanoseconds
UNITS = {"ns": 1, "nsec": 1, "us": 10 ** 3, "usec": 10 ** 3, "ms": 10 ** 6,
         "msec": 10 ** 6, "s": 10 ** 9, "sec": 10 ** 9}
_IN_UNIT = re.compile(r"([a-z]+)\((.*)\)\Z")


def kind(draft):
    """Returns "duration" or "started", or None."""
    return next((name for name in PROPERTIES if name in draft.values), None)


def required(values):
    """Returns which properties a span has to have, beside others."""
    if not any(name in values for name in PROPERTIES):
        return ("start", "end", "key")
    paired = any(name in values for name in ("start", "suspend", "parent"))
    return ("end", "key") if paired else ("end",)


class Times:
    """Finds these arguments for a spans.Spans."""

    def __init__(self, spans):
        self.error = spans.error
        self.choice = spans.choice

    def find(self, draft):
        """Returns a dict: id of a probe -> (index, nanoseconds in its unit);
        None after a fault, or if the span has no such argument."""
        name = kind(draft)
        if name is None:
            return None
        source, value = draft.sources[name], draft.values[name]
        if all(each in draft.values for each in PROPERTIES):
            self.error("BAD_SPAN", source, value, "span '%s' has 'duration' "
                       "and 'started'" % draft.name.text,
                       "use the one that its end tells")
            return None
        if draft.values.get("key", value).text == "tid" and (
                "suspend" in draft.values and "start" not in draft.values):
            self.error("BAD_SPAN", draft.sources["key"], draft.values["key"],
                       "span '%s' is suspended, and has no start: its key "
                       "cannot be the thread" % draft.name.text,
                       "name an argument, or a start")
        unit, word = _unit(source, value)
        found = self.choice(draft, source, word, ("end", "suspend"))
        if found:
            self._check_all(draft, source, value, found)
        return {id(probe): (found[id(probe)], self._scale(
            source, value, name, probe, probe.args[found[id(probe)]], unit))
                for _, probe in draft.probes if id(probe) in found}

    def _check_all(self, draft, source, value, found):
        """Checks that all ends have it, for nothing else has the time."""
        for role, probe in draft.probes:
            if role in ("end", "suspend") and id(probe) not in found and (
                    "start" not in draft.values):
                self.error("SPAN_ARGUMENT", source, value, "probe '%s' has no "
                           "argument '%s', and the span has no start" % (
                               probe.name, value.text),
                           "if the probe has another name for it, write "
                           "%s/%s.ARG" % (value.text, probe.name))

    def _scale(self, source, value, name, probe, arg, unit):
        """Returns the nanoseconds in the unit of an argument."""
        if arg.kind not in (ctypes_table.SIGNED, ctypes_table.UNSIGNED):
            self.error("SPAN_TYPE", source, value,
                       "'%s' of '%s' cannot be a time" % (arg.written,
                                                          probe.name),
                       "use an integer")
            return None
        scale = unit or UNITS.get(arg.name.rpartition("_")[2])
        if scale is None:
            self.error("SPAN_ARGUMENT", source, value, "the unit of '%s' is "
                       "not known" % arg.name, "write %s=us(%s), or ns, ms, "
                       "s; or let its name end in _us" % (name, value.text))
        return scale


def _unit(source, value):
    """us(took) -> (1000, the Word `took`)"""
    match = _IN_UNIT.match(value.text)
    if not match:
        return None, value
    if match[1] not in UNITS:
        raise Malformed(value, "'%s' is not a unit of time" % match[1],
                        "use one of " + ", ".join(UNITS))
    text = source.text[value.start:value.end]
    return UNITS[match[1]], span_text.Word(
        match[2], value.start + text.index("(") + 1,
        value.start + text.rindex(")"))
