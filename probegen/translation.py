# SPDX-License-Identifier: BSD-2-Clause
"""Expressions of D in C, for the members of a record.

    translator info_t < struct req *R > {
    	mid = R->mid;                           sdtkit_native.sdtkit_req->mid
    	big = R->len > LIMIT ? 1 : 0;           (...->len > 4096) ? 1 : 0
    	user = R->user ? stringof(R->user) : "-";
    };

What is the program's is spelled as it stands and checked by its compiler where
the probe is called; the rest has to be known here: the translator's parameter,
constants of the description (`inline`, enum), and the functions of FUNCTIONS.
Operands that are no single thing get brackets, whatever binds more.
"""

import re
from collections import namedtuple

from . import expressions as ex
from .cursor import Fault

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]{0,3}\Z")
_SIMPLE = frozenset((ex.NAME, ex.NUMBER, ex.STRING, ex.MEMBER, ex.INDEX,
                     ex.CALL))
_INLINE_LIMIT = 8       # constants made of constants

# arguments: how many D takes; text: the C with %s for each; is_text: whether
# D has a string then. See sdtkit/record.h.
Function = namedtuple("Function", "arguments text is_text")
FUNCTIONS = {
    "strlen": Function(1, "sdtkit_record_length(%s)", False),
    "stringof": Function(1, "sdtkit_record_text(%s)", True),
    "copyinstr": Function(1, "sdtkit_record_text_at(%s)", True),
}

# In C, and whether D takes it for a string, which has contents and no address
_Text = namedtuple("_Text", "c is_text simple")


class Scope:
    """What the names of a translator's expressions mean.

    tree: the description that it is in; parameter: its input's name, which in
    C is the expression ``value``; constants: name -> (tree, Inline) of all
    descriptions; enumerators: name -> C text.
    """

    def __init__(self, tree, parameter, value, constants, enumerators):
        self.tree = tree
        self.parameter = parameter
        self.value = value
        self.constants = constants
        self.enumerators = enumerators
        self.depth = 0


def translate(value, scope, arguments, diag, to_text=False):
    """The C of a tree.Value in a Scope; None where there is a fault, which is
    reported. arguments: spells types. to_text: for a string."""
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


class _Translation:
    def __init__(self, scope, arguments, diag):
        self.scope = scope
        self.arguments = arguments
        self.diag = diag

    def text(self, node):
        """The _Text of a node."""
        c, is_text = getattr(self, "_" + node.kind)(node)
        return _Text(c, is_text, node.kind in _SIMPLE)

    def _operand(self, node):
        """A part as an operand in C; a string cannot be one."""
        text = self.text(node)
        if text.is_text:
            self._refuse(node, "C has no operators for strings, D's compare "
                         "contents")
        return text.c if text.simple else "(%s)" % text.c

    def _refuse(self, node, text, hint=None):
        tokens = self.scope.tree.tokens
        self.diag.error("NOT_TRANSLATABLE", tokens.source,
                        tokens.starts[node.first],
                        tokens.end(max(node.first, node.last - 1)), text, hint)
        raise Fault()

    # ----------------------------------------------------------------- leaves

    def _number(self, node):
        if not _INTEGER.match(node.text):
            self._refuse(node, "'%s' is no integer, and D computes with "
                         "nothing else" % node.text)
        return node.text, False

    def _string(self, node):
        if node.text[0] == "'" and not re.match(r"'(\\.[0-7]{0,2}|[^\\])'\Z",
                                                node.text):
            self._refuse(node, "a constant of several characters has another "
                         "value in D")
        return node.text, node.text[0] == '"'

    def _name(self, node):
        scope, name = self.scope, node.text
        if name == scope.parameter:
            return scope.value, False
        if name == "NULL":
            return name, False
        if scope.enumerators.get(name):
            return scope.enumerators[name], False
        if name in scope.constants:
            return self._constant(node, *scope.constants[name])
        return self._refuse(
            node, "'%s' %s not known here" % (
                name, "has a value that is" if name in scope.enumerators
                else "is"), "the translator's input is "
            "'%s'; constants are declared with inline or enum"
            % scope.parameter)

    def _constant(self, node, tree, inline):
        """An inline of the description in the place of its name."""
        inner = Scope(tree, None, None, self.scope.constants,
                      self.scope.enumerators)
        inner.depth = self.scope.depth + 1
        if inner.depth > _INLINE_LIMIT:
            self._refuse(node, "'%s' is made of too many constants"
                         % node.text)
        value = ex.parse(tree, inline.value.first, inline.value.last,
                         self.diag)
        if value is None:
            raise Fault()
        text = _Translation(inner, self.arguments, self.diag).text(value)
        return (text.c if text.simple else "(%s)" % text.c), text.is_text

    # -------------------------------------------------------------- operators

    def _unary(self, node):
        return node.text + self._operand(node.parts[0]), False

    def _binary(self, node):
        left, right = map(self._operand, node.parts)
        if node.text == "^^":
            return "!%s != !%s" % (left, right), False
        return "%s %s %s" % (left, node.text, right), False

    def _ternary(self, node):
        condition = self._operand(node.parts[0])
        texts = [self.text(part) for part in node.parts[1:]]
        chosen = [text.c if text.simple else "(%s)" % text.c for text in texts]
        return "%s ? %s : %s" % ((condition,) + tuple(chosen)), any(
            text.is_text for text in texts)

    def _member(self, node):
        return self._operand(node.parts[0]) + node.text, False

    def _index(self, node):
        return "%s[%s]" % (self._operand(node.parts[0]),
                           self.text(node.parts[1]).c), False

    def _cast(self, node):
        return "(%s)%s" % (self._type(node), self._operand(node.parts[0])), (
            False)

    def _sizeof(self, node):
        if node.type is None:
            return "sizeof(%s)" % self.text(node.parts[0]).c, False
        return "sizeof(%s)" % self._type(node), False

    def _type(self, node):
        """The type of a cast, as C spells it."""
        said = self.diag.count()
        ctype = self.arguments.c_type(self.scope.tree, node.type)
        if ctype is None and self.diag.count() == said:
            self._refuse(node, "the type cannot be spelled in C")
        if ctype is None:
            raise Fault()
        return ctype

    def _call(self, node):
        function = FUNCTIONS.get(node.text)
        if function is None:
            self._refuse(node, "'%s()' cannot be translated" % node.text,
                         "functions are " + ", ".join(sorted(FUNCTIONS)))
        if len(node.parts) != function.arguments:
            self._refuse(node, "%s() takes %d argument here" % (
                node.text, function.arguments))
        return function.text % ", ".join(
            self.text(part).c for part in node.parts), function.is_text
