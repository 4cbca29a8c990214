# SPDX-License-Identifier: BSD-2-Clause
"""Parses tokens into a tree.

    file        = { provider | typedef | declaration | translator | inline
                  | clause | ";" } ;
    provider    = "provider" NAME "{" { probe } "}" [ ";" ] ;
    probe       = "probe" NAME params [ ":" params ] ";" ;
    params      = "(" [ "void" | param { "," param } ] ")" ;
    param       = type declarator ;
    typedef     = "typedef" type declarator { "," declarator } ";" ;
    declaration = type [ declarator { "," declarator } ] ";" ;
    translator  = "translator" type "<" type declarator ">"
                  "{" { NAME "=" expression ";" } "}" ";" ;
    inline      = "inline" type declarator "=" expression ";" ;
    clause      = probe descriptions [ "/" predicate "/" ] "{" ... "}" ;

For types and declarators see ``declarations``. The clauses of scripts that may
stand between providers are passed over. After an error the parser continues at
the next probe or provider, so that one error does not hide the next.
"""

from . import ctypes_table, lexer, tree
from .cursor import Fault
from .declarations import QUALIFIERS, STORAGE, TAGS, Declarations

_ITEMS = TAGS | {"provider", "typedef", "translator", "inline"}
_PROBE_DESCRIPTION = frozenset(list(":*?-$`,[]!.+") + ["--", "++"])


def parse(tokens, diag, preprocessed=False):
    """Returns the tree of ``tokens``. Whatever has a syntax error is left out
    of the tree.

    preprocessed: the text went through the C preprocessor. Then the
    declarations of any header may surround the providers, and those that the
    parser does not understand are passed over.
    """
    return _Parser(tokens, diag, preprocessed).file()


