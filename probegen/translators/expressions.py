# SPDX-License-Identifier: BSD-2-Clause
"""Parses expressions of D into Nodes, which ``translation`` turns into C.

    expression = binary [ "?" expression ":" expression ] ;
    binary     = unary { OPERATOR unary } ;             see PRECEDENCE
    unary      = ( "-" | "+" | "!" | "~" | "*" | "&" ) unary
               | "(" type declarator ")" unary          a cast
               | "sizeof" ( "(" type declarator ")" | unary )
               | postfix ;
    postfix    = primary { "[" expression "]" | "." NAME | "->" NAME } ;
    primary    = NAME [ "(" [ expression { "," expression } ] ")" ]
               | "offsetof" "(" type declarator "," NAME ")"
               | "xlate" "<" type declarator ">" "(" expression ")"
               | NUMBER | STRING | "(" expression ")" ;

The expressions are those of C without assignments, and with `^^`, the logical
exclusive or, and `xlate`. What else D has (`this->x`, `$1`, `@a`) is refused.
"""

import re
from collections import namedtuple

from .. import ctypes_table, lexer
from ..cursor import Fault
from ..declarations import QUALIFIERS, TAGS, Declarations

# A node of an expression.
# kind: one of the names below
# text: of NAME, NUMBER and STRING the token; of UNARY and BINARY the operator;
#   of MEMBER "." or "->" with the name; of CALL the name of the function; of
#   OFFSETOF the name of the member
# parts: the operands
# type: of CAST, SIZEOF, OFFSETOF and XLATE a tree.Param; None for the size of
#   an expression
# first, last: indexes of its tokens, see tree
Node = namedtuple("Node", "kind text parts type depth first last")

NAME, NUMBER, STRING = "name", "number", "string"
UNARY, BINARY, TERNARY, MEMBER = "unary", "binary", "ternary", "member"
INDEX, CALL, CAST, SIZEOF = "index", "call", "cast", "sizeof"
OFFSETOF, XLATE = "offsetof", "xlate"

# the operators, from the one that binds least; all group from the left
PRECEDENCE = {operator: level for level, operators in enumerate((
    "||", "^^", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -",
    "* / %")) for operator in operators.split()}
_UNARY = frozenset("-+!~*&")
# operators whose left side gets brackets in C, so that a chain is nested there
_BRACKETED = frozenset("^^ == != < <= > >=".split())

_D_ONLY = frozenset("""
    this self curthread execname pid tid timestamp uid probename
""".split())
_DEPTH_LIMIT = 60       # how deep nodes are nested, see going_on()

_INTEGER = re.compile(
    r"(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([1-9][0-9]*))"
    r"(?:[uU]?(?:ll?|LL?)?|(?:ll?|LL?)[uU])\Z")
_DIGITS_LIMIT = 23      # more than any number of 64 bits has, even in octal


def integer(text):
    """Returns the value of an integer that C and D have; None if the text is
    not one."""
    found = _INTEGER.match(text)
    if found is None or len(found[found.lastindex]) > _DIGITS_LIMIT:
        return None
    value = int(found[found.lastindex], (16, 8, 10)[found.lastindex - 1])
    return value if value < 1 << 64 else None


def going_on(kind, text, parts):
    """Returns the index of the part in which a chain continues: the left one
    of `a + b - c`, the last one of `a ? 1 : b ? 2 : 3`; None if there is none.
    A chain may have any number of links: its depth is that of its deepest
    link."""
    if kind == TERNARY and parts[2].kind == TERNARY:
        return 2
    if kind == BINARY and parts[0].kind == BINARY and (
            text not in _BRACKETED
            and PRECEDENCE[parts[0].text] == PRECEDENCE[text]):
        return 0
    return None


def parse(tree, first, last, diag):
    """Returns the Node of the tokens from ``first`` up to ``last`` of a tree;
    None after a fault, which was reported."""
    parser = _Parser(tree, first, last, diag)
    try:
        return parser.whole()
    except Fault:
        return None


