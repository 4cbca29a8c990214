# SPDX-License-Identifier: BSD-2-Clause
"""Computes constant expressions of C, as enumerators have them: `1 << 3`,
`'a'`, `FIRST + 1`.

Casts, `sizeof`, `?:` and names from elsewhere are for the compiler: probegen
does not compute them, and neither a value that depends on how wide a type is,
such as `~0u`.
"""

import operator
import re

from .expressions import PRECEDENCE, integer

_TOKEN = re.compile(r"\s*('(?:[^'\\]|\\.)'|\w+|<<|>>|[=!<>]=|&&|\|\||\S)")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12,
            "v": 11, "\\": 92, "'": 39, '"': 34}
_LIMIT = 1 << 64
_DEPTH_LIMIT = 50       # how deep brackets and signs are nested


def _divide(left, right):
    """C rounds toward zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_BINARY = {
    "||": lambda a, b: int(bool(a or b)), "&&": lambda a, b: int(
        bool(a and b)),
    "|": operator.or_, "^": operator.xor, "&": operator.and_,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "<<": lambda a, b: a << b if 0 <= b < 64 else None,
    ">>": lambda a, b: a >> b if 0 <= b < 64 else None,
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": lambda a, b: _divide(a, b) if b else None,
    "%": lambda a, b: a - b * _divide(a, b) if b else None,
}
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert,
          "!": operator.not_}


class _Unknown(Exception):
    """The value cannot be computed."""


def evaluate(text, known):
    """Returns the value of an expression, or None if it cannot be computed.
    ``known``: name -> value or None."""
    reader = _Reader(_TOKEN.findall(text), known)
    try:
        value = reader.binary(0)
        if reader.tokens or value < 0 and reader.is_unsigned:
            return None
    except _Unknown:
        return None
    return value


class _Reader:
    def __init__(self, tokens, known):
        self.tokens = tokens[::-1]
        self.known = known
        # whether an operand is unsigned, so that nothing is negative
        self.is_unsigned = False
        self.depth = 0

    def binary(self, least):
        left = self.unary()
        while PRECEDENCE.get(self._next(), -1) >= least:
            sign = self.tokens.pop()
            left = self._checked(_BINARY.get(sign), left,
                                 self.binary(PRECEDENCE[sign] + 1))
        return left

    def unary(self):
        self.depth += 1
        if self.depth > _DEPTH_LIMIT:
            raise _Unknown()
        if self._next() in _UNARY:
            value = self._checked(_UNARY[self.tokens.pop()], self.unary())
        else:
            value = self.primary()
        self.depth -= 1
        return value

    def primary(self):
        if not self.tokens:
            raise _Unknown()
        token = self.tokens.pop()
        if token == "(":
            value = self.binary(0)
            if self._next() != ")":
                raise _Unknown()
            self.tokens.pop()
            return value
        return self._operand(token)

    def _operand(self, token):
        value = integer(token)
        if value is not None:
            self.is_unsigned |= "u" in token.lower() or (
                value >> 31 and token[0] == "0") or value >> 63
        elif token[0] == "'" and len(token) == 3:
            value = ord(token[1])
        elif token[0] == "'" and len(token) == 4:
            value = _ESCAPES.get(token[2])
        else:
            value = self.known.get(token)
        if value is None or value > 127 and token[0] == "'":
            raise _Unknown()
        return value

    def _next(self):
        return self.tokens[-1] if self.tokens else ""

    @staticmethod
    def _checked(compute, *operands):
        value = compute(*operands) if compute else None
        if value is None or abs(value) > _LIMIT:
            raise _Unknown()
        return int(value)
