# SPDX-License-Identifier: BSD-2-Clause
"""Reads the `#pragma` lines of a description.

    #pragma D attributes Evolving/Evolving/Common provider smb2 provider
    #pragma D depends_on provider sched
    #pragma D option quiet
    #pragma sdtkit alias smb2 smb
    #pragma sdtkit names smb2_command opcode
    #pragma sdtkit single_site request_start
    #pragma sdtkit group request request_start request_end
    #pragma sdtkit nowarn bpftrace-args
    #pragma sdtkit span request start=request_start end=request_end key=req

The stabilities that D's pragmas state are checked and kept for D scripts. For
a drop-in header they are ignored, like every line that begins with '#'.
"""

import re
from collections import namedtuple

from . import names
from .diag import WARNINGS

STABILITIES = frozenset("""
    Internal Private Obsolete External Unstable Evolving Stable Standard
""".split())
CLASSES = frozenset("Unknown CPU Platform Group ISA Common".split())
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")

PARTS = frozenset("provider module function name args".split())

# aliases: provider -> second name; attributes: provider -> {part: stability}
# singles: names of probes with a single site; names: list of (tree,
# tree.Pragma), of `#pragma sdtkit names ENUM ARGUMENT...`; spans, groups:
# likewise, of `#pragma sdtkit span ...` and `#pragma sdtkit group ...`;
# is_free: see below
Pragmas = namedtuple("Pragmas", "aliases attributes singles names spans groups "
                     "is_free")


def collect(trees, diag, strict, aliases):
    """Returns the Pragmas of all trees and of ``aliases`` from the command
    line.

    After a syntax error, probes and providers are missing because they could
    not be read, so nothing is reported, and spans, groups and names of enums
    are left out.
    """
    collector = _Collector(trees, diag, strict)
    for tree in trees:
        for pragma in tree.pragmas:
            collector.take(tree, pragma)
    for provider, alias in aliases:
        collector.option(provider, alias)
    found = Pragmas(collector.aliases, collector.attributes, collector.singles,
                    collector.names, collector.spans, collector.groups,
                    collector.is_free)
    return found if collector.is_whole else found._replace(
        names=[], spans=[], groups=[])


