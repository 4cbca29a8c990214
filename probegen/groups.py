# SPDX-License-Identifier: BSD-2-Clause
"""Groups of probes that share a semaphore.

    #pragma sdtkit group request request_start request_end

SMB2_REQUEST_TRACED() then tells whether anybody traces request_start or
request_end. In C and in the notes the group's semaphore has the name that a
probe `request_traced` would have, so such a probe is a collision.
"""

import re

from . import model, names
from .diag import first_is

_NAME = re.compile(r"(?:([A-Za-z_]\w*):)?([A-Za-z_]\w*)\Z", re.A)


class Groups:
    """The groups of a description. pragmas: list of (tree, tree.Pragma)."""

    def __init__(self, trees, pragmas, aliases, diag):
        self.diag = diag
        self.aliases = aliases
        # provider -> names of its probes
        self.providers = {node.name: {probe.name for probe in node.probes}
                          for tree in trees for node in tree.providers}
        self.members = {}   # (provider, name of the group) -> names of probes
        self.groups = {}    # (provider, name of a probe) -> name of its group
        self.places = {}    # (provider, name of the group) -> (tree, pragma)
        for tree, pragma in pragmas:
            self._take(tree, pragma)

    def of_provider(self, provider):
        """Returns the model.Groups of a provider, in the order of the file."""
        return [self._model(*key) for key in self.members
                if key[0] == provider]

    def of_probe(self, provider, probe):
        """Returns the model.Group of a probe, or None."""
        group = self.groups.get((provider, probe))
        return group and self._model(provider, group)

    def check_names(self, first):
        """Reports names in C that are taken. ``first`` has those of probes:
        name -> (source, node, (provider, probe))."""
        for key, (tree, pragma) in self.places.items():
            group = self._model(*key)
            spelled = ("group " + key[0], key[1])
            position = (tree.source, pragma, spelled)
            for name in (group.macro, group.semaphore):
                source, node, other = first.setdefault(name, position)
                if node is not pragma:
                    self._error(
                        "NAME_COLLISION", tree, pragma,
                        "%s:%s and %s:%s would both be called %s in C" % (
                            spelled + other + (name,)),
                        "rename one of them; " + first_is(source, node))
                    break

    def _model(self, provider, name):
        spelled = (provider, names.group(name))
        alias = self.aliases.get(provider)
        return model.Group(
            provider, name, spelled[1], names.macro(*spelled),
            names.semaphore(*spelled),
            names.semaphore(alias, spelled[1]) if alias else None,
            self.members[provider, name])

    def _error(self, code, tree, pragma, text, hint=None):
        self.diag.error(code, tree.source, pragma.start, pragma.end, text,
                        hint)

    def _take(self, tree, pragma):
        provider, name = self._name(tree, pragma)
        if provider is None:
            return
        key = (provider, name)
        self.members.setdefault(key, [])
        self.places.setdefault(key, (tree, pragma))
        for probe in pragma.words[3:]:
            self._add(tree, pragma, key, probe)

    def _name(self, tree, pragma):
        """Returns (provider, name of the group), or (None, None)."""
        found = _NAME.match(pragma.words[2])
        if found is None:
            self._error("BAD_GROUP", tree, pragma,
                        "'%s' cannot be the name of a group" % pragma.words[2],
                        "write '#pragma sdtkit group NAME PROBE...'")
            return None, None
        provider, name = found.groups()
        if provider is None:
            own = [node.name for node in tree.providers] or list(
                self.providers)
            if len(own) == 1:
                return own[0], name
            self._error("BAD_GROUP", tree, pragma,
                        "it is not clear whose group '%s' is" % name,
                        "write the provider before it: PROVIDER:%s" % name)
        elif provider in self.providers:
            return provider, name
        else:
            self._error("UNKNOWN_PROVIDER", tree, pragma,
                        "provider '%s' is not declared" % provider,
                        self.diag.similar(provider, self.providers))
        return None, None

    def _add(self, tree, pragma, key, probe):
        known = self.providers[key[0]]
        other = self.groups.get((key[0], probe))
        if probe not in known:
            self._error("BAD_GROUP", tree, pragma,
                        "provider '%s' declares no probe '%s'" % (
                            key[0], probe), self.diag.similar(probe, known))
        elif other is not None:
            self._error("BAD_GROUP", tree, pragma,
                        "probe '%s' is in group '%s' already" % (probe, other),
                        "a probe can be in one group only, because it has one "
                        "semaphore")
        else:
            self.groups[key[0], probe] = key[1]
            self.members[key].append(probe)
