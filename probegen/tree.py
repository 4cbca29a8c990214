# SPDX-License-Identifier: BSD-2-Clause
"""A provider description as written: no meaning yet, every node with its place
(offsets ``start`` and ``end`` into the source's text, or the index of a
token)."""

from collections import namedtuple

# typedefs: name -> Param; structs: Struct; enums: (tag, enumerators)
# pragmas: Pragma; directives: other lines that begin with '#'
class File(namedtuple("File", "tokens providers typedefs structs enums "
                      "translators inlines pragmas directives")):
    """What one file says."""

    source = property(lambda self: self.tokens.source)


# doc: the lines of the comment that describes the thing, or []
Provider = namedtuple("Provider", "name doc probes start end")

# translated: the arguments as scripts see them, None where none are stated
Probe = namedtuple("Probe", "name doc params translated start end")

# words: the type's words without qualifiers ("unsigned", "int"), or the tag
#   with its keyword ("struct", "stat"); the tag is None for one without
# qualifiers: those of the type itself ("const" in `const char *p`)
# first, last: its tokens, the last one left out; body: whether it has one
Type = namedtuple("Type", "words qualifiers first last body start end")

# A declared thing: an argument, a member, a typedef.
# derived: what the declarator makes of the type, from the name outwards:
#   "*" (with qualifiers: "*const"), "[]", "()"
# name: None where there is none; name_at: the index of its token, or of the
#   one before which it would stand
# first, last: the declarator's tokens, the last one left out
# inner: the Types of the parameters of functions within
# bits: the width of a bit-field as written, else None
Param = namedtuple(
    "Param", "type derived name name_at first last inner bits doc start end")

Struct = namedtuple("Struct", "kind tag members doc start end")
Enum = namedtuple("Enum", "tag values start end")

# translator OUTPUT < INPUT NAME > { MEMBER = EXPRESSION; ... };
# output: Type, input: Param; members: Assignment, its place that of the name
Translator = namedtuple("Translator", "output input members start end")
Assignment = namedtuple("Assignment", "name value start end")

# inline TYPE NAME = EXPRESSION;
Inline = namedtuple("Inline", "param value start end")

# An expression of D, as written; first, last: its tokens, the last left out
Value = namedtuple("Value", "text first last")

# words: what follows `#pragma`
Pragma = namedtuple("Pragma", "words start end")
