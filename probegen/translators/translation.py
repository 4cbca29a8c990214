# SPDX-License-Identifier: BSD-2-Clause
"""Translates expressions of D to C, for the members of a record.

    translator info_t < struct req *R > {
    	mid = R->mid;                           sdtkit_in.sdtkit_req->mid
    	big = R->len > LIMIT ? 1 : 0;           (...->len > 4096) ? 1 : 0
    	user = R->user ? stringof(R->user) : "-";
    };

Names of the program's members and types are copied as they are; the compiler
checks them where the probe is called. All other names must be known here: the
translator's parameter, constants of the description (`inline`, enum) and the
functions of FUNCTIONS. What another translator makes, as in
`xlate < info_t > (R->next).mid`, is replaced by that translator's expression.
Every operand that consists of several tokens gets brackets, so that precedence
does not matter.
"""

import re
from collections import namedtuple

from ..cursor import Fault
from . import expressions as ex

_SIMPLE = frozenset((ex.NAME, ex.NUMBER, ex.STRING, ex.MEMBER, ex.INDEX,
                     ex.CALL, ex.OFFSETOF))
_COMPARISONS = frozenset("== != < <= > >=".split())
_INLINE_LIMIT = 8       # how deep constants and translators use each other
_USES_LIMIT = 200       # how many of them an expression uses in all
_HEIGHT_LIMIT = 120     # the depth of nodes, including those of constants and
                        # translators that are used
_LENGTH_LIMIT = 4000    # characters of a translator's operand, in C

# text: the C, with %s for the argument; is_text: whether D has a string as the
# result. For the macros see sdtkit/record.h.
Function = namedtuple("Function", "text is_text")
FUNCTIONS = {
    "strlen": Function("SDTKIT_RECORD_LENGTH(%s)", False),
    "stringof": Function("sdtkit_record_text(%s)", True),
    "copyinstr": Function("sdtkit_record_text_at(%s)", True),
    "htons": Function("sdtkit_record_net16(%s)", False),
    "htonl": Function("sdtkit_record_net32(%s)", False),
    "htonll": Function("sdtkit_record_net64(%s)", False),
    "ntohs": Function("sdtkit_record_net16(%s)", False),
    "ntohl": Function("sdtkit_record_net32(%s)", False),
    "ntohll": Function("sdtkit_record_net64(%s)", False),
}

# c: the text in C; is_text: whether D has a string there, which has contents
# but no address; simple: whether it needs no brackets as an operand
_Text = namedtuple("_Text", "c is_text simple")


class Scope:
    """The meaning of names in the expressions of a translator.

    tree: the tree that the expression is in
    context: the translated.TranslatedArguments, which know all trees
    input: the tree.Param of the translator's input; None for a constant
    value: what the input is in C
    outer: the Scope of the expression that uses this one
    """

    def __init__(self, tree, context, input=None, value=None, outer=None):
        self.tree = tree
        self.context = context
        self.input = input
        self.parameter = input and input.name
        self.value = value
        self.depth = outer.depth + 1 if outer else 0
        self.height = outer.height if outer else 0
        self.uses = outer.uses if outer else []


def translate(value, scope, arguments, diag, to_text=False):
    """Returns the C of a tree.Value in a Scope; None after a fault, which was
    reported. arguments: the Arguments, which spell types; to_text: whether the
    result has to be a string."""
    node = ex.parse(scope.tree, value.first, value.last, diag)
    if node is None:
        return None
    try:
        translation = _Translation(scope, arguments, diag)
        text = translation.text(node)
        if to_text and not text.is_text:
            return FUNCTIONS["stringof"].text % text.c
        return text.c
    except Fault:
        return None


def array(value, scope, arguments, diag):
    """Returns the C of an array in a Scope. stringof() is left out: the
    compiler knows the length of an array, but not of what stringof() returns.
    """
    node = ex.parse(scope.tree, value.first, value.last, diag)
    if node is None:
        return None
    try:
        return _Translation(scope, arguments, diag).text(_bare(node)).c
    except Fault:
        return None


def struct(value, scope, record, arguments, diag):
    """Returns (tree, Translator, its Scope) that fill a member which is a
    record itself: `peer = xlate < peer_t > (R->peer);`. None after a fault."""
    node = ex.parse(scope.tree, value.first, value.last, diag)
    if node is None:
        return None
    try:
        return _Translation(scope, arguments, diag).struct(node, record)
    except Fault:
        return None


def _bare(node):
    """Returns the operand of a stringof(), and any other node as it is."""
    while node.kind == ex.CALL and node.text == "stringof" and (
            len(node.parts) == 1):
        node = node.parts[0]
    return node


