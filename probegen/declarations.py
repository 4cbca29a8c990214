# SPDX-License-Identifier: BSD-2-Clause
"""C declarations, as far as a provider description has them.

    type        = { qualifier | storage | attribute }
                  ( ( "struct" | "union" ) [ NAME ] [ "{" { member } "}" ]
                  | "enum" [ NAME ] [ "{" enumerator { "," enumerator } "}" ]
                  | word { word | qualifier } | [ NAME ] "`" NAME | NAME )
                  { qualifier | attribute } ;
    declarator  = { "*" { qualifier } } ( [ NAME ] | "(" declarator ")" )
                  { "[" ... "]" | "(" [ parameter { "," parameter } ] ")" } ;
    parameter   = type declarator | "..." ;
    member      = type declarator [ ":" NUMBER ]
                  { "," declarator [ ":" NUMBER ] } ";" ;

What stands between the brackets of an array is passed over: the tokens are
still there for code that needs it.
"""

from . import cplusplus, ctypes_table, tree
from .cursor import Cursor, Fault

QUALIFIERS = frozenset((
    "const", "volatile", "restrict", "__const", "__volatile", "__restrict",
    "__volatile__", "__restrict__", "_Atomic"))
STORAGE = frozenset((
    "extern", "static", "register", "auto", "__extension__", "__inline",
    "__inline__", "_Noreturn", "_Thread_local", "__thread"))
ATTRIBUTES = frozenset((
    "__attribute__", "__attribute", "__asm__", "__asm", "asm", "_Alignas",
    "__declspec"))
TAGS = frozenset(("struct", "union", "enum"))

_OF_TYPES = QUALIFIERS | STORAGE | ATTRIBUTES | TAGS | (
    ctypes_table.BASIC_WORDS | {"`"})

_DEPTH_LIMIT = 50       # how deep declarators and struct bodies are nested


