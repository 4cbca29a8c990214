# SPDX-License-Identifier: BSD-2-Clause
"""Turns a declared argument into a model.Arg: its type, and the C parameter
that takes it.

    uint16_t opcode             unsigned  uint16_t opcode
    char *who, string who       pointer   const char *who
    struct stat st[]            pointer   const struct stat *st
    enum color c                signed    int c
    void (*done)(int)           pointer   void (*done)(int)
    nt_status_t status          as its typedef in the description

The parameter for a pointer takes pointers to const objects too, because a
probe only reads.
"""

from collections import namedtuple

from . import argtype, ctypes_table, enums, marshallers, model, names

_NAME = "N\0"              # stands for a name: _join() treats it like one
_WORDS = ctypes_table.BASIC_WORDS.union(ctypes_table.NAMED, ("string",))
_EXPANSION_LIMIT = 50       # replaced typedefs; a cycle would never end

# What all arguments of one type have in common. type: argtype.Type;
# declared_type, written, enum: see model.Arg, with _NAME in the place of the
# argument's name
_Shape = namedtuple("_Shape", "type declared_type written enum")


class Arguments:
    """Resolves arguments, and gathers the standard headers and the structs
    that the C parameters need, in ``headers`` and ``tags``.

    The ``tree`` of each method is that of the file that the parameter is in.
    For strict and marshals, see resolve.resolve().
    """

    def __init__(self, diag, strict, marshals=True, known=None):
        self.diag = diag
        self.strict = strict
        self.marshals = marshals
        self.enums = known or enums.Enums()
        self.headers = set()
        self.tags = []
        self.shapes = {}    # id of a tree -> {texts of a type: _Shape}
        self.args = {}      # (shape, name, identifier) -> Arg without doc

    def resolve(self, tree, param, index, taken=(), identifier=None):
        """Returns the model.Arg of a parameter. ``taken`` are the names of the
        other parameters; ``identifier`` is what C calls it, if that differs
        from the usual `sdtkit_NAME`."""
        name = names.argument(param.name, index, taken)
        identifier = identifier or names.identifier(name)
        if param.type.words[0] in marshallers.MARSHALLERS:
            return self._marshalled(tree, param, name)
        shape = self._shape(tree, param)
        arg = self.args.get((shape, name, identifier))
        if arg is None:
            arg = _named(shape, name, identifier)
            self.args[shape, name, identifier] = arg
        arg = self.named_by(tree, arg)
        return arg._replace(doc=param.doc) if param.doc else arg

    def named_by(self, tree, arg):
        """Returns an argument, or a member of a record, with the enum that a
        pragma gives to its name."""
        enum = self.enums.of_name(tree, arg.name, arg.type)
        return arg._replace(enum=enum, is_enum_by_name=True) if enum else arg

    def enum(self, tree, param):
        """Returns the model.Enum whose names the values of a parameter show by
        its type, or those of the elements if it is an array; or None."""
        if not self.strict:
            return None
        words, _, derived, expanded = self.expand(tree, param)
        if any(step != "[]" for step in derived):
            return None
        return self.enums.of_type(tree, words, (expanded or param).type)

    def _shape(self, tree, param):
        """Returns the _Shape of a parameter. A file has few types and many
        arguments, so the shape of a type is kept, unless there was something
        to report about it."""
        texts = tree.tokens.texts
        key = (tuple(texts[param.type.first:param.name_at]),
               tuple(texts[param.name_at + (param.name is not None):
                           param.last]))
        shapes = self.shapes.setdefault(id(tree), {})
        shape = shapes.get(key)
        if shape is None:
            said = self.diag.count()
            shape = _Shape(self._type(tree, param),
                           self.declared(tree, param),
                           self.spell(tree, param, _NAME),
                           None if param.derived
                           else self.enum(tree, param))
            if self.diag.count() == said:
                shapes[key] = shape
        return shape

    def _marshalled(self, tree, param, name):
        """Returns the model.Arg of a parameter whose type names a marshaller.
        """
        row = marshallers.MARSHALLERS[param.type.words[0]]
        self._check_marshalled(tree, param, row)
        self.headers |= marshallers.headers(row)
        for tag in marshallers.tags(row):
            self._declare(tag)
        return _made(row, name, param.doc)

    def _type(self, tree, param):
        """Returns the argtype.Type of a parameter."""
        words, qualifiers, derived, expanded = self.expand(tree, param)
        row = ctypes_table.lookup(words)
        if derived or words == ["string"]:
            return self._pointer(tree, param, words, qualifiers, derived,
                                 expanded)
        if row:
            self._need(row)
            made = argtype.number(row)
            self._check_floating(tree, param, made)
            return made
        if words[0] == "enum":
            return argtype.ENUM
        self._check_value(tree, param, words)
        return argtype.opaque()

    def expand(self, tree, param):
        """Replaces the typedefs in the type of a parameter. Returns (words,
        qualifiers, derived, typedef); typedef is the tree.Param of the last
        typedef that was replaced, or None."""
        words, qualifiers = param.type.words, list(param.type.qualifiers)
        derived, expanded = list(param.derived), None
        for _ in range(_EXPANSION_LIMIT):
            if (len(words) != 1 or words[0] in ctypes_table.NAMED
                    or words[0] not in tree.typedefs):
                break
            expanded = tree.typedefs[words[0]]
            words = expanded.type.words
            qualifiers += expanded.type.qualifiers
            derived += expanded.derived
        return words, qualifiers, derived, expanded

    def _need(self, row):
        if row.header:
            self.headers.add(row.header)

    # -------------------------------------------------------------- pointers

    def _pointer(self, tree, param, words, qualifiers, derived, expanded):
        self._check_derived(tree, param, derived)
        plain = [step for step in derived if step[0] == "*"]
        arrays = [step for step in derived if step == "[]"]
        if "()" in derived or len(arrays) > 1 or arrays and (
                derived[0] != "[]"):
            return self._verbatim(tree, param, expanded)
        if words == ["string"]:
            words, plain = ["char"], plain + ["*"]
        tag = None
        if words[0] in ("struct", "union") and names.can_spell(words[1]):
            tag = argtype.Tag(*words)
            self._declare(tag)
        return argtype.pointer(self._pointee(tree, param, words),
                               len(plain) + len(arrays), qualifiers, tag)

    def _declare(self, tag):
        """Notes that the generated header has to declare a struct."""
        if tag not in self.tags:
            self.tags.append(tag)

    def _pointee(self, tree, param, words):
        """Returns the type that a pointer points to, as the generated header
        can spell it."""
        if words[0] in ("struct", "union"):
            return " ".join(words) if names.can_spell(words[1]) else "void"
        row = ctypes_table.lookup(words)
        if row:
            self._need(row)
            return row.spelling
        if words[0] == "enum" or words == ["void"]:
            return "void"
        if words[0] in ctypes_table.BASIC_WORDS:
            return " ".join(words)
        stars = "".join(step[0] for step in param.derived if step != "[]")
        self._check_known(tree, param.type, words[0], "struct %s %s" % (
            words[0], stars or "*"))
        return words[0]

    def _verbatim(self, tree, param, expanded):
        """Returns the Type of a declarator with functions or arrays in it,
        which the header repeats as the description writes it."""
        source = param
        if expanded:
            if param.derived:
                return argtype.pointer("void")
            source = expanded
        for ctype in [source.type] + source.inner:
            self._check_known(tree, ctype, ctype.words[0])
            self._check_spelled(tree, ctype)
            row = ctypes_table.lookup(ctype.words)
            if row:
                self._need(row)
            elif ctype.words[0] in ("struct", "union"):
                self._declare(argtype.Tag(*ctype.words))
        return argtype.written(*self.spell(tree, source, _NAME).split(_NAME))

    def spell(self, tree, param, identifier):
        """Returns a declaration with ``identifier`` in the place of its own
        name."""
        texts = tree.tokens.texts[param.first:param.last]
        at = param.name_at - param.first
        texts[at:at + (param.name is not None)] = [identifier]
        return _join([self._type_text(tree, param.type)] + texts)

    def declared(self, tree, param):
        """Returns the type of a parameter as the description spells it."""
        texts = tree.tokens.texts[param.first:param.last]
        if param.name is not None:
            del texts[param.name_at - param.first]
        return _join([self._type_text(tree, param.type)] + texts)

    def c_type(self, tree, param, is_cast):
        """Returns a type in an expression of D as a C program spells it, or
        None if C cannot spell it; C has no casts to arrays."""
        words, qualifiers, derived, expanded = self.expand(tree, param)
        text = self._c_base(tree, param, words)
        sizes = [] if expanded else self.sizes(tree, param)
        stars = [step for step in derived if step[0] == "*"]
        if text is None or derived[len(stars):] != ["[]"] * len(sizes) or (
                not all(size.isdigit() for size in sizes)):
            return None
        stars = "*" * len(stars)
        if is_cast and sizes and not stars:
            return None
        return " ".join([q for q in ("const", "volatile") if q in qualifiers]
                        + [text] + [stars] * bool(stars and not sizes)) + (
                            " (%s)[%s]" % (stars, "][".join(sizes))
                            if stars and sizes else
                            "".join("[%s]" % size for size in sizes))

    def _c_base(self, tree, param, words):
        """Returns the words of a type, without what its declarator makes of
        them."""
        if words[0] in ("struct", "union"):
            return " ".join(words) if words[1] else None
        if words[0] in ("enum", "string"):
            return {"enum": "int", "string": "const char *"}[words[0]]
        row = ctypes_table.lookup(words)
        if row:
            self._need(row)
            return row.spelling
        self._check_known(tree, param.type, words[0])
        return " ".join(words)

    def sizes(self, tree, param):
        """Returns a list of the texts between the brackets of a declarator."""
        sizes, depth = [], 0
        for text in tree.tokens.texts[param.first:param.last]:
            depth -= text == "]"
            if depth > 0:
                sizes[-1] += text
            elif text == "[":
                sizes.append("")
            depth += text == "["
        return sizes

    def _type_text(self, tree, ctype):
        """Returns the text of a type, without the body that it may have."""
        if ctype.body:
            return " ".join(ctype.qualifiers + [
                ctype.words[0], ctype.words[1] or "{...}"])
        return _join(tree.tokens.texts[ctype.first:ctype.last])

    # ---------------------------------------------------------------- checks

    def _report(self, tree, code, ctype, text, hint):
        """Reports an error at the position of a type."""
        self.diag.error(code, tree.source, ctype.start, ctype.end, text,
                        hint)

    def _check_known(self, tree, ctype, word, as_struct=None):
        """Reports a type that the generated header cannot spell: an unknown
        one, or a typedef of the description, which the header does not
        declare. ``word`` is what ``ctype`` comes to; ``as_struct`` is the
        spelling that may have been meant, for the hint."""
        if not self.strict or ctypes_table.is_known_word(word):
            return
        if word in tree.typedefs:
            self._report(tree, "UNKNOWN_TYPE", ctype, "the generated header "
                         "does not know the typedef '%s'" % word,
                         "write the type that '%s' stands for" % word)
        else:
            self._report(tree, "UNKNOWN_TYPE", ctype, "unknown type '%s'"
                         % word, self._meant(tree, word, as_struct))

    def _meant(self, tree, word, as_struct):
        """Returns a hint for an unknown type."""
        if word == "class":
            return "write 'struct' instead of 'class'"
        known = ctypes_table.meant(word)
        if known:
            return "did you mean '%s'?" % known
        hints = [self.diag.similar(
            word, _WORDS.union(tree.typedefs, marshallers.MARSHALLERS))]
        if as_struct:
            hints.append("if it is a struct, write '%s', otherwise 'void *'"
                         % as_struct)
        return " ".join(filter(None, hints)) or (
            "use a C integer type, 'void *' or 'struct NAME *', or declare "
            "'%s' with typedef" % word)

    def _check_marshalled(self, tree, param, row):
        """Reports a marshaller that is used like a C type, or in a drop-in
        header: that one has no types, so it would pass on what the site has
        without marshalling it."""
        if param.derived or param.type.qualifiers:
            self._report(tree, "NOT_A_TYPE", param.type, "'%s' is not a C "
                         "type but a marshaller: it cannot be qualified, "
                         "pointed to or made an array" % row.name,
                         "write '%s NAME'" % row.name)
        elif not self.marshals and not marshallers.passes_on(row):
            self._report(tree, "MARSHALLED", param.type, "a drop-in header "
                         "cannot marshal '%s'" % row.name,
                         "declare the argument as '%s', and call %s() where "
                         "the probe is used" % (row.declared_type.spelling,
                                                row.function))

    def _check_spelled(self, tree, ctype):
        """Reports a type within the declarator of a function or an array, if
        the header cannot repeat it as it stands."""
        word = ctype.words[0]
        if self.strict and (
                word in ("string", "enum") or word in ("struct", "union")
                and not names.can_spell(ctype.words[1])):
            self._report(tree, "UNKNOWN_TYPE", ctype, "the generated header "
                         "cannot declare the type '%s' here"
                         % " ".join(filter(None, ctype.words)),
                         "use a C integer type or 'void *'")

    def _check_derived(self, tree, param, derived):
        """Reports functions that return functions or arrays, and arrays of
        functions, which C does not have."""
        for step, following in zip(derived, derived[1:]):
            if following == "()" and step != "*" and step[0] != "*" or (
                    step == "()" and following == "[]"):
                self.diag.error("NOT_A_SCALAR", tree.source,
                                param.start, param.end,
                                "C has no such type: a function cannot return "
                                "a function or an array, and an array cannot "
                                "hold functions", "use pointers")
                return

    def _check_value(self, tree, param, words):
        """Reports a type that is neither a number nor a pointer."""
        if len(words) == 1 and not ctypes_table.is_known_word(words[0]):
            self._check_known(tree, param.type, words[0])
            return
        if words[1:] == [None]:     # the struct has no tag, but a typedef
            words = param.type.words
        spelling = " ".join(filter(None, words))
        if words[0] in ("struct", "union") and not self.strict:
            self.diag.warn("struct-by-value", tree.source, param.start,
                           param.end, "tracers cannot read '%s', which is "
                           "passed by value" % spelling,
                           "pass a pointer to it")
        if self.strict:
            self._report(tree, "NOT_A_SCALAR", param.type, "'%s' cannot be an "
                         "argument: it is neither a number nor a pointer"
                         % spelling, "write NAME() for a probe without "
                         "arguments" if words == ["void"]
                         else "pass a pointer to it")

    def _check_floating(self, tree, param, made):
        """Warns that tracers show a floating-point number as its bits."""
        if made.is_floating:
            self.diag.warn("floating-point", tree.source, param.start,
                           param.end, "tracers see only the bits of a '%s'"
                           % made.spelling,
                           "pass a scaled integer instead")