class _Parser(Declarations):
    def __init__(self, tree, first, last, diag):
        Declarations.__init__(self, tree.tokens, diag)
        self.typedefs = tree.typedefs
        self.at = first
        self.last = last

    def whole(self):
        node = self.expression()
        if self.text() in ("=", "++", "--"):
            self._refuse("a translator cannot change a value: found")
        if self.at < self.last:
            self._refuse("expected the end of the expression, found")
        return node

    def _refuse(self, text):
        self.report("NOT_TRANSLATABLE", self.at, "%s %s" % (
            text, self.found()))
        raise Fault()

    def _node(self, kind, text, parts, first, ctype=None):
        link = going_on(kind, text, parts)
        depth = max([1] + [part.depth + (i != link)
                           for i, part in enumerate(parts)])
        if depth > _DEPTH_LIMIT:
            self._too_deep(_DEPTH_LIMIT)
        return Node(kind, text, parts, ctype, depth, first, self.at)

    def expression(self):
        self._enter()
        choices = []
        while True:
            first = self.at
            node = self.binary(0)
            if not self.accept("?"):
                break
            choices.append((first, node, self.expression()))
            self.expect(":")
        for first, condition, chosen in reversed(choices):
            node = self._node(TERNARY, "?", [condition, chosen, node], first)
        self.depth -= 1
        return node

    def binary(self, least):
        """Parses a chain of operators that bind at least as strongly as
        ``least``."""
        first = self.at
        node = self.unary()
        while PRECEDENCE.get(self.text(), -1) >= least:
            operator = self.text()
            self.at += 1
            right = self.binary(PRECEDENCE[operator] + 1)
            node = self._node(BINARY, operator, [node, right], first)
        return node

    def unary(self):
        first, text = self.at, self.text()
        if text in _UNARY:
            self.at += 1
            return self._node(UNARY, text, [self._operand()], first)
        if text == "(" and self._type_ahead(1):
            ctype = self._type_in_brackets()
            return self._node(CAST, "", [self._operand()], first, ctype)
        if text == "sizeof":
            self.at += 1
            if self.text() == "(" and self._type_ahead(1):
                return self._node(SIZEOF, "", [], first,
                                  self._type_in_brackets())
            return self._node(SIZEOF, "", [self._operand()], first)
        return self.postfix()

    def _operand(self):
        self._enter()
        node = self.unary()
        self.depth -= 1
        return node

    def _type_ahead(self, ahead):
        word = self.text(ahead)
        return self.is_name(ahead) and (
            word in TAGS or word in QUALIFIERS or word in self.typedefs
            or ctypes_table.is_known_word(word))

    def _type_in_brackets(self):
        self.expect("(")
        param = self.declaration()
        self.expect(")")
        return param

    def postfix(self):
        first = self.at
        node = self.primary()
        while True:
            text = self.text()
            if self.accept("["):
                inner = self.expression()
                self.expect("]")
                node = self._node(INDEX, "", [node, inner], first)
            elif text in (".", "->"):
                self.at += 1
                name = self.texts[self.take_name("a member's name")]
                node = self._node(MEMBER, text + name, [node], first)
            else:
                return node

    def primary(self):
        first, kind = self.at, self.kinds[self.at]
        if first >= self.last:
            self._refuse("expected an expression, found")
        if self.accept("("):
            node = self.expression()
            self.expect(")")
            return node
        if self.text() in (OFFSETOF, XLATE):
            return self.offset() if self.text() == OFFSETOF else self.xlate()
        if kind == lexer.NAME and self.text(1) == "(":
            return self.call()
        if kind == lexer.NAME:
            self._check_name()
        elif self.text() in ("++", "--"):
            self._refuse("a translator cannot change a value: found")
        elif kind not in (lexer.NUMBER, lexer.STRING):
            self._refuse("C has no equivalent of D's")
        self.at += 1
        return self._node({lexer.NAME: NAME, lexer.NUMBER: NUMBER}.get(
            kind, STRING), self.texts[first], [], first)

    def offset(self):
        first = self.at
        self.at += 1
        self.expect("(")
        ctype = self.declaration()
        self.expect(",")
        name = self.texts[self.take_name("a member's name")]
        if self.text() in (".", "["):
            self._refuse("offsetof takes the name of a member in D, not")
        self.expect(")")
        return self._node(OFFSETOF, name, [], first, ctype)

    def xlate(self):
        first = self.at
        self.at += 1
        self.expect("<")
        ctype = self.declaration()
        self.expect(">")
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        return self._node(XLATE, "", [inner], first, ctype)

    def _check_name(self):
        if self.text() in _D_ONLY or self.text(1) == "`":
            self._refuse("the program does not have D's variable")

    def call(self):
        first = self.at
        self._check_name()
        self.at += 2
        parts = []
        while not self.accept(")"):
            parts.append(self.expression())
            if not self.accept(",") and self.text() != ")":
                self.fail("expected ',' or ')' after an argument")
        return self._node(CALL, self.texts[first], parts, first)