class Declarations(Cursor):
    """Parses types and declarators. Structs and enums that have bodies are
    collected in ``self.structs`` and ``self.enums``."""

    def __init__(self, tokens, diag):
        Cursor.__init__(self, tokens, diag)
        self.structs = []
        self.enums = []
        self.inner = []     # parameter types of functions in a declarator
        self.named = False  # whether the last declarator had a name
        self.depth = 0

    def fail(self, text, hint=None):
        Cursor.fail(self, text, hint or cplusplus.hint(self.texts, self.at))

    def type(self):
        """Parses a type without its declarator."""
        first = self.at
        if self.is_name() and self.text() not in _OF_TYPES and (
                self.text(1) not in _OF_TYPES):
            self.at += 1        # the usual case: one name
            return tree.Type([self.texts[first]], [], first, self.at, False,
                             self.tokens.starts[first], self.tokens.end(first))
        bodies = len(self.structs) + len(self.enums)
        qualifiers = self._qualifiers()
        text = self.text()
        if text in TAGS:
            words = self._tagged()
        elif text in ctypes_table.BASIC_WORDS:
            words = []
            while self.text() in ctypes_table.BASIC_WORDS:
                words.append(self.text())
                self.at += 1
                qualifiers += self._qualifiers()
        else:
            words = [self._type_name()]
        qualifiers += self._qualifiers()
        return tree.Type(words, qualifiers, first, self.at,
                         len(self.structs) + len(self.enums) > bodies,
                         self.tokens.starts[first],
                         self.tokens.end(self.at - 1))

    def _qualifiers(self):
        """Passes qualifiers, and words that do not change the type; returns
        the qualifiers."""
        found = []
        while True:
            text = self.texts[self.at]
            if text in QUALIFIERS:
                found.append(text.strip("_").lower())
            elif text in ATTRIBUTES:
                self.at += 1
                if self.text() == "(":
                    self.skip_balanced()
                continue
            elif text not in STORAGE:
                return found
            self.at += 1

    def _type_name(self):
        """Passes a name, which in D may have a module before it:
        genunix`vnode_t."""
        index = None
        if self.text() != "`":
            index = self.take_name("a type")
        if self.accept("`"):
            if self.text() in TAGS:
                self.fail("expected the name of a type after '`'")
            index = self.take_name("a type after '`'")
        return self.texts[index]

    def _tagged(self):
        kind, start = self.text(), self.at
        self.at += 1
        self._qualifiers()      # attributes
        tag = self._type_name() if self.is_name() or self.text() == "`" else (
            None)
        if self.text() == "{":
            self._enter()
            if kind == "enum":
                self._enum_body(tag, start)
            else:
                self._struct_body(kind, tag, start)
            self.depth -= 1
        elif tag is None:
            self.fail("expected a name or '{' after '%s'" % kind)
        return [kind, tag]

    def _enter(self):
        self.depth += 1
        if self.depth > _DEPTH_LIMIT:
            self._too_deep()

    def _too_deep(self, limit=_DEPTH_LIMIT):
        self.report("TOO_DEEP", self.at, "this is nested more than %d levels "
                    "deep" % limit)
        raise Fault()

    def _struct_body(self, kind, tag, start):
        doc = self.tokens.before.get(start, [])
        members = []
        self.expect("{")
        while not self.accept("}"):
            members += self.member()
        self.structs.append(tree.Struct(
            kind, tag, members, doc, self.tokens.starts[start],
            self.tokens.end(self.at - 1)))

    def _enum_body(self, tag, start):
        values, seen = [], set()
        self.expect("{")
        while not self.accept("}"):
            at = self.take_name("an enumerator")
            name, first = self.texts[at], self.at + 1
            if name in seen:
                self.report("DUPLICATE_TYPE", at, "this enum has an "
                            "enumerator '%s' already" % name)
            seen.add(name)
            self.skip_to((",", "}"))
            values.append((name, self.spelled(first, self.at)
                           if first < self.at else None))
            if not self.accept(",") and self.text() != "}":
                self.fail("expected ',' or '}' after an enumerator")
        self.enums.append(tree.Enum(tag, values, self.tokens.starts[start],
                                    self.tokens.end(self.at - 1)))

    def member(self):
        """Returns the members that one declaration makes."""
        ctype = self.type()
        members = []
        while self.text() != ";":       # an anonymous union has no declarator
            member, bits = self.declared(ctype), None
            if self.accept(":"):
                if self.text() == ":":
                    self.at -= 1
                    self.fail("expected ';' after a member",
                              "a member must have a C type; for text, write "
                              "'string NAME' or 'char NAME[32]'")
                start = self.at
                self.skip_to((",", ";", "}"))
                bits = self.spelled(start, self.at)
            members.append(member._replace(bits=bits))
            if not self.accept(","):
                break
        if not members:
            members.append(self.declared(ctype))
        self.expect(";")
        doc = self.tokens.after.get(self.at - 1, [])
        if doc:
            members[-1] = members[-1]._replace(doc=members[-1].doc + doc)
        return members

    def declaration(self):
        """Parses one type with one declarator, such as an argument."""
        return self.declared(self.type())

    def declared(self, ctype):
        """Parses a declarator of ``ctype``, and returns the tree.Param."""
        first, self.inner = self.at, []
        derived, name_at = self.declarator()
        name = self.texts[name_at] if self.named else None
        return tree.Param(ctype, derived, name, name_at, first, self.at,
                          self.inner, None, [], ctype.start,
                          self.tokens.end(self.at - 1))

    def declarator(self):
        """Parses a declarator. Returns (derived, index of the name), see
        tree.Param; self.named says whether there is a name."""
        stars = []
        while self.text() in ("*", "^"):
            self.at += 1
            stars.append("*" + " ".join(self._qualifiers())
                         if self.text() in _OF_TYPES else "*")
        if self.is_name() and self.text(1) in (",", ")", ";") and (
                len(stars) <= _DEPTH_LIMIT):
            self.named = True   # the usual case: stars and a name
            self.at += 1
            return stars[::-1], self.at - 1
        self._qualifiers()      # attributes
        inner, name_at = [], self.at
        self.named = False
        if self.text() == "(" and self._declarator_follows():
            self._enter()
            self.at += 1
            inner, name_at = self.declarator()
            self.expect(")")
            self.depth -= 1
        elif self.is_name():
            self.named = True
            self.at += 1
        named = self.named
        suffixes = self._suffixes()
        self.named = named
        self._qualifiers()
        derived = inner + suffixes + stars[::-1]
        if len(derived) > _DEPTH_LIMIT:
            self._too_deep()
        return derived, name_at

    def _declarator_follows(self):
        """Returns whether `(` opens a declarator, and not the parameters of a
        function without a name."""
        return self.text(1) in ("*", "^", "(") or (
            self.text(1) in ATTRIBUTES) or (
                self.is_name(1) and self.text(2) in (")", "[", "(")
                and not ctypes_table.is_known_word(self.text(1)))

    def _suffixes(self):
        suffixes = []
        while self.text() in ("[", "("):
            if self.text() == "[":
                suffixes.append("[]")
                self.skip_balanced()
            else:
                suffixes.append("()")
                self._enter()
                self._function_parameters()
                self.depth -= 1
        return suffixes

    def _function_parameters(self):
        self.expect("(")
        while not self.accept(")"):
            if not self.accept("..."):
                self.inner.append(self.type())
                self.declarator()
            if not self.accept(",") and self.text() != ")":
                self.fail("expected ',' or ')' in a function's parameters")
