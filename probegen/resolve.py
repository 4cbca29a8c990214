# SPDX-License-Identifier: BSD-2-Clause
"""Trees to model: types are looked up, names derived, rules checked.

Every rule is a small _check_*() that appends to the diagnostics. A model comes
out in any case; it may only be used if no error was reported. Several files
make one model, as if one followed the other.
"""

from . import arguments, model, names, pragmas

ARGUMENT_LIMIT = 12     # of a note that libbpf, gdb and SystemTap read whole
BPFTRACE_LIMIT = 6
DTRACE_LIMIT = 10


def resolve(trees, diag, name, strict=True, aliases=()):
    """The model of ``trees``.

    name: of the description, for headers to quote. strict: refuse what a C
    program might still know: types that are neither in the table nor declared,
    directives without a preprocessor, no provider at all. aliases: pairs
    (provider, second name) beside those of `#pragma sdtkit alias`.
    """
    return _Resolver(trees, diag, strict, aliases).model(name)


class _Resolver:
    def __init__(self, trees, diag, strict, aliases):
        self.trees = trees
        self.diag = diag
        self.strict = strict
        self.arguments = arguments.Arguments(diag, strict)
        self.pragmas = pragmas.collect(trees, diag, strict, aliases)
        self.source = None      # of the tree that is being resolved

    def model(self, name):
        self._check_any_provider()
        self._check_duplicate_providers()
        self._check_macros()
        providers, structs, enums, translators, inlines = [], [], [], [], []
        for tree in self.trees:
            self._enter(tree)
            self._check_directives(tree)
            self._check_structs(tree)
            translators += [self.translator(t) for t in tree.translators]
            providers += [self.provider(tree, p) for p in tree.providers]
            structs += self.structs(tree)
            typedefs = _by_end(tree)
            enums += [model.Enum(e.tag or typedefs.get(e.end), e.values)
                      for e in tree.enums]
            inlines += [model.Inline(i.param.name, self.arguments.declared(
                i.param), i.value) for i in tree.inlines]
        return model.Model(name, providers, sorted(self.arguments.headers),
                           self.arguments.tags, structs, enums, translators,
                           inlines)

    def _enter(self, tree):
        self.source = tree.tokens.source
        self.arguments.enter(tree)

    def provider(self, tree, node):
        self._check_name(node, "provider")
        self._check_provider_name(node)
        self._check_unique(
            node.probes, "DUPLICATE_PROBE",
            "probe '%s' is declared twice in provider '{}'".format(node.name))
        alias = self.pragmas.aliases.get(node.name)
        probes = [self.probe(tree, node, probe, alias)
                  for probe in node.probes]
        return model.Provider(node.name, node.doc, probes, alias,
                              self.pragmas.attributes.get(node.name, {}))

    def probe(self, tree, provider, node, alias):
        self._check_name(node, "probe")
        self._check_perf_name(node)
        self._check_argument_count(provider, node)
        self._check_duplicate_arguments(node.params)
        taken = [param.name for param in node.params]
        args = [self.arguments.resolve(param, i, taken)
                for i, param in enumerate(node.params)]
        translated = None
        if node.translated is not None:
            self._check_duplicate_types(tree, node)
            translated = [self._translated(param, i)
                          for i, param in enumerate(node.translated)]
        spelled = (provider.name, node.name)
        return model.Probe(
            provider.name, node.name, node.doc, args, translated,
            names.macro(*spelled), names.enabled(*spelled),
            names.function(*spelled), names.semaphore(*spelled), alias,
            names.semaphore(alias, node.name) if alias else None)

    def _translated(self, param, index):
        name = names.argument(param.name, index)
        return model.Arg(name, names.identifier(name),
                         self.arguments.declared(param),
                         self.arguments.spell(param, name), None, None,
                         param.doc)

    def translator(self, node):
        return model.Translator(
            " ".join(filter(None, node.output.words)),
            self.arguments.declared(node.input), node.input.name, node.members)

    def structs(self, tree):
        typedefs = _by_end(tree)
        return [model.Struct(
            node.kind, node.tag or typedefs.get(node.end),
            [model.Member(m.name, self.arguments.declared(m), m.bits, m.doc)
             for m in node.members], node.doc) for node in tree.structs]

    # ---------------------------------------------------------------- checks

    def _check_any_provider(self):
        if self.strict and not self.diag and not any(
                tree.providers for tree in self.trees):
            source = self.trees[-1].tokens.source
            end = len(source.text)
            self.diag.error("NO_PROVIDER", source, end, end,
                            "no provider is declared here",
                            "provider NAME { probe NAME(TYPE NAME); };")

    def _check_directives(self, tree):
        """What only the C preprocessor obeys must not be passed over."""
        text = self.source.text
        for start, end in tree.directives if self.strict else ():
            words = text[start + 1:end].split(None, 1)
            if words and not words[0].isdigit() and words[0] in (
                    "include", "define", "undef", "if", "ifdef", "ifndef",
                    "elif", "else", "endif"):
                self.diag.error("NEEDS_CPP", self.source, start, end,
                                "#%s without the C preprocessor" % words[0],
                                "run it with -C")

    def _check_structs(self, tree):
        first = {}
        for node in tree.structs if self.strict else ():
            if node.tag:
                self._check_first(first, "%s %s" % (node.kind, node.tag),
                                  (self.source, node), "DUPLICATE_TYPE",
                                  "'%s' is declared twice")

    def _check_duplicate_providers(self):
        first = {}
        for tree in self.trees:
            for node in tree.providers:
                self._check_first(first, node.name, (tree.tokens.source, node),
                                  "DUPLICATE_PROVIDER",
                                  "provider '%s' is declared twice")

    def _check_first(self, first, name, place, code, text):
        source, node = place
        other_source, other = first.setdefault(name, place)
        if other is not node:
            self.diag.error(code, source, node.start, node.end, text % name,
                            _first_is(other_source, other))

    def _check_unique(self, nodes, code, text):
        first = {}
        for node in nodes:
            self._check_first(first, node.name, (self.source, node), code,
                              text)

    def _check_duplicate_arguments(self, params):
        found = [param.name for param in params if param.name]
        if len(set(found)) == len(found):
            return
        tokens = self.arguments.tokens
        self._check_unique(
            [param._replace(start=tokens.starts[param.name_at],
                            end=tokens.end(param.name_at))
             for param in params if param.name],
            "DUPLICATE_ARGUMENT", "two arguments are called '%s'")

    def _check_macros(self):
        """Names that differ may still make the same: a__b and a_b; x_enabled
        and the check of x."""
        first = {}
        for tree in self.trees:
            for provider in tree.providers:
                for probe in provider.probes:
                    self._check_macro(first, tree.tokens.source, provider,
                                      probe)

    def _check_macro(self, first, source, provider, probe):
        spelled = (provider.name, probe.name)
        place = (source, probe, spelled)
        for derive in (names.macro, names.enabled, names.function,
                       names.enabled_function, names.semaphore):
            name = derive(*spelled)
            other_source, other, other_spelled = first.setdefault(name, place)
            if other_spelled != spelled:
                self.diag.error(
                    "NAME_COLLISION", source, probe.start, probe.end,
                    "%s:%s and %s:%s both make %s" % (
                        other_spelled + spelled + (name,)),
                    _first_is(other_source, other) + "; rename one of them")
                return

    def _check_name(self, node, what):
        if len(node.name) > names.NAME_LIMIT:
            self.diag.error(
                "NAME_TOO_LONG", self.source, node.start, node.end,
                "a %s's name of %d characters" % (what, len(node.name)),
                "perf and DTrace take at most %d" % names.NAME_LIMIT)
        if self.strict and node.name in names.D_WORDS:
            self.diag.error("RESERVED_NAME", self.source, node.start, node.end,
                            "'%s' is a word of D" % node.name,
                            "call the %s otherwise" % what)

    def _check_provider_name(self, node):
        if self.strict and node.name in names.D_PROVIDERS:
            self.diag.error("RESERVED_NAME", self.source, node.start, node.end,
                            "every DTrace has a provider '%s'" % node.name,
                            "call the provider otherwise")
        if node.name.lower() == "sdtkit":
            self.diag.error("RESERVED_NAME", self.source, node.start, node.end,
                            "'sdtkit' begins the names of sdtkit itself",
                            "call the provider otherwise")
        if node.name[-1].isdigit() and node.name not in self.pragmas.aliases:
            self.diag.warn("provider-digit", self.source, node.start, node.end,
                           "DTrace cannot use provider '%s': its name ends in "
                           "a digit" % node.name,
                           "#pragma sdtkit alias %s %s" % (
                               node.name, node.name.rstrip("0123456789_")))

    def _check_perf_name(self, node):
        if set(node.name) <= names.PERF_MODIFIERS:
            self.diag.warn("perf-name", self.source, node.start, node.end,
                           "perf takes '%s' for modifiers of an event"
                           % node.name, "use a longer name")

    def _check_argument_count(self, provider, probe):
        params = probe.params
        what = "%s:%s has %d arguments" % (provider.name, probe.name,
                                           len(params))
        if len(params) > ARGUMENT_LIMIT:
            extra = params[ARGUMENT_LIMIT]
            self.diag.error("TOO_MANY_ARGUMENTS", self.source, extra.start,
                            extra.end, "%s, tracers read at most %d" % (
                                what, ARGUMENT_LIMIT),
                            "pass the address of a struct, or use two probes")
            return
        for limit, name, reader in (
                (BPFTRACE_LIMIT, "bpftrace-args", "bpftrace before 0.24"),
                (DTRACE_LIMIT, "dtrace-args", "DTrace")):
            if len(params) > limit:
                self.diag.warn(name, self.source, params[limit].start,
                               params[limit].end, "%s, %s reads %d" % (
                                   what, reader, limit))

    def _check_duplicate_types(self, tree, probe):
        """`: (type name, ...)`: each of these is an argument of the probe, of
        the same type or of one that a translator makes of it."""
        declared = {param.name: param for param in probe.params if param.name}
        outputs = {" ".join(filter(None, t.output.words))
                   for other in self.trees for t in other.translators}
        for param in probe.translated if self.strict else ():
            words = " ".join(filter(None, param.type.words))
            if param.name is None:
                continue
            if param.name not in declared:
                self.diag.error("UNKNOWN_ARGUMENT", self.source, param.start,
                                param.end, "the probe has no argument '%s'"
                                % param.name)
            elif (words not in outputs and self._is_struct(tree, words)
                  and words != " ".join(filter(
                      None, declared[param.name].type.words))):
                self.diag.error("NO_TRANSLATOR", self.source, param.start,
                                param.end, "nothing makes a '%s' of '%s'" % (
                                    words, param.name),
                                "translator %s < TYPE NAME > { ... };" % words)

    def _is_struct(self, tree, words):
        param = tree.typedefs.get(words)
        return words.startswith(("struct ", "union ")) or (
            param is not None and param.type.words[0] in ("struct", "union"))


def _first_is(source, node):
    name, line, _ = source.position(node.start)
    return "the first is in line %d of %s" % (line, name)


def _by_end(tree):
    """Where a typedef's type ends -> its name; for structs and enums that have
    no name but that."""
    return {param.type.end: name for name, param in tree.typedefs.items()
            if param.type.body}