class _Parser(Declarations):
    def __init__(self, tokens, diag, preprocessed):
        Declarations.__init__(self, tokens, diag)
        self.preprocessed = preprocessed
        self.typedefs = {}
        self.translators = []
        self.inlines = []

    # ------------------------------------------------------------------ file

    def file(self):
        providers = []
        while not self.at_end():
            first = self.at
            try:
                if self.text() == "provider" and not self.preprocessed or (
                        self.text() == "provider" and self.text(2) == "{"):
                    providers.append(self.provider())
                else:
                    self.item()
            except Fault:
                self.diag.unread = True
                self.depth = 0
                self.at = max(self.at, min(first + 1, len(self.texts) - 1))
                while not self.at_end() and self.text() != "provider":
                    self.at += 1
        pragmas, directives = self._directives()
        return tree.File(self.tokens, providers, self.typedefs, self.structs,
                         self.enums, self.translators, self.inlines, pragmas,
                         directives)

    def item(self):
        """Parses what may stand between providers."""
        text = self.text()
        if text == ";":
            self.at += 1
        elif text == "translator" and not self.preprocessed:
            self.translator()
        elif self.preprocessed and not self._clause_ahead():
            self._foreign_declaration()
        elif text == "typedef":
            self.typedef()
        elif text == "inline":
            self.inline()
        elif (text in TAGS or text in QUALIFIERS or text in STORAGE
              or text in ctypes_table.BASIC_WORDS or text in self.typedefs):
            self.declaration_list()
        else:
            self.clause()

    def _foreign_declaration(self):
        """Parses a declaration from a C header. It is passed over if it cannot
        be parsed."""
        first, mark = self.at, self.diag.mark()
        try:
            if self.text() == "typedef":
                self.typedef()
            elif self.text() == "translator":
                self.translator()
            elif self.text() == "inline":
                self.inline()
            else:
                self.declaration_list()
        except Fault:
            self.diag.forget(mark)
            self.depth = 0
            self.at = first
            self._skip_declaration()

    def _skip_declaration(self):
        """Passes `...;` or `... { ... }`, whichever ends first."""
        self.at += 1
        try:
            self.skip_to((";", "{", "provider"))
            if self.text() == "{":
                self.skip_balanced()
            self.accept(";")
        except Fault:
            self.at = len(self.texts) - 1

    def _directives(self):
        """Divides the lines that begin with '#' into pragmas and others."""
        pragmas, directives = [], []
        text = self.tokens.source.text
        for start, end in self.tokens.directives:
            words = text[start + 1:end].split()
            if words and words[0] == "pragma":
                pragmas.append(tree.Pragma(
                    words[1:], self.tokens.above.get(len(pragmas), []), start,
                    end))
            else:
                directives.append((start, end))
        return pragmas, directives

    # -------------------------------------------------------------- provider

    def provider(self):
        first = self.at
        self.expect("provider")
        name = self.take_name("the provider's name")
        self.expect("{", self._hyphens(name, "_"))
        probes = []
        while not self.accept("}"):
            try:
                if self.text() == "provider" or self.at_end():
                    self.fail("expected 'probe' or '}'")
                probes.append(self.probe())
            except Fault:
                self.depth = 0
                if not self._find_probe():
                    raise
        self.accept(";")
        return tree.Provider(
            self.texts[name], self.tokens.before.get(first, []), probes,
            self.tokens.starts[name], self.tokens.end(name))

    def _find_probe(self):
        """Moves to the next `probe` or `}`. Returns False if a provider begins
        or the file ends before one."""
        while not self.at_end() and self.text() != "provider":
            if self.text() in ("probe", "}"):
                return True
            self.at += 1
        return False

    def probe(self):
        first = self.at
        if not self.accept("probe"):
            self.fail("expected 'probe'",
                      self.diag.similar(self.text(), ("probe",)))
        name = self.take_name("the probe's name")
        hint = self._hyphens(name, "__")
        params, translated = self.params(hint and hint + (
            ": DTrace shows '__' as '-'")), None
        if self.accept(":"):
            translated = self.params()
        self._semicolon()
        doc = self.tokens.before.get(first, [])
        behind = self._doc_behind(first, translated or params)
        return tree.Probe(self.texts[name], doc + behind, params, translated,
                          self.tokens.starts[name], self.tokens.end(name))

    def _hyphens(self, name, joint):
        """Returns the hint for a name with hyphens, whose first token is
        ``name``; None for any other name."""
        at, parts = name + 1, [self.texts[name]]
        while self.texts[at] in ("-", "--") and (
                self.kinds[at + 1] == lexer.NAME):
            parts.append(self.texts[at + 1])
            at += 2
        if len(parts) == 1:
            return None
        return "write '%s'" % joint.join(parts)

    def params(self, hint=None):
        self.expect("(", hint)
        if self.text() == "void" and self.text(1) == ")":
            self.at += 1
        if self.accept(")"):
            return []
        params = [self.param()]
        while self.accept(","):
            params.append(self.param())
        self.expect(")")
        return params

    def param(self):
        param = self.declaration()
        if self.text() not in (",", ")"):
            self.fail("expected ',' or ')' after an argument",
                      self.is_name(-1) and self._hyphens(self.at - 1, "_")
                      or None)
        doc = self._param_doc(param.type.first)
        return param._replace(doc=doc) if doc else param

    def _semicolon(self):
        """Passes `;`. If it is missing, reports that, and continues as if it
        were there if a probe or the end of the provider follows."""
        if self.accept(";"):
            return
        if self.at_end():
            self.fail("expected ';'")
        end = self.tokens.end(self.at - 1)
        self.diag.error("MISSING_SEMICOLON", self.tokens.source, end, end + 1,
                        "expected ';' before %s" % self.found(),
                        "close the probe with ');'")
        if self.text() not in ("probe", "}"):
            raise Fault()

    # --------------------------------------------------------- documentation

    def _param_doc(self, first):
        """Returns the documentation of an argument: the comments within it,
        behind it, and behind its comma or the bracket before a colon; if there
        are none, the comment above it."""
        is_inside = self.text() == "," or self.text(1) == ":"
        last = self.at if is_inside else self.at - 1
        after, doc = self.tokens.after, []
        for index in range(first, last + 1):
            if index in after:
                doc = doc + after[index]
        return doc or self.tokens.before.get(first, [])

    def _doc_behind(self, first, params):
        """Returns the comment behind `)` or `;`, if it describes the probe. If
        the last argument has a line of its own, the comment is given to that
        argument."""
        after = self.tokens.after
        doc = after.get(self.at - 2, []) + after.get(self.at - 1, [])
        if not doc or not params:
            return doc
        starts = self.tokens.starts
        if (self._on_different_lines(starts[first], params[-1].start)
                and not self._on_different_lines(params[-1].end,
                                                 starts[self.at - 2])):
            params[-1] = params[-1]._replace(doc=params[-1].doc + doc)
            return []
        return doc

    def _on_different_lines(self, start, end):
        """Returns whether two offsets were on different lines of the file; the
        preprocessor adds line breaks."""
        source = self.tokens.source
        return "\n" in source.text[start:end] and (
            not self.preprocessed
            or source.position(start)[1] != source.position(end)[1])

    # ---------------------------------------------------- other declarations

    def typedef(self):
        self.expect("typedef")
        ctype = self.type()
        while True:
            param = self.declared(ctype)
            if param.name is None:
                self.fail("expected a name for the type")
            if param.name in self.typedefs and not self.preprocessed:
                self.report("DUPLICATE_TYPE", param.name_at,
                            "type '%s' is declared twice" % param.name)
            self.typedefs[param.name] = param
            if not self.accept(","):
                break
        self.expect(";")

    def declaration_list(self):
        """Parses a struct, union or enum; passes over variables and functions,
        which say nothing about probes."""
        self.type()
        while not self.accept(";"):
            if self.text() == "provider" and self.text(2) == "{":
                self.fail("expected ';' after a declaration")
            self.declarator()
            if self.text() == "{" and self.preprocessed:
                self.skip_balanced()
                return
            if self.accept("="):
                self.skip_to((",", ";"))
            if not self.accept(",") and self.text() != ";":
                self.fail("expected ';' after a declaration")

    def translator(self):
        first = self.at
        self.expect("translator")
        output = self.type()
        while self.accept("*"):
            pass
        self.expect("<")
        source = self.declaration()
        self.expect(">")
        self.expect("{")
        members = []
        while not self.accept("}"):
            name = self.take_name("a member's name")
            self.expect("=")
            members.append(tree.Assignment(
                self.texts[name], self._value((";", "}")),
                self.tokens.starts[name], self.tokens.end(name)))
            self.expect(";")
        self.accept(";")
        self.translators.append(tree.Translator(
            output, source, members, self.tokens.starts[first],
            self.tokens.end(self.at - 1)))

    def inline(self):
        """Parses a constant of D. The inline function of a C header looks the
        same up to the `=`."""
        first = self.at
        self.expect("inline")
        param = self.declaration()
        if self.preprocessed and self.text() == "{":
            self.skip_balanced()
            return
        if self.text() == "[":      # the constant is an associative array
            self.skip_balanced()
        self.expect("=")
        self.inlines.append(tree.Inline(
            param, self._value((";",)), self.tokens.starts[first],
            self.tokens.end(self.at - 1)))
        self.expect(";")

    def _value(self, stops):
        """Passes an expression. It is parsed only when it is used."""
        first = self.at
        self.skip_to(stops)
        text = self.spelled(first, self.at) if first < self.at else ""
        return tree.Value(text, first, self.at)

    def _clause_ahead(self):
        """Returns whether the clause of a script begins here: `BEGIN {`,
        `a:b:c:d /`."""
        return self.text(1) in ("{", "/", ":") and self.text() not in TAGS

    def _fail_at_item(self):
        self.fail("expected 'provider' or a declaration",
                  self.diag.similar(self.text(), _ITEMS))

    def clause(self):
        """Passes over the clause of a script."""
        first, last_was_name = self.at, False
        while self.text() not in ("{", "/"):
            is_name = self.kinds[self.at] in (lexer.NAME, lexer.NUMBER)
            if self.at_end() or is_name and last_was_name or not (
                    is_name or self.text() in _PROBE_DESCRIPTION):
                self.at = first
                self._fail_at_item()
            last_was_name = is_name
            self.at += 1
        if self.at == first:
            self._fail_at_item()
        while self.text() != "{" and not self.at_end():
            self.at += 1
        if self.at_end():
            self.fail("expected '{' before the body of a clause")
        self.skip_balanced()