class _Translation:
    def __init__(self, scope, arguments, diag):
        self.scope = scope
        self.arguments = arguments
        self.diag = diag

    def text(self, node):
        """Returns the _Text of a node."""
        c, is_text = getattr(self, "_" + node.kind)(node)
        return _Text(c, is_text, node.kind in _SIMPLE)

    def _operand(self, node):
        """Returns a part as an operand in C; reports a string, which cannot be
        one."""
        return self._bracketed(node, self.text(node))

    def _bracketed(self, node, text):
        if text.is_text:
            self._refuse(node, "a string can only be compared here")
        return text.c if text.simple else "(%s)" % text.c

    def _refuse(self, node, text, hint=None):
        tokens = self.scope.tree.tokens
        self.diag.error("NOT_TRANSLATABLE", tokens.source,
                        tokens.starts[node.first],
                        tokens.end(max(node.first, node.last - 1)), text, hint)
        raise Fault()

    # ----------------------------------------------------------------- leaves

    def _number(self, node):
        if ex.integer(node.text) is None:
            self._refuse(node, "'%s' is not an integer of at most 64 bits, "
                         "and D has no other numbers" % node.text)
        return node.text, False

    def _string(self, node):
        """Returns a constant; `??/` in it would be a backslash in C."""
        if node.text[0] == "'" and not re.match(r"'(\\.[0-7]{0,2}|[^\\])'\Z",
                                                node.text):
            self._refuse(node, "a constant of several characters has another "
                         "value in D than in C", "write the value as a number")
        return node.text.replace("??", r"?\?"), node.text[0] == '"'

    def _name(self, node):
        scope, name = self.scope, node.text
        if name == scope.parameter:
            return scope.value, False
        if name == "NULL":
            return name, False
        enumerators = scope.context.enumerators
        if enumerators.get(name):
            return enumerators[name], False
        if name in scope.context.constants:
            return self._constant(node, *scope.context.constants[name])
        if name in enumerators:
            self._refuse(node, "the value of '%s' is not known here" % name,
                         "declare its value without other names in it")
        return self._refuse(
            node, "'%s' is not known here" % name, (
                "use the translator's input, '%s', or declare "
                % scope.parameter if scope.parameter else "declare ")
            + "'%s' as a constant with inline or enum" % name)

    def _constant(self, node, tree, inline):
        """Returns the value of a constant of the description. Its type is that
        of the value: DTrace, too, ignores the declared type."""
        self._check_uses(node, "'%s' refers to too many other constants"
                         % node.text)
        return self._elsewhere(node, Scope(tree, self.scope.context,
                                           outer=self.scope), inline.value)

    def _check_uses(self, node, text):
        """Reports constants and translators that use others too often, or each
        other without an end."""
        self.scope.uses.append(node)
        if self.scope.depth >= _INLINE_LIMIT or (
                len(self.scope.uses) > _USES_LIMIT):
            self._refuse(node, text)

    def _elsewhere(self, node, scope, value):
        """Returns (C, is_text) of an expression elsewhere in the
        descriptions, as an operand in the place of ``node``."""
        there = ex.parse(scope.tree, value.first, value.last, self.diag)
        if there is None:
            raise Fault()
        scope.height += there.depth
        if scope.height > _HEIGHT_LIMIT:
            self._refuse(node, "what this name stands for is nested too "
                         "deeply")
        text = _Translation(scope, self.arguments, self.diag).text(there)
        return (text.c if text.simple else "(%s)" % text.c), text.is_text

    # -------------------------------------------------------------- operators

    def _unary(self, node):
        return node.text + self._operand(node.parts[0]), False

    def _binary(self, node):
        """Translates a chain of operators from its first one on, without
        recursion: it may have more links than Python can nest calls."""
        chain = []
        while node.kind == ex.BINARY:
            chain.append(node)
            node = node.parts[0]
        left = self.text(_bare(node))
        for node in reversed(chain):
            left = _Text(self._joined(node, left), False, False)
        return left.c, False

    def _joined(self, node, left):
        """Returns the C of one operator; ``left`` is the _Text of its left
        side."""
        texts = [left, self.text(_bare(node.parts[1]))]
        is_string = [text.is_text or part is not _bare(part)
                     for part, text in zip(node.parts, texts)]
        if node.text in _COMPARISONS and any(is_string):
            return "SDTKIT_RECORD_COMPARE(%s, %s) %s 0" % (
                texts[0].c, texts[1].c, node.text)
        sides = [self._bracketed(part, text._replace(is_text=is_a))
                 for part, text, is_a in zip(node.parts, texts, is_string)]
        if node.text == "^^":
            return "!%s != !%s" % tuple(sides)
        if ex.going_on(node.kind, node.text, node.parts) is not None:
            sides[0] = left.c
        return "%s %s %s" % (sides[0], node.text, sides[1])

    def _ternary(self, node):
        choices, is_text = [], False
        while node.kind == ex.TERNARY:
            condition = self._operand(node.parts[0])
            chosen, node = self.text(node.parts[1]), node.parts[2]
            choices.append("%s ? %s" % (condition, chosen.c if chosen.simple
                                        else "(%s)" % chosen.c))
            is_text |= chosen.is_text
        last = self.text(node)
        choices.append(last.c if last.simple else "(%s)" % last.c)
        return " : ".join(choices), is_text or last.is_text

    def _member(self, node):
        if node.parts[0].kind == ex.XLATE:
            return self._translated(node)
        return self._operand(node.parts[0]) + node.text, False

    def _index(self, node):
        return "%s[%s]" % (self._operand(node.parts[0]),
                           self.text(node.parts[1]).c), False

    def _cast(self, node):
        return "(%s)%s" % (self._type(node), self._operand(node.parts[0])), (
            False)

    def _sizeof(self, node):
        text = self.text(node.parts[0]) if node.type is None else None
        if text and text.is_text or node.type and (
                node.type.type.words == ["string"]):
            self._refuse(node, "a string has another size in D than in C",
                         "use strlen() for the length of a string")
        return "sizeof(%s)" % (text.c if text else self._type(node)), False

    def _offsetof(self, node):
        return "offsetof(%s, %s)" % (self._type(node), node.text), False

    def _type(self, node):
        """Returns the type of a node as C spells it."""
        said = self.diag.count()
        ctype = self.arguments.c_type(self.scope.tree, node.type,
                                      node.kind == ex.CAST)
        if ctype is None and self.diag.count() == said:
            self._refuse(node, "this type cannot be written in C")
        if ctype is None:
            raise Fault()
        return ctype

    def _call(self, node):
        function = FUNCTIONS.get(node.text)
        if function is None:
            self._refuse(node, "the function '%s()' has no equivalent in C"
                         % node.text,
                         "use one of " + ", ".join(sorted(FUNCTIONS)))
        if len(node.parts) != 1:
            self._refuse(node, "%s() takes one argument" % node.text)
        part = node.parts[0]
        if node.text == "strlen":
            part = _bare(part)
        return function.text % self.text(part).c, function.is_text

    # ------------------------------------------------------ other translators

    def _xlate(self, node):
        self._refuse(node, "a translator makes a struct, which is not a value",
                     "take a member of the struct, as in 'xlate < TYPE > "
                     "(x).NAME', or assign it to a member of that type")

    def struct(self, node, record):
        """See struct() above."""
        name = "struct " + record.name
        if node.kind != ex.XLATE or node.type.derived:
            self._refuse(node, "only a translator can make a member that is a "
                         "struct", "write 'xlate < %s > (...)'" % name)
        tree, translator = self._translator(node)
        made = self.scope.context.records.of(tree, translator)[1]
        if made is None:
            raise Fault()       # it was reported
        if made.name != record.name:
            self._refuse(node, "this translator makes a 'struct %s', but the "
                         "member is a '%s'" % (made.name, name))
        return tree, translator, self._inner(node, tree, translator)

    def _translated(self, node):
        """Translates a member of what a translator makes, with the conversion
        that an assignment to the member would make."""
        xlate, name = node.parts[0], node.text.lstrip("->.")
        tree, translator = self._translator(xlate)
        if (node.text[0] == "-") != bool(xlate.type.derived):
            self._refuse(node, "'%s' does not fit the type that xlate makes"
                         % node.text.replace(name, ""),
                         "write 'xlate < TYPE > (x).NAME' or 'xlate < TYPE * "
                         "> (x)->NAME'")
        fields, made = self.scope.context.records.of(tree, translator)
        if made is None:
            raise Fault()       # it was reported
        field = next((f for f in fields if f.arg.name == name), None)
        value = next((m.value for m in translator.members if m.name == name),
                     None)
        if field is None or value is None:
            self._refuse(node, "the translated struct has no member '%s'"
                         % name,
                         self.diag.similar(name, [f.arg.name for f in fields]))
        c, is_text = self._elsewhere(
            node, self._inner(xlate, tree, translator), value)
        if field.is_number:
            return field.converted(c), False
        if field.is_string and not is_text:
            return FUNCTIONS["stringof"].text % c, True
        return c, is_text

    def _inner(self, node, tree, translator):
        """Returns the Scope of the translator that an `xlate` names."""
        self._check_uses(node, "translators refer to each other too often")
        value = self._operand(node.parts[0])
        if len(value) > _LENGTH_LIMIT:
            self._refuse(node, "the operand of this xlate is too long in C")
        return Scope(tree, self.scope.context, translator.input, value,
                     self.scope)

    def _translator(self, node):
        """Returns (tree, Translator) that an `xlate` names. The type of its
        operand is known if that is the translator's own input, or a cast."""
        part, scope, param = node.parts[0], self.scope, None
        if part.kind == ex.NAME and part.text == scope.parameter:
            param = scope.input
        elif part.kind == ex.CAST:
            param = part.type
        output = node.type.type
        found = scope.context.translators_to(
            output.words, param and (scope.tree, param))
        name = " ".join(filter(None, output.words))
        if not found or any(step != "*" for step in node.type.derived) or (
                len(node.type.derived) > 1):
            self._refuse(node, "no translator makes a '%s' of this" % name,
                         "declare one: translator %s < TYPE NAME > { ... };"
                         % name)
        if len(found) > 1:
            self._refuse(node, "several translators make a '%s'" % name,
                         "choose one with a cast: xlate < ... > ((TYPE)...)")
        return found[0]
