# SPDX-License-Identifier: BSD-2-Clause
"""Spans: what begins at some probes and ends at others.

    #pragma sdtkit span request start=request_start end=request_end key=req
    #pragma sdtkit span request name=opcode error=status sum=in_bytes
    provider smb2 {
            probe request_start(void *req, uint16_t opcode, uint64_t in_bytes);
            probe request_end(uint32_t status, void *req);
    };

The pragmas of one span add up. This module checks them against the probes and
makes the model.Spans, in which each argument is an index.
"""

import re

from . import (ctypes_table, enums, model, names, span_parents, span_text,
               span_times)
from .span_text import Malformed

ROLES = ("start", "end", "suspend", "resume")
# all properties, in the order in which a note has them
PROPERTIES = ROLES + span_times.PROPERTIES + (
    "key", "name", "error", "ok", "sum", "parent")
LIMITS = {"key": 3, "name": 2, "sum": 4}

_INTEGERS = (ctypes_table.SIGNED, ctypes_table.UNSIGNED)
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)\Z")
_NEGATIVE = "<0"
THREAD = "tid"          # the key of spans that nest in their thread


class _Draft:
    """A span as its pragmas have it. values: property -> Word."""

    def __init__(self, tree, provider, name, doc):
        self.tree = tree
        self.provider = provider    # its name
        self.name = name            # a Word
        self.doc = doc
        self.values = {}
        self.sources = {}           # property -> the source of its Word
        self.probes = []            # (role, model.Probe)
        self.is_misspelt = False    # it has a property that is unknown
        self.is_whole = True        # False after a fault in its probes
        self.made = None            # the model.Span


def resolve(trees, diag, pragmas, providers):
    """Returns the providers with their spans. pragmas: list of (tree,
    tree.Pragma) of all spans."""
    if not pragmas:
        return providers
    made = Spans(trees, diag, providers).resolve(pragmas)
    return [provider._replace(spans=[
        each for each in made if each.provider == provider.name])
            for provider in providers]