class _Collector:
    def __init__(self, trees, diag, strict):
        self.diag = diag
        self.is_whole = not diag
        self.strict = strict
        self.aliases = {}
        self.attributes = {}
        self.singles = set()
        self.names = []
        self.spans = []
        self.groups = []
        self.probes = {probe.name for tree in trees
                       for node in tree.providers for probe in node.probes}
        self.providers = {node.name: (tree, node) for tree in trees
                          for node in tree.providers}

    def take(self, tree, pragma):
        words = pragma.words
        if words[:1] == ["sdtkit"]:
            self._sdtkit(tree, pragma)
        elif words[:1] == ["D"] and self.strict:
            self._dtrace(tree, pragma)

    def _error(self, code, tree, pragma, text, hint=None):
        if self.is_whole:
            self.diag.error(code, tree.source, pragma.start, pragma.end,
                            text, hint)

    def _sdtkit(self, tree, pragma):
        words = pragma.words
        if words[1:2] == ["nowarn"] and len(words) > 2:
            self._nowarn(tree, pragma)
        elif words[1:2] == ["single_site"] and len(words) > 2:
            self._single_site(tree, pragma)
        elif words[1:2] == ["names"] and len(words) > 3:
            self.names += [(tree, pragma)] if self.strict else []
        elif words[1:2] == ["span"]:
            self.spans += [(tree, pragma)] if self.strict else []
        elif words[1:2] == ["group"] and len(words) > 3:
            self.groups.append((tree, pragma))
        elif words[1:2] != ["alias"] or len(words) != 4:
            self._error("BAD_PRAGMA", tree, pragma,
                        "this '#pragma sdtkit' is unknown or incomplete",
                        "write '#pragma sdtkit alias PROVIDER SECOND_NAME', "
                        "'#pragma sdtkit names ENUM ARGUMENT', '#pragma "
                        "sdtkit group NAME PROBE', '#pragma sdtkit "
                        "single_site PROBE', '#pragma sdtkit span NAME "
                        "PROPERTY=VALUE' or '#pragma sdtkit nowarn WARNING'")
        elif words[2] not in self.providers:
            self._error("UNKNOWN_PROVIDER", tree, pragma,
                        "provider '%s' is not declared" % words[2],
                        self.diag.similar(words[2], self.providers))
        else:
            self._alias(words[2], words[3], lambda code, text: self._error(
                code, tree, pragma, text))

    def _nowarn(self, tree, pragma):
        for name in pragma.words[2:]:
            if name in WARNINGS:
                self.diag.silence(tree.source, name)
            else:
                self._error("BAD_PRAGMA", tree, pragma,
                            "unknown warning '%s'" % name,
                            self.diag.similar(name, WARNINGS)
                            or "use one of " + ", ".join(sorted(WARNINGS)))

    def _single_site(self, tree, pragma):
        for name in pragma.words[2:]:
            if name in self.probes:
                self.singles.add(name)
            else:
                self._error("BAD_PRAGMA", tree, pragma,
                            "probe '%s' is not declared" % name,
                            self.diag.similar(name, self.probes))

    def option(self, provider, alias):
        """Takes an option --alias PROVIDER=SECOND_NAME."""
        def error(code, text, hint=None):
            if self.is_whole:
                self.diag.file_error(
                    code, "--alias %s=%s" % (provider, alias), text, hint)
        if provider not in self.providers:
            error("UNKNOWN_PROVIDER", "provider '%s' is not declared"
                  % provider, self.diag.similar(provider, self.providers))
        else:
            self._alias(provider, alias, error)

    def is_free(self, name):
        """Returns whether a new provider can have this name."""
        return _can_be(name) and name not in self.providers and (
            name not in self.aliases.values())

    def _alias(self, provider, alias, error):
        if not _can_be(alias):
            error("BAD_ALIAS", "'%s' cannot be the name of a provider"
                  % alias)
        elif not self.is_free(alias):
            error("BAD_ALIAS", "another provider is called '%s' already"
                  % alias)
        else:
            self.aliases[provider] = alias

    def _dtrace(self, tree, pragma):
        words = pragma.words
        if words[1:2] == ["attributes"]:
            self._attributes(tree, pragma)
        elif words[1:2] not in (["depends_on"], ["option"], ["binding"],
                                ["error"], ["line"]):
            self._error("BAD_PRAGMA", tree, pragma,
                        "this '#pragma D' is unknown", "D has attributes, "
                        "binding, depends_on, error, line and option")

    def _attributes(self, tree, pragma):
        words = pragma.words[2:]
        stability = words[0].split("/") if words else []
        if (len(stability) != 3 or not STABILITIES.issuperset(stability[:2])
                or stability[2] not in CLASSES):
            self._error("BAD_PRAGMA", tree, pragma,
                        "a stability has the form NAMES/DATA/CLASS",
                        "use for NAMES and DATA: %s; for CLASS: %s" % (
                            ", ".join(sorted(STABILITIES)),
                            ", ".join(sorted(CLASSES))))
        elif words[1:2] != ["provider"]:
            return      # it is about a type or a function
        elif len(words) != 4 or words[3] not in PARTS:
            self._error("BAD_PRAGMA", tree, pragma,
                        "this pragma does not name a part of a provider",
                        "write '#pragma D attributes STABILITY provider NAME "
                        "%s'" % "|".join(sorted(PARTS)))
        else:
            self._provider_attributes(tree, pragma, words)

    def _provider_attributes(self, tree, pragma, words):
        other = self.providers.get(words[2])
        if other is None or (other[0] is tree
                             and other[1].start > pragma.start):
            self._error("UNKNOWN_PROVIDER", tree, pragma,
                        "provider '%s' is not declared above this line"
                        % words[2], "write the pragma below the provider")
        else:
            self.attributes.setdefault(words[2], {})[words[3]] = words[0]


def _can_be(name):
    """Returns whether D allows this name for a provider."""
    return _NAME.match(name) is not None and (
        len(name) <= names.NAME_LIMIT and name not in names.D_WORDS
        and name not in names.D_PROVIDERS)
