# SPDX-License-Identifier: BSD-2-Clause
"""Makes a model of trees: looks types up, derives names, checks rules.

Every rule is a small method _check_*() that adds to the diagnostics. There is
always a model, but it must be used only if no error was reported. Several
files make one model, as if they were one file.
"""

from collections import Counter

from . import (arguments, enums, groups, model, names, pragmas,
               spans)
from .diag import first_is
from .translators import translated

ARGUMENT_LIMIT = 12     # libbpf, gdb and SystemTap read that many
BPFTRACE_LIMIT = 6
DTRACE_LIMIT = 10


def resolve(trees, diag, name, strict=True, aliases=(), marshals=True):
    """Returns the model of ``trees``.

    name: the name of the description, which outputs quote
    strict: refuse what only the C program or the C preprocessor may know:
      types that are neither in the table nor declared, directives, a file
      without a provider. The outputs for existing `dtrace` builds are not
      strict.
    aliases: pairs (provider, second name) from the command line, beside those
      of `#pragma sdtkit alias`
    marshals: whether the output can call the functions of sdtkit/arg.h
    """
    return _Resolver(trees, diag, strict, aliases, marshals).model(name)


class _Resolver:
    def __init__(self, trees, diag, strict, aliases, marshals):
        self.trees = trees
        self.diag = diag
        self.strict = strict
        self.pragmas = pragmas.collect(trees, diag, strict, aliases)
        self.enums = enums.Enums(trees, diag, self.pragmas.names)
        self.groups = groups.Groups(trees, self.pragmas.groups,
                                    self.pragmas.aliases, diag)
        self.arguments = arguments.Arguments(diag, strict, marshals,
                                             self.enums)
        self.translated = translated.TranslatedArguments(
            trees, self.arguments, diag)

    def model(self, name):
        self._check_any_provider()
        self._check_duplicate_providers()
        self._check_macros()
        providers, declarations, translators, inlines = [], [], [], []
        for tree in self.trees:
            self._check_comments(tree)
            self._check_directives(tree)
            self._check_structs(tree)
            translators += [self.translator(tree, t) for t in tree.translators]
            providers += [self.provider(tree, p) for p in tree.providers]
            declarations += self.declarations(tree)
            inlines += [model.Inline(
                i.param.name, self.arguments.declared(tree, i.param),
                i.value.text, i.param.type.words[0] == "struct")
                        for i in tree.inlines]
        self.enums.check_used()
        providers = spans.resolve(self.trees, self.diag, self.pragmas.spans,
                                  providers)
        return model.Model(name, providers, sorted(self.arguments.headers),
                           self.arguments.tags, self.translated.records.found,
                           declarations, translators, inlines)

    def provider(self, tree, node):
        self._check_name(tree, node, "provider")
        self._check_provider_name(tree, node)
        self._check_unique(
            tree, node.probes, "DUPLICATE_PROBE",
            "probe '%s' is declared twice in provider '{}'".format(node.name))
        alias = self.pragmas.aliases.get(node.name)
        probes = [self.probe(tree, node, probe, alias)
                  for probe in node.probes]
        return model.Provider(node.name, node.doc, probes, alias,
                              self.pragmas.attributes.get(node.name, {}), [],
                              self.groups.of_provider(node.name))

    def probe(self, tree, provider, node, alias):
        self._check_name(tree, node, "probe")
        self._check_perf_name(tree, node)
        is_translated = self.strict and node.translated is not None
        shown = node.translated if is_translated else node.params
        self._check_argument_count(tree, provider, node, shown)
        self._check_duplicate_arguments(tree, node.params)
        taken = {param.name for param in node.params}
        inputs = [self.arguments.resolve(tree, param, i, taken)
                  for i, param in enumerate(node.params)]
        args, passed = inputs, None
        if is_translated:
            args, passed = self.translated.resolve(tree, node, inputs)
        self._check_parameters(tree, provider, node, args)
        spelled = (provider.name, node.name)
        return model.Probe(
            provider=provider.name, name=node.name, doc=node.doc, args=args,
            inputs=inputs, passed=passed, macro=names.macro(*spelled),
            enabled=names.enabled(*spelled),
            function=names.function(*spelled),
            semaphore=names.semaphore(*spelled), alias=alias,
            alias_semaphore=names.semaphore(alias, node.name)
            if alias else None,
            single=node.name in self.pragmas.singles,
            group=self.groups.of_probe(*spelled))

    def translator(self, tree, node):
        return model.Translator(
            " ".join(filter(None, node.output.words)),
            self.arguments.declared(tree, node.input), node.input.name,
            [(member.name, member.value.text) for member in node.members])

    def declarations(self, tree):
        """Returns the structs, enums and typedefs of a file, in their order.
        """
        names_of = tree.names_by_end()
        taken = {node.tag for node in tree.structs}
        tags, found = {}, []
        for node in tree.structs:
            name = node.tag or names_of.get(node.end)
            tags[node.end] = node.tag or name and names.tag(name, taken)
            found.append((node.end, 0, model.Struct(
                node.kind, name, tags[node.end],
                [model.Member(m.name, self.arguments.declared(tree, m), m.bits,
                              m.doc, self._ctype(tree, m, {}))
                 for m in node.members], node.doc)))
        found += [(node.end, 0, self.enums.model(node))
                  for node in tree.enums]
        found += [(param.end, 1, model.Typedef(
            name, self.arguments.declared(tree, param),
            self._ctype(tree, param, tags)))
            for name, param in tree.typedefs.items()]
        return [each for _, _, each in sorted(
            found, key=lambda entry: entry[:2])]

    def _ctype(self, tree, param, tags):
        """Returns the model.Ctype of a declaration. ``tags``: end of a type
        with a body -> what it is called."""
        words = [word.strip("_") if word == "__signed__" else word
                 for word in param.type.words]
        if param.type.body and words[1] is None:
            words = [words[0], tags.get(param.type.end)]
        return model.Ctype(words, param.derived,
                           self.arguments.sizes(tree, param))

    # ---------------------------------------------------------------- checks

    def _error(self, tree, code, node, text, hint=None):
        self.diag.error(code, tree.source, node.start, node.end, text, hint)

    def _warn(self, tree, name, node, text, hint=None):
        self.diag.warn(name, tree.source, node.start, node.end, text, hint)

    def _check_any_provider(self):
        if self.strict and not self.diag and not any(
                tree.providers for tree in self.trees):
            source = self.trees[-1].source
            end = len(source.text)
            self.diag.error("NO_PROVIDER", source, end, end,
                            "the description declares no provider",
                            "declare one: provider NAME { probe NAME(TYPE "
                            "NAME); };")

    def _check_comments(self, tree):
        """Reports a comment that contains the beginning of another one: it was
        probably not closed, and everything between the two is lost. DTrace
        refuses it too; a drop-in header reports it only beside another error.
        """
        may_be = tree.source.preprocessed or not self.strict
        for start, inner in tree.tokens.nested:
            if may_be and not self.diag:
                return
            self.diag.error("OPEN_COMMENT", tree.source, start, start + 2,
                            "another comment begins inside this one, in line "
                            "%d" % tree.source.position(inner)[1],
                            "close this comment with */ before the other one "
                            "begins")

    def _check_directives(self, tree):
        """Reports the first directive of the C preprocessor: they must not be
        ignored.
        """
        text = tree.source.text
        for start, end in tree.directives if self.strict else ():
            words = text[start + 1:end].split(None, 1)
            if words and not words[0].isdigit() and words[0] in (
                    "include", "define", "undef", "if", "ifdef", "ifndef",
                    "elif", "else", "endif"):
                self.diag.error("NEEDS_CPP", tree.source, start, end,
                                "'#%s' needs the C preprocessor" % words[0],
                                "use the option -C" if tree.providers else
                                "is this a description? It has no provider; "
                                "if it includes one, use the option -C")
                return

    def _check_structs(self, tree):
        first = {}
        for node in tree.structs if self.strict else ():
            if node.tag:
                self._check_first(first, "%s %s" % (node.kind, node.tag),
                                  (tree.source, node), "DUPLICATE_TYPE",
                                  "'%s' is declared twice")

    def _check_duplicate_providers(self):
        first = {}
        for tree in self.trees:
            for node in tree.providers:
                self._check_first(first, node.name, (tree.source, node),
                                  "DUPLICATE_PROVIDER",
                                  "provider '%s' is declared twice")

    def _check_first(self, first, name, position, code, text):
        source, node = position
        other_source, other = first.setdefault(name, position)
        if other is not node:
            self.diag.error(code, source, node.start, node.end, text % name,
                            first_is(other_source, other))

    def _check_unique(self, tree, nodes, code, text):
        first = {}
        for node in nodes:
            self._check_first(first, node.name, (tree.source, node), code,
                              text)

    def _check_duplicate_arguments(self, tree, params):
        found = [param.name for param in params if param.name]
        if not self.strict or len(set(found)) == len(found):
            return      # a drop-in header does not use the names
        tokens = tree.tokens
        self._check_unique(
            tree, [param._replace(start=tokens.starts[param.name_at],
                                  end=tokens.end(param.name_at))
                   for param in params if param.name],
            "DUPLICATE_ARGUMENT", "two arguments have the name '%s'")

    def _check_macros(self):
        """Reports names that differ but become the same in C: a__b and a_b;
        x_enabled and the guard of x."""
        first = {}
        for tree in self.trees:
            for provider in tree.providers:
                for probe in provider.probes:
                    self._check_macro(first, tree.source, provider, probe)
        self.groups.check_names(first)

    def _check_macro(self, first, source, provider, probe):
        self._check_standard(source, provider, probe)
        spelled = (provider.name, probe.name)
        position = (source, probe, spelled)
        for derive in (names.macro, names.enabled, names.function,
                       names.semaphore):
            name = derive(*spelled)
            other_source, other, other_spelled = first.setdefault(
                name, position)
            if other_spelled != spelled:
                self.diag.error(
                    "NAME_COLLISION", source, probe.start, probe.end,
                    "%s:%s and %s:%s would both be called %s in C" % (
                        other_spelled + spelled + (name,)),
                    "rename one of them; "
                    + first_is(other_source, other))
                return

    def _check_standard(self, source, provider, probe):
        macro = names.macro(provider.name, probe.name)
        if self.strict and names.is_standard(macro):
            self.diag.error("RESERVED_NAME", source, probe.start, probe.end,
                            "the probe's macro would redefine %s, a macro of "
                            "a standard header" % macro,
                            "choose another name for the probe")

    def _check_name(self, tree, node, what):
        if len(node.name) > names.NAME_LIMIT:
            self._error(tree, "NAME_TOO_LONG", node,
                        "the name of this %s has %d characters" % (
                            what, len(node.name)),
                        "use at most %d characters: perf and DTrace take no "
                        "longer names" % names.NAME_LIMIT)
        if self.strict and node.name in names.D_WORDS:
            self._error(tree, "RESERVED_NAME", node,
                        "'%s' is a reserved word of D" % node.name,
                        "choose another name for the %s" % what)

    def _check_provider_name(self, tree, node):
        if self.strict and node.name in names.D_PROVIDERS:
            self._error(tree, "RESERVED_NAME", node,
                        "DTrace itself has a provider '%s'" % node.name,
                        "choose another name for the provider")
        if node.name.lower() == "sdtkit" or (
                self.strict and node.name in names.OWN_FAMILIES):
            self._error(tree, "RESERVED_NAME", node,
                        "'%s' is a prefix of names that belong to sdtkit"
                        % node.name, "choose another name for the provider")
        if node.name[-1].isdigit() and node.name not in self.pragmas.aliases:
            self._warn(tree, "provider-digit", node,
                       "DTrace cannot use provider '%s': its name ends in "
                       "a digit" % node.name,
                       "add '#pragma sdtkit alias %s %s' to the description, "
                       "or '#pragma sdtkit nowarn provider-digit'" % (
                           node.name, self._alias(node)))

    def _alias(self, node):
        """Returns an alias for a provider, for a hint."""
        name = node.name.rstrip("0123456789_")
        return name if self.pragmas.is_free(name) else "NAME"

    def _check_perf_name(self, tree, node):
        if set(node.name) <= names.PERF_MODIFIERS:
            self._warn(tree, "perf-name", node,
                       "perf reads '%s' as modifiers of an event, not as its "
                       "name" % node.name, "use a longer name")

    def _check_argument_count(self, tree, provider, probe, params):
        """Checks how many arguments tracers read; ``params`` are those that
        they see."""
        what = "%s:%s has %d arguments" % (provider.name, probe.name,
                                           len(params))
        if len(params) > ARGUMENT_LIMIT:
            self._error(tree, "TOO_MANY_ARGUMENTS", params[ARGUMENT_LIMIT],
                        "%s, but tracers read at most %d" % (
                            what, ARGUMENT_LIMIT),
                        "pass the address of a struct, or use two probes")
            return
        for limit, name, reader in (
                (BPFTRACE_LIMIT, "bpftrace-args", "bpftrace before 0.24"),
                (DTRACE_LIMIT, "dtrace-args", "DTrace")):
            if len(params) > limit:
                self._warn(tree, name, params[limit],
                           "%s, but %s reads only %d" % (what, reader, limit),
                           "put the most important arguments first, or use "
                           "two probes")

    def _check_parameters(self, tree, provider, probe, args):
        """Checks the parameters of a macro, which may be more than the
        arguments: a marshaller may take two."""
        found = [p.identifier for arg in args for p in arg.parameters]
        twice = [name for name, times in Counter(found).items() if times > 1]
        if twice and len({arg.name for arg in args}) == len(args):
            self._error(tree, "DUPLICATE_ARGUMENT", probe,
                        "two arguments would both have a parameter '%s'"
                        % names.parameter(twice[0]),
                        "rename one of the two arguments")
            return
        if len(found) > ARGUMENT_LIMIT and any(
                arg.marshaller and arg.marshaller.is_out for arg in args):
            self._error(tree, "TOO_MANY_ARGUMENTS", probe,
                        "%s:%s takes %d parameters, but a site passes at most "
                        "%d" % (provider.name, probe.name, len(found),
                                ARGUMENT_LIMIT),
                        "use two probes; a marshaller may take two parameters")