def _named(shape, name, identifier):
    """Returns the model.Arg of a shape: one argument with one C parameter,
    which is handed over as it is."""
    return model.Arg(
        name=name, identifier=identifier, type=shape.type,
        declared_type=shape.declared_type,
        written=shape.written.replace(_NAME, name),
        doc=[], parameters=[model.Parameter(identifier, shape.type)],
        value=identifier, enum=None if shape.type.is_pointer
        else shape.enum)


def _made(row, name, doc):
    """Returns the model.Arg that a marshaller makes of its parameters, which
    are called `sdtkit_NAME`, `sdtkit_NAME_length` and so on."""
    parameters = [model.Parameter(names.identifier(name + suffix), ctype)
                  for suffix, ctype in row.inputs]
    return model.Arg(
        name=name, identifier=names.identifier(name),
        type=row.made._replace(marshaller=row),
        declared_type=row.declared_type.spelling,
        written=row.declared_type.declare(name), doc=doc,
        parameters=parameters,
        value=marshallers.call(row, [p.identifier for p in parameters]))


def _join(texts):
    """Returns the text of C tokens, with blanks where people write them."""
    line = ""
    for text in texts:
        blank = line and (text[0].isalnum() or text[0] == "_"
                          or text in ("*", "(") and line[-1] not in "*)")
        if blank and line[-1] not in "*([`" or text == "..." or (
                line[-1:] == ","):
            line += " "
        line += text
    return line
