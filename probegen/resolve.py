# SPDX-License-Identifier: BSD-2-Clause
"""Tree to model: types are looked up, names derived, rules checked.

Every rule is a small check_*() that appends to the diagnostics. A model comes
out in any case; it may only be used if nothing was reported.
"""

from . import ctypes_table, model, names

ARGUMENT_LIMIT = 12     # of a note that libbpf, gdb and SystemTap read whole


def resolve(tree, diag, name, known_types_only=True):
    """The model of ``tree``.

    name: of the description, for headers to quote. known_types_only: refuse
    types that are not in the table; drop-in headers leave them to the program.
    """
    return _Resolver(tree, diag, known_types_only).model(name)


class _Resolver:
    def __init__(self, tree, diag, known_types_only):
        self.tree = tree
        self.source = tree.source
        self.diag = diag
        self.known_types_only = known_types_only
        self.headers = set()
        self.tags = []

    def model(self, name):
        self.check_any_provider()
        self.check_duplicate_providers()
        self.check_macros()
        providers = [self.provider(node) for node in self.tree.providers]
        return model.Model(name, providers, sorted(self.headers), self.tags)

    def provider(self, node):
        self.check_length(node, "provider")
        self.check_duplicate_probes(node)
        probes = [self.probe(node, probe) for probe in node.probes]
        return model.Provider(node.name, node.doc, probes)

    def probe(self, provider, node):
        self.check_length(node, "probe")
        self.check_argument_count(provider, node)
        self.check_duplicate_arguments(node)
        args = [self.arg(param, i) for i, param in enumerate(node.params)]
        spelled = (provider.name, node.name)
        return model.Probe(provider.name, node.name, node.doc, args,
                           names.macro(*spelled), names.enabled(*spelled),
                           names.function(*spelled), names.semaphore(*spelled))

    def arg(self, param, index):
        row = ctypes_table.lookup(param.words)
        if param.pointers or param.words == ["string"]:
            spelling, kind = self.pointer(param, row)
        elif row:
            spelling, kind = row.spelling, row.kind
            self.headers.update(filter(None, [row.header]))
        else:
            self.check_type(param)
            spelling, kind = " ".join(param.words), ctypes_table.OPAQUE
        name = names.argument(param.name, index)
        return model.Arg(name, names.identifier(name), declared(param),
                         spelling, kind, param.doc)

    def pointer(self, param, row):
        """A pointer's parameter takes pointers to const objects too: a probe
        only looks."""
        words, pointers = " ".join(param.words), list(param.pointers)
        if param.words == ["string"]:
            words, pointers = "char", pointers + [()]
        elif param.words[0] in ("struct", "union"):
            if words not in self.tags:
                self.tags.append(words)
        elif row:
            words = row.spelling
            self.headers.update(filter(None, [row.header]))
        elif not ctypes_table.is_no_scalar(param.words):
            self.check_type(param)
        return _look_only(param.qualifiers, words, len(pointers)), (
            ctypes_table.POINTER)

    # ---------------------------------------------------------------- checks

    def check_any_provider(self):
        if not self.tree.providers and not self.diag:
            end = len(self.source.text)
            self.diag.error("NO_PROVIDER", self.source, end, end,
                            "no provider is declared here",
                            "provider NAME { probe NAME(TYPE NAME); };")

    def check_duplicate_providers(self):
        self._check_unique(self.tree.providers, "DUPLICATE_PROVIDER",
                           "provider '%s' is declared twice")

    def check_duplicate_probes(self, provider):
        self._check_unique(
            provider.probes, "DUPLICATE_PROBE",
            "probe '%s' is declared twice in provider '{}'".format(
                provider.name))

    def check_duplicate_arguments(self, probe):
        named = [param._replace(start=param.name_start,
                                end=param.name_start + len(param.name))
                 for param in probe.params if param.name]
        self._check_unique(named, "DUPLICATE_ARGUMENT",
                           "two arguments are called '%s'")

    def _check_unique(self, nodes, code, text):
        first = {}
        for node in nodes:
            other = first.setdefault(node.name, node)
            if other is not node:
                self.diag.error(code, self.source, node.start, node.end,
                                text % node.name, self._first_is(other))

    def _first_is(self, node):
        return "the first is in line %d" % self.source.line_number(node.start)

    def check_macros(self):
        """Names that differ may still make the same macro: a__b and a_b."""
        first = {}
        for provider in self.tree.providers:
            for probe in provider.probes:
                self._check_macro(first, provider, probe)

    def _check_macro(self, first, provider, probe):
        macro = names.macro(provider.name, probe.name)
        spelled = (provider.name, probe.name)
        other, other_spelled = first.setdefault(macro, (probe, spelled))
        if other_spelled != spelled:
            self.diag.error(
                "NAME_COLLISION", self.source, probe.start, probe.end,
                "%s:%s and %s:%s both become %s" % (
                    other_spelled + spelled + (macro,)),
                self._first_is(other) + "; rename one of them")

    def check_length(self, node, what):
        if len(node.name) > names.NAME_LIMIT:
            self.diag.error(
                "NAME_TOO_LONG", self.source, node.start, node.end,
                "a %s's name of %d characters" % (what, len(node.name)),
                "perf and DTrace take at most %d" % names.NAME_LIMIT)

    def check_argument_count(self, provider, probe):
        if len(probe.params) > ARGUMENT_LIMIT:
            extra = probe.params[ARGUMENT_LIMIT]
            self.diag.error(
                "TOO_MANY_ARGUMENTS", self.source, extra.start, extra.end,
                "%s:%s has %d arguments, tracers read at most %d" % (
                    provider.name, probe.name, len(probe.params),
                    ARGUMENT_LIMIT),
                "pass the address of a struct, or use two probes")

    def check_type(self, param):
        if not self.known_types_only:
            return
        spelling = " ".join(param.words)
        if ctypes_table.is_no_scalar(param.words):
            self.diag.error("NOT_A_SCALAR", self.source, param.start,
                            param.type_end, "'%s' by value cannot be an argument"
                            % spelling, _SCALAR_HINTS.get(
                                param.words[0], "pass a pointer to it"))
        else:
            self.diag.error("UNKNOWN_TYPE", self.source, param.start,
                            param.type_end, "unknown type '%s'" % spelling,
                            "use a C integer type, 'void *' or 'struct x *'")


_SCALAR_HINTS = {
    "enum": "declare it as int",
    "float": "pass its bits, or a scaled value, as an integer",
    "double": "pass its bits, or a scaled value, as an integer",
    "long": "pass its bits, or a scaled value, as an integer",
    "void": "an argument-less probe is written NAME()",
}


def _look_only(qualifiers, words, depth):
    """`char *` -> `const char *`, `char **` -> `char *const *`: the types to
    which C and C++ convert a pointer and a pointer to const alike."""
    kept = [q for q in ("const", "volatile") if q in qualifiers]
    if depth == 1:
        kept = ["const"] + [q for q in kept if q != "const"]
        return " ".join(kept + [words, "*"])
    return " ".join(kept + [words, "*" * (depth - 1) + "const *"])


def declared(param):
    """The type of a parameter as the description spells it."""
    text = " ".join(param.qualifiers + param.words)
    for index, qualifiers in enumerate(param.pointers):
        text += " *" if index == 0 else "*"
        if qualifiers:
            text += " ".join(qualifiers) + (
                " " if index + 1 < len(param.pointers) else "")
    return text
