# SPDX-License-Identifier: BSD-2-Clause
"""Probes that show tracers something else than the program passes.

    probe done(struct req *req, int error) : (info_t *req, int error);

`(struct req *req, int error)` are the inputs, which the macro takes. What the
site carries stands behind the colon: an input, found by its name, in any order
and as often as one likes; or a record that a translator fills from one.

    translator info_t < struct req *R > { mid = R->mid; ... };

The macro puts the inputs into the struct `sdtkit_in`. The site carries
`sdtkit_in.sdtkit_error`, say, or the address of a record that the macro has
filled as the translator says, R being `sdtkit_in.sdtkit_req`. So the private
struct has to be known only where the probe is called.
"""

import re

from .. import argtype, ctypes_table, model, names
from . import expressions, records, translation

NATIVE = "sdtkit_in"
_NAMES = re.compile(r"\b[A-Za-z_]")


class Mapping:
    """Resolves the arguments behind the colon."""

    def __init__(self, trees, arguments, diag):
        self.arguments = arguments
        self.diag = diag
        self.records = records.Records(arguments, self.number, diag)
        self.trees = trees
        self.translators = None     # (output, input) -> (tree, Translator)
        self.constants = {inline.param.name: (tree, inline) for tree in trees
                          for inline in tree.inlines}
        self.enumerators = {name: text for tree in trees for e in tree.enums
                            for name, text in _counted(e.values)}

    def resolve(self, tree, node, inputs):
        """(args, passed) of a tree.Probe, see model.Probe."""
        args, passed = [], []
        for index, param in enumerate(node.translated):
            source = self._source(tree, node, index)
            if source is None:
                continue
            param = _unlike(param, [arg.name for arg in args])
            translator = self._translator(tree, param, node.params[source])
            if translator:
                arg, texts = self._record(tree, param, index, inputs[source],
                                          *translator)
            else:
                arg, texts = self._input(tree, param, index, inputs[source],
                                         node.params[source])
            args.append(arg)
            passed += texts
        return args, passed

    def number(self, text):
        """The value of a number, or of the name of one; None if it is none."""
        for _ in range(2):
            number = expressions.integer(text)
            if number is not None:
                return number
            if text in self.constants:
                text = self.constants[text][1].value.text
            else:
                text = self.enumerators.get(text) or ""
        return None

    # ---------------------------------------------------------------- sources

    def _source(self, tree, node, index):
        """Which input an argument shows: that of its name, DTrace knows no
        other way. Where it has a name that no input has, and a translator
        makes it of the input in the same place, then that."""
        param = node.translated[index]
        declared = [p.name for p in node.params]
        if param.name is not None and param.name in declared:
            return declared.index(param.name)
        if index < len(declared) and (param.name is None or self._translator(
                tree, param, node.params[index])):
            self._check_named(tree, param, declared[index])
            return index
        self._error(tree, "UNKNOWN_ARGUMENT", param,
                    "the probe has no argument %s" % (
                        "'%s'" % param.name if param.name else index),
                    param.name and self.diag.similar(
                        param.name, declared))
        return None

    def _check_named(self, tree, param, wanted):
        if param.name is not None:
            self.diag.warn(
                "translated-name", tree.source, param.start, param.end,
                "DTrace finds translated arguments by name, and the probe has "
                "no argument '%s'" % param.name,
                "write '%s'" % wanted if wanted else None)

    def _translator(self, tree, param, source):
        """(tree, Translator) that makes what ``param`` points to of the type
        of ``source``, or None."""
        if [step[0] for step in param.derived] != ["*"]:
            return None
        if self.translators is None:
            self._index()
        return self.translators.get(
            (tuple(param.type.words), self._same_as(tree, source)))

    def _index(self):
        self.translators = {}
        for tree in self.trees:
            for node in tree.translators:
                key = tuple(node.output.words), self._same_as(tree, node.input)
                if self.translators.setdefault(key, (tree, node))[1] != node:
                    self._error(tree, "DUPLICATE_TYPE", node.output,
                                "a translator from the same type to '%s' is "
                                "declared twice" % " ".join(
                                    filter(None, key[0])))

    def translators_to(self, words, source=None):
        """[(tree, Translator)] that make a type; source: (tree, Param) of
        what it is made of, where that is known."""
        if self.translators is None:
            self._index()
        found = [made for (output, _), made in self.translators.items()
                 if output == tuple(words)]
        if len(found) > 1 and source:
            one = self.translators.get((tuple(words), self._same_as(*source)))
            found = [one] if one else found
        return found

    def _same_as(self, tree, param):
        """What is equal where types are: typedefs and const left out."""
        words, _, derived, _ = self.arguments.expand(tree, param)
        row = ctypes_table.lookup(words)
        return (row.spelling if row else tuple(words),
                tuple(step[0] for step in derived))

    # -------------------------------------------------------------- arguments

    def _input(self, tree, param, index, source, source_param):
        """An input, under the type that is stated for it."""
        arg = self.arguments.resolve(
            tree, param, index, (), names.numbered(names.argument(
                param.name, index), index))
        self._check_same(tree, param, arg, source, source_param)
        passed = ["%s.%s" % (NATIVE, parameter.identifier)
                  for parameter in source.parameters]
        if arg.wire != source.wire and not arg.type.is_pointer:
            passed = ["SDTKIT_ARG_CAST(%s, %s)" % (arg.type.spelling,
                                                   passed[0])]
        return arg._replace(doc=arg.doc or source.doc), passed

    def _check_same(self, tree, param, arg, source, source_param):
        """An integer for an integer, a pointer for a pointer, and if it is to
        a struct, to the same one."""
        if arg.kind == ctypes_table.OPAQUE:
            return      # and said to be no scalar
        words, _, derived, _ = self.arguments.expand(tree, param)
        is_struct = words[0] in ("struct", "union")
        output = " ".join(filter(None, param.type.words))
        if is_struct and derived and (
                words != self.arguments.expand(tree, source_param)[0]):
            self._error(tree, "NO_TRANSLATOR", param,
                        "no translator makes a '%s' of '%s'" % (
                            output, source.name),
                        "declare one: translator %s < TYPE NAME > { ... };"
                        % output)
        elif not is_struct and arg.marshaller != source.marshaller or (
                arg.type.is_pointer != source.type.is_pointer):
            self._error(tree, "NO_TRANSLATOR", param,
                        "'%s' cannot be shown as '%s'" % (
                            source.written, arg.written),
                        "show a number as a number, a pointer as a pointer")

    def _record(self, tree, param, index, source, other, translator):
        """A pointer to a record, and what fills that; ``other`` is the tree
        that the translator is in."""
        name = names.argument(param.name, index)
        stated = self.arguments.declared(tree, param)
        written = self.arguments.spell(tree, param, name)
        fields, record = self.records.of(other, translator)
        identifier = names.numbered("", index)
        ctype = argtype.pointer_to_record(record)
        arg = model.Arg(
            name=name, identifier=identifier, type=ctype, stated=stated,
            written=written, doc=param.doc or source.doc,
            parameters=[model.Parameter(identifier, ctype)], value=identifier,
            members=self._expressions(other, translator, fields, source))
        return arg, ["&" + identifier]

    def _expressions(self, tree, translator, fields, source):
        """What the translator says for each member, in C."""
        self._check_input(tree, translator.input)
        return self._values(translator, fields, translation.Scope(
            tree, self, translator.input,
            "%s.%s" % (NATIVE, source.parameters[0].identifier)))

    def _check_input(self, tree, param):
        """The generated header declares the private struct."""
        words = self.arguments.expand(tree, param)[0]
        if words[0] not in ("struct", "union"):
            return
        if words[1] is None:
            self._error(tree, "NOT_TRANSLATABLE", param, "'%s' is a %s "
                        "without a tag, which a header cannot declare" % (
                            param.type.words[0], words[0]),
                        "give it a tag: typedef %s TAG { ... } NAME;"
                        % words[0])
        elif not names.can_spell(words[1]):
            self._error(tree, "NOT_TRANSLATABLE", param,
                        "a header for C++ cannot use the name '%s'"
                        % " ".join(words),
                        "choose another name for the %s" % words[0])

    def _values(self, translator, fields, scope):
        """The C of each field, a list for one that is a record."""
        values = {member.name: member.value for member in translator.members}
        texts = []
        for field in fields:
            value, using = values[field.arg.name], (self.arguments, self.diag)
            if field.record:
                found = translation.struct(value, scope, field.record, *using)
                texts.append(found and self._values(
                    found[1], field.record.fields, found[2]))
            elif field.sizes:
                texts.append(translation.array(value, scope, *using))
            else:
                texts.append(translation.translate(value, scope, *using,
                                                   field.is_string))
        return texts

    def _error(self, tree, code, node, text, hint=None):
        self.diag.error(code, tree.source, node.start, node.end, text,
                        hint)


def _unlike(param, taken):
    """An input may be shown twice; scripts need two names for it."""
    name = param.name
    while name in taken:
        name += "_"
    return param._replace(name=name)


def _counted(values):
    """(name, C text) of enumerators, None for a value with names in it. C
    counts on where no value is stated."""
    base, more = "0", 0
    for name, text in values:
        if text is not None:
            base, more = text, 0
        number = expressions.integer(base)
        if _NAMES.search(base) or number is None and base.isdigit():
            yield name, None
        elif number is not None and base == str(number):
            yield name, str(number + more)
        else:
            yield name, "((%s) + %d)" % (base, more)
        more += 1
