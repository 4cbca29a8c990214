# SPDX-License-Identifier: BSD-2-Clause
"""The syntax tree of a description, before anything is known about its
meaning.

Every node has its position: the offsets ``start`` and ``end`` in the text of
the source, or indexes of tokens. An index called ``last`` is that of the first
token behind.
"""

from collections import namedtuple

# typedefs: name -> Param; the others are lists
# directives: (start, end) of lines that begin with '#' and are not pragmas
class File(namedtuple("File", "tokens providers typedefs structs enums "
                      "translators inlines pragmas directives")):
    """The syntax tree of one file."""

    source = property(lambda self: self.tokens.source)

    def names_by_end(self):
        """Returns a dict: end of a typedef's type -> name of the typedef, for
        structs and enums that have no other name."""
        return {param.type.end: name for name, param in self.typedefs.items()
                if param.type.body and not param.derived}


# doc: the lines of the comment that describes the thing, or []
Provider = namedtuple("Provider", "name doc probes start end")

# params: the arguments; translated: those behind a colon, which scripts see
# instead, or None
Probe = namedtuple("Probe", "name doc params translated start end")

# words: the words of the type without qualifiers, ("unsigned", "int"), or the
#   keyword and the tag ("struct", "stat"); a missing tag is None
# qualifiers: those of the type itself ("const" in `const char *p`)
# first, last: indexes of its tokens; body: whether it has a body in braces
Type = namedtuple("Type", "words qualifiers first last body start end")

# What a declarator declares: an argument, a member, a typedef.
# derived: what the declarator makes of the type, from the name outwards:
#   "*" (with qualifiers: "*const"), "[]", "()"
# name: the name or None; name_at: the index of its token, or of the token
#   before which a name would be
# first, last: indexes of the declarator's tokens
# inner: the Types of the parameters of functions in the declarator
# bits: the width of a bit-field as written, else None
Param = namedtuple(
    "Param", "type derived name name_at first last inner bits doc start end")

Struct = namedtuple("Struct", "kind tag members doc start end")
Enum = namedtuple("Enum", "tag values start end")

# translator OUTPUT < INPUT NAME > { MEMBER = EXPRESSION; ... };
# output: Type; input: Param; members: list of Assignment, each with the
# position of its name
Translator = namedtuple("Translator", "output input members start end")
Assignment = namedtuple("Assignment", "name value start end")

# inline TYPE NAME = EXPRESSION;
Inline = namedtuple("Inline", "param value start end")

# An expression of D as written; first, last: indexes of its tokens
Value = namedtuple("Value", "text first last")

# words: the words behind `#pragma`
Pragma = namedtuple("Pragma", "words doc start end")
