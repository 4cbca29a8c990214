# SPDX-License-Identifier: BSD-2-Clause
"""The parents of spans: `parent=request(req)` of a span `read`.

A start of the span has the key of the request in its argument `req`. Without
brackets the two have the same key; if the key of the parent is the thread, the
parent is what runs in the thread at that time. `parent=running` names none: it is
what the thread of the end runs.
"""

import re

from . import span_text
from .span_text import Malformed

RUNNING = "running"
_PARENT = re.compile(r"(?:(\w+):)?(\w+)(?:\((.*)\))?\Z")


class Parents:
    """Adds parents to the spans of a spans.Spans, which have all else."""

    def __init__(self, spans):
        self.error = spans.error
        self.choice = spans.choice
        self.drafts = spans.drafts
        self.diag = spans.diag

    def add(self, draft, source, value):
        """Adds its parent to the span of a draft."""
        match = _PARENT.match(value.text)
        if not match:
            raise Malformed(value, "'%s' is not the name of a span"
                            % value.text, "write parent=SPAN or "
                            "parent=SPAN(ARGUMENT)")
        key = match[1] or draft.provider, match[2]
        if key not in self.drafts and value.text == RUNNING:
            return
        if key not in self.drafts:
            self.error("UNKNOWN_SPAN", source, value,
                       "provider '%s' has no span '%s'" % key,
                       self.diag.similar(key[1], [RUNNING] + [
                           name for owner, name in self.drafts
                           if owner == key[0]]))
            return
        parent = self.drafts[key].made
        if parent is not None:
            starts = self._key(draft, source, value, parent)
            draft.made = draft.made._replace(parent=key, probes=tuple(
                each._replace(parent=starts.get(id(each.probe), ()))
                for each in draft.made.probes))

    def _key(self, draft, source, value, parent):
        """Returns a dict: id of a start -> indexes of the arguments that hold
        the parent's key. Of a span without a start, the ends have them."""
        inner = source.text[value.start:value.end].find("(")
        if parent.is_by_thread:
            if inner >= 0:
                raise Malformed(value, "the key of '%s' is the thread, which "
                                "no argument holds" % parent.name,
                                "write parent=%s" % parent.name)
            return {}
        role = "start" if "start" in draft.values else "end"
        starts = [each for each in draft.made.probes if each.role == role]
        if inner < 0:
            found = {id(each.probe): each.key for each in starts}
        else:
            found = self._arguments(draft, source, span_text.Word(
                None, value.start + inner + 1, value.end - 1), starts)
        self._check(source, value, parent, starts, found)
        return found

    def _arguments(self, draft, source, value, starts):
        columns = [(word, self.choice(draft, source, word,
                                      (starts[0].role,)))
                   for word in span_text.split(source, value)]
        for word, column in columns:
            for each in starts if column else ():
                if id(each.probe) not in column:
                    self.error("SPAN_ARGUMENT", source, word, "probe '%s' has "
                               "no argument '%s'" % (each.probe.name,
                                                     word.text))
        return {id(each.probe): tuple(column.get(id(each.probe))
                                      for _, column in columns)
                for each in starts}

    def _check(self, source, value, parent, starts, found):
        """Checks that the values have the types of the parent's key."""
        owner = parent.probes[0]
        wanted = [owner.probe.args[index] for index in owner.key]
        for each in starts:
            given = found[id(each.probe)]
            if None in given:
                continue        # it was reported
            args = [each.probe.args[index] for index in given]
            if _types(args) != _types(wanted):
                self.error("SPAN_TYPE", source, value,
                           "the key of '%s' is (%s), but '%s' gives (%s)" % (
                               parent.name,
                               ", ".join(arg.written for arg in wanted),
                               each.probe.name,
                               ", ".join(arg.written for arg in args)),
                           "write parent=%s(ARGUMENT%s)" % (
                               parent.name, ",..." * (len(wanted) > 1)))

    def check_cycles(self):
        """Reports a span that is above itself."""
        for (provider, name), draft in self.drafts.items():
            seen, at = set(), draft.made
            while at is not None and at.parent and at.parent not in seen:
                seen.add(at.parent)
                at = self.drafts[at.parent].made
            if (provider, name) in seen:
                self.error("BAD_SPAN", draft.sources["parent"],
                           draft.values["parent"],
                           "span '%s' would be its own parent" % name)


def _types(args):
    return [arg.type.compared_as for arg in args]