class Spans:
    def __init__(self, trees, diag, providers):
        self.diag = diag
        self.providers = {each.name: each for each in providers}
        self.probes = {(each.name, probe.name): probe for each in providers
                       for probe in each.probes}
        self.trees = trees
        self.drafts = {}        # (provider, name) -> _Draft

    def resolve(self, pragmas):
        for tree, pragma in pragmas:
            try:
                self._add(tree, pragma)
            except Malformed as fault:
                self._malformed(tree.source, fault)
        for draft in self.drafts.values():
            self._make(draft)
        parents = span_parents.Parents(self)
        for draft in self.drafts.values():
            if draft.made and "parent" in draft.values:
                self._guarded(draft, "parent", parents.add)
        parents.check_cycles()
        return [draft.made for draft in self.drafts.values() if draft.made]

    # ---------------------------------------------------------------- faults

    def error(self, code, source, word, text, hint=None):
        self.diag.error(code, source, word.start, word.end, text, hint)

    def _malformed(self, source, fault):
        word, text, hint = fault.args
        self.error("BAD_SPAN", source, word, text, hint)

    def _guarded(self, draft, name, check):
        """Returns check(draft, source, value) of a property; None after a
        fault."""
        source = draft.sources[name]
        try:
            return check(draft, source, draft.values[name])
        except Malformed as fault:
            self._malformed(source, fault)
            return None

    # --------------------------------------------------------------- pragmas

    def _add(self, tree, pragma):
        line = span_text.read(tree.source, pragma)
        provider = self._provider(tree, line)
        if provider is None:
            return
        if len(line.name.text) > names.NAME_LIMIT:
            self.error("NAME_TOO_LONG", tree.source, line.name,
                       "the name of this span has %d characters"
                       % len(line.name.text),
                       "use at most %d characters" % names.NAME_LIMIT)
        draft = self.drafts.setdefault(
            (provider, line.name.text),
            _Draft(tree, provider, line.name, pragma.doc))
        for name, value in line.properties:
            self._property(tree, draft, name, value)

    def _provider(self, tree, line):
        known = [node.name for node in tree.providers] or list(self.providers)
        if line.provider is None:
            if len(known) == 1:
                return known[0]
            self.error("BAD_SPAN", tree.source, line.name,
                       "there are several providers, and the span '%s' names "
                       "none" % line.name.text, "write PROVIDER:%s, for "
                       "example %s:%s" % (line.name.text, known[0],
                                          line.name.text) if known else None)
        elif line.provider.text not in self.providers:
            self.error("UNKNOWN_PROVIDER", tree.source, line.provider,
                       "provider '%s' is not declared" % line.provider.text,
                       self.diag.similar(line.provider.text, self.providers))
        else:
            return line.provider.text
        return None

    def _property(self, tree, draft, name, value):
        if name.text not in PROPERTIES:
            draft.is_misspelt = True
            self.error("BAD_SPAN", tree.source, name,
                       "a span has no property '%s'" % name.text,
                       self.diag.similar(name.text, PROPERTIES)
                       or "use one of " + ", ".join(PROPERTIES))
        elif name.text in draft.values:
            self.error("BAD_SPAN", tree.source, name,
                       "'%s' of span '%s' is given twice" % (
                           name.text, draft.name.text),
                       "write all values behind one '%s=', with commas "
                       "between them" % name.text)
        else:
            draft.values[name.text] = value
            draft.sources[name.text] = tree.source

    # ----------------------------------------------------------------- spans

    def _make(self, draft):
        """Makes the model.Span of a draft, without its parent."""
        before = self.diag.count()
        for role in ROLES:
            if role in draft.values:
                self._guarded(draft, role, lambda draft, source, value,
                              role=role: self._role(draft, source, value,
                                                    role))
        self._check_complete(draft)
        found = {name: self._guarded(draft, name, check)
                 for name, check in (("key", self._key), ("name", self._name),
                                     ("error", self._error_argument),
                                     ("sum", self._sum))
                 if name in draft.values and draft.is_whole}
        if draft.is_whole and span_times.kind(draft):
            times = span_times.Times(self)
            found["time"] = self._guarded(
                draft, span_times.kind(draft),
                lambda draft, source, value: times.find(draft))
        oks = self._guarded(draft, "ok", lambda draft, source, value:
                            self._oks(draft, source, value, found)) if (
                                "ok" in draft.values) else (("0", 0),)
        if self.diag.count() == before and draft.is_whole:
            draft.made = self._span(draft, found, oks)

    def _span(self, draft, found, oks):
        provider = self.providers[draft.provider]
        errors = None
        if "error" in found:
            errors = model.SpanErrors(
                draft.values["error"].text.endswith(_NEGATIVE),
                tuple(number for _, number in oks))
        texts = {name: word.text for name, word in draft.values.items()}
        if "ok" in texts:
            texts["ok"] = ",".join(text for text, _ in oks)
        return model.Span(
            draft.provider, provider.alias, draft.name.text, draft.doc,
            tuple((name, texts[name]) for name in PROPERTIES
                  if name in texts),
            tuple(self._probe(draft, found, *each) for each in draft.probes),
            _is_by_thread(draft), errors, None, span_times.kind(draft))

    def _probe(self, draft, found, role, probe):
        """Returns the model.SpanProbe of a probe."""
        def indexes(name):
            return tuple(each.get(id(probe)) for each in found.get(name, ()))
        is_outer = role in ("start", "end")
        return model.SpanProbe(
            probe, role, indexes("key"),
            indexes("name") if is_outer else (),
            found["error"].get(id(probe)) if found.get("error") else None,
            indexes("sum") if is_outer else (), (),
            *(found.get("time") or {}).get(id(probe), (None, None)))

    def _check_complete(self, draft):
        for name in span_times.required(draft.values):
            if name not in draft.values:
                draft.is_whole = False
            if name not in draft.values and not draft.is_misspelt:
                what = "ARGUMENT" if name == "key" else "PROBE"
                self.error("BAD_SPAN", draft.tree.source, draft.name,
                           "span '%s' has no '%s'" % (draft.name.text, name),
                           "add %s=%s to its pragma, or write '#pragma "
                           "sdtkit span %s %s=%s'" % (
                               name, what, draft.name.text, name, what))
        for name, other in ("resume", "suspend"), ("ok", "error"):
            if name in draft.values and other not in draft.values:
                self.error("BAD_SPAN", draft.sources[name],
                           draft.values[name], "span '%s' has '%s' without "
                           "'%s'" % (draft.name.text, name, other))

    def _role(self, draft, source, value, role):
        for word in span_text.split(source, value):
            provider, name = span_text.probe(word)
            probe = self._find_probe(draft, source, word, provider, name)
            if probe is None:
                draft.is_whole = False
            elif any(probe is other for _, other in draft.probes):
                self.error("BAD_SPAN", source, word, "probe '%s' is in span "
                           "'%s' already" % (name, draft.name.text),
                           "give each probe one place; if it ends one thing "
                           "and begins the next, write two spans")
            else:
                draft.probes.append((role, probe))

    def _find_probe(self, draft, source, word, provider, name):
        if provider is not None and provider not in self.providers:
            self.error("UNKNOWN_PROVIDER", source, word,
                       "provider '%s' is not declared" % provider,
                       self.diag.similar(provider, self.providers))
            return None
        provider = provider or draft.provider
        if (provider, name) not in self.probes:
            elsewhere = [each for each in self.providers
                         if (each, name) in self.probes]
            self.error("UNKNOWN_PROBE", source, word,
                       "provider '%s' has no probe '%s'" % (provider, name),
                       "write %s:%s" % (elsewhere[0], name) if elsewhere else
                       self.diag.similar(name, [
                           probe for owner, probe in self.probes
                           if owner == provider]))
            return None
        return self.probes[provider, name]

    # ------------------------------------------------------------- arguments

    def _choices(self, draft, source, value, name, roles):
        """Yields for each value of a property a dict: id of a probe -> index
        of the argument that it has for it."""
        words = span_text.split(source, value)
        limit = LIMITS.get(name, 1)
        if len(words) > limit:
            raise Malformed(words[limit], "'%s' has %d values, but may have "
                            "only %d" % (name, len(words), limit), None)
        for word in words:
            yield word, self.choice(draft, source, word, roles)

    def choice(self, draft, source, word, roles):
        probes = [probe for role, probe in draft.probes if role in roles]
        found = {}
        for argument in span_text.choice(source, word):
            fits = [probe for probe in probes
                    if self._is_of(draft, argument, probe)]
            if not fits:
                self.error("SPAN_ARGUMENT", source, argument.word,
                           "'%s' is not a probe that this value of the span "
                           "is taken from" % argument.probe,
                           "it can be taken from " + ", ".join(
                               probe.name for probe in probes))
                continue
            having = [(probe, index) for probe in fits
                      for index, arg in enumerate(probe.args)
                      if arg.name == argument.name]
            if not having:
                self._no_argument(source, argument, fits)
            for probe, index in having:
                found.setdefault(id(probe), index)
        return found

    def _is_of(self, draft, argument, probe):
        """Returns whether an argument as written may be one of a probe."""
        return argument.probe is None or (
            argument.probe == probe.name and probe.provider == (
                argument.provider or draft.provider))

    def _no_argument(self, source, argument, probes):
        known = {arg.name for probe in probes for arg in probe.args}
        self.error("SPAN_ARGUMENT", source, argument.word,
                   "%s no argument '%s'" % (
                       "probe '%s' has" % probes[0].name
                       if len(probes) == 1 else "the probes of the span have",
                       argument.name),
                   self.diag.similar(argument.name, known))

    def _key(self, draft, source, value):
        """Returns a dict for each argument of the key: see _choices()."""
        if value.text == THREAD:
            return ()
        for word in span_text.split(source, value):
            if word.text == THREAD:
                raise Malformed(word, "'%s' is the thread and cannot stand "
                                "beside other keys" % THREAD, "write key=%s, "
                                "or PROBE.%s if an argument is meant" % (
                                    THREAD, THREAD))
        keys, before = [], self.diag.count()
        for word, found in self._choices(draft, source, value, "key", ROLES):
            if self.diag.count() == before:
                self._check_keys(draft, source, word, found)
            keys.append(found)
        return tuple(keys)

    def _check_keys(self, draft, source, word, found):
        """Checks that all probes have an argument for a key, and that these
        can be compared."""
        first = None
        for _, probe in draft.probes:
            if id(probe) not in found:
                self.error("SPAN_ARGUMENT", source, word, "probe '%s' has no "
                           "argument '%s' for the key" % (probe.name,
                                                          word.text),
                           "if the probe has another name for it, write "
                           "%s/%s.ARG" % (word.text, probe.name))
                return
            arg = probe.args[found[id(probe)]]
            width = arg.type.compared_as
            if width is None:
                self._wrong_type(source, word, probe, arg, "a key",
                                 "an integer or an address")
                return
            if first is not None and width != first[0]:
                self.error("SPAN_TYPE", source, word, "the key is '%s' in "
                           "'%s' and '%s' in '%s'" % (
                               first[1].written, first[2].name, arg.written,
                               probe.name),
                           "declare both with the same type")
            first = first or (width, arg, probe)

    def _wrong_type(self, source, word, probe, arg, what, needed):
        self.error("SPAN_TYPE", source, word, "'%s' of '%s' cannot be %s" % (
           arg.written, probe.name, what), "use " + needed)

    def _name(self, draft, source, value):
        return self._outer(draft, source, value, "name", (
            "the name of a span", "an integer, an address or a string",
            lambda arg: not arg.record and not arg.type.is_floating))

    def _sum(self, draft, source, value):
        return self._outer(draft, source, value, "sum", (
            "added up", "an integer", _is_integer))

    def _outer(self, draft, source, value, name, rule, roles=ROLES[:2]):
        what, needed, is_fit = rule
        values = []
        for word, found in self._choices(draft, source, value, name, roles):
            for _, probe in draft.probes:
                if id(probe) in found:
                    arg = probe.args[found[id(probe)]]
                    if not is_fit(arg):
                        self._wrong_type(source, word, probe, arg, what,
                                         needed)
                        break
            values.append(found)
        return tuple(values)

    def _error_argument(self, draft, source, value):
        """Returns the dict of the argument that tells of an error."""
        word = value
        if value.text.endswith(_NEGATIVE):
            at = source.text.rindex("<", value.start, value.end)
            word = span_text.Word(value.text[:-len(_NEGATIVE)], value.start,
                                  at)
            if "ok" in draft.values:
                self.error("BAD_SPAN", draft.sources["ok"],
                           draft.values["ok"], "'ok' has no use beside "
                           "error=%s" % value.text, "leave one of them out")
        return self._outer(draft, source, word, "error", (
            "an error", "an integer", _is_integer), ("end",))[0]

    def _oks(self, draft, source, value, found):
        """Returns (text, number) of each value that is no error."""
        args = [probe.args[found["error"][id(probe)]]
                for _, probe in draft.probes
                if found.get("error") and id(probe) in found["error"]]
        oks = []
        for word in span_text.split(source, value):
            text, number = self._number(draft, args, word)
            for arg in args:
                least, most = enums.limits(arg.type)
                if not least <= number <= most:
                    raise Malformed(word, "'%s' never has the value %s" % (
                        arg.written, text), None)
            oks.append((text, number))
        return tuple(oks)

    def _number(self, draft, args, word):
        """Returns (text, value) of a number or of an enumerator."""
        if _NUMBER.match(word.text):
            return word.text, int(word.text, 0)
        known = {name: number for arg in args if arg.enum
                 for (name, _), number in zip(arg.enum.values,
                                              arg.enum.numbers)}
        if known.get(word.text) is None:
            raise Malformed(
                word, "'%s' is neither a number nor a name of a value of the "
                "error" % word.text, self.diag.similar(word.text, known))
        return str(known[word.text]), known[word.text]


def _is_by_thread(draft):
    return "key" in draft.values and draft.values["key"].text == THREAD


def _is_integer(arg):
    return arg.kind in _INTEGERS
