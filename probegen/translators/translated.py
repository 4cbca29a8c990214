# SPDX-License-Identifier: BSD-2-Clause
"""Resolves probes that show tracers other values than the program passes.

    probe done(struct req *req, int error) : (info_t *req, int error);

`(struct req *req, int error)` are the inputs, which the macro takes. What the
site carries stands behind the colon: an input, which is found by its name (in
any order, and any number of times), or a record that a translator fills from
an input.

    translator info_t < struct req *R > { mid = R->mid; ... };

The macro puts the inputs into the struct `sdtkit_in`. The site carries, for
example, `sdtkit_in.sdtkit_error`, or the address of a record that the macro
has filled as the translator says; R is `sdtkit_in.sdtkit_req` there. So only
the code that calls the probe has to know the private struct.
"""

import re

from .. import argtype, ctypes_table, model, names
from . import expressions, records, translation

NATIVE = "sdtkit_in"
_NAMES = re.compile(r"\b[A-Za-z_]")


class TranslatedArguments:
    """Resolves the arguments behind the colon of a probe."""

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
        """Returns (args, passed) of a tree.Probe, see model.Probe."""
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
        """Returns the value of a number, or of a constant with that name; None
        if the text is neither."""
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
        """Returns the index of the input that an argument shows. DTrace finds
        inputs by name. If no input has the argument's name, but a translator
        makes the argument from the input at the same position, that input is
        taken."""
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
        """Warns about an argument with a name that no input has."""
        if param.name is not None:
            self.diag.warn(
                "translated-name", tree.source, param.start, param.end,
                "DTrace finds translated arguments by name, and the probe has "
                "no argument '%s'" % param.name,
                "write '%s'" % wanted if wanted else None)

    def _translator(self, tree, param, source):
        """Returns (tree, Translator) that makes what ``param`` points to from
        the type of ``source``, or None."""
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
        """Returns a list of (tree, Translator) that make a type. source: the
        (tree, Param) of what it is made from, if that is known."""
        if self.translators is None:
            self._index()
        found = [made for (output, _), made in self.translators.items()
                 if output == tuple(words)]
        if len(found) > 1 and source:
            one = self.translators.get((tuple(words), self._same_as(*source)))
            found = [one] if one else found
        return found

    def _same_as(self, tree, param):
        """Returns a value that is equal for equal types, whatever their
        typedefs and qualifiers."""
        words, _, derived, _ = self.arguments.expand(tree, param)
        row = ctypes_table.lookup(words)
        return (row.spelling if row else tuple(words),
                tuple(step[0] for step in derived))

    # -------------------------------------------------------------- arguments

    def _input(self, tree, param, index, source, source_param):
        """Returns (arg, passed) of an input under the type that is declared
        behind the colon."""
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
        """Reports an integer that is shown as a pointer, a pointer that is
        shown as an integer, and a pointer to another struct."""
        if arg.kind == ctypes_table.OPAQUE:
            return      # which was reported as NOT_A_SCALAR
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
        """Returns (arg, passed) of a pointer to a record. ``other`` is the
        tree that the translator is in."""
        name = names.argument(param.name, index)
        declared_type = self.arguments.declared(tree, param)
        written = self.arguments.spell(tree, param, name)
        fields, record = self.records.of(other, translator)
        identifier = names.numbered("", index)
        ctype = argtype.pointer_to_record(record)
        arg = model.Arg(
            name=name, identifier=identifier, type=ctype,
            declared_type=declared_type,
            written=written, doc=param.doc or source.doc,
            parameters=[model.Parameter(identifier, ctype)], value=identifier,
            members=self._expressions(other, translator, fields, source))
        return arg, ["&" + identifier]

    def _expressions(self, tree, translator, fields, source):
        """Returns the C expression for each member of a record."""
        self._check_input(tree, translator.input)
        return self._values(translator, fields, translation.Scope(
            tree, self, translator.input,
            "%s.%s" % (NATIVE, source.parameters[0].identifier)))

    def _check_input(self, tree, param):
        """Reports the type of an input that the generated header cannot
        declare."""
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
        """Returns the C expression of each field; a list for a field that is a
        record."""
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
    """Gives an argument a name of its own: an input may be shown twice, and
    scripts need two names."""
    name = param.name
    while name in taken:
        name += "_"
    return param._replace(name=name)


def _counted(values):
    """Yields (name, C text) of enumerators. As in C, one without a value
    counts on from the one before. The text is None if the value has names in
    it."""
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
