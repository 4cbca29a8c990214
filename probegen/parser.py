# SPDX-License-Identifier: BSD-2-Clause
"""Tokens to tree.

    file      = { provider } ;
    provider  = "provider" NAME "{" { probe } "}" [ ";" ] ;
    probe     = "probe" NAME "(" [ "void" | params ] ")" ";" ;
    params    = param { "," param } ;
    param     = type { "*" { qualifier } } [ NAME ] [ "[" [ NUMBER ] "]" ] ;
    type      = { qualifier } ( ( "struct" | "union" | "enum" ) NAME
              | word { word | qualifier } | NAME ) { qualifier } ;
    qualifier = "const" | "volatile" | "restrict" ;

One method per production. After an error the parser goes on behind the next
`;`, so that one fault does not hide the next.
"""

from . import ctypes_table, lexer, tree

QUALIFIERS = ("const", "volatile", "restrict")
TAGS = ("struct", "union", "enum")


def parse(tokens, diag):
    """The tree of ``tokens``; what could not be parsed is left out of it."""
    return _Parser(tokens, diag).file()


class _Fault(Exception):
    """An error was reported; unwinds to where parsing can go on."""


class _Parser:
    def __init__(self, tokens, diag):
        self.source = tokens.source
        self.tokens = tokens.tokens
        self.before = tokens.before
        self.after = tokens.after
        self.diag = diag
        self.at = 0

    # ----------------------------------------------------------- productions

    def file(self):
        providers = []
        while self._kind() != lexer.END:
            try:
                providers.append(self.provider())
            except _Fault:
                self._skip_to_provider()
        return tree.File(self.source, providers)

    def provider(self):
        first = self.at
        self._expect("provider")
        name = self._name("the provider's name")
        self._expect("{")
        probes = []
        while self._text() != "}":
            if self._text() == "provider" or self._kind() == lexer.END:
                self._fail("expected 'probe' or '}'")
            try:
                probes.append(self.probe())
            except _Fault:
                if not self._skip_to_probe():
                    raise
        self.at += 1
        if self._text() == ";":
            self.at += 1
        return tree.Provider(name.text, self.before.get(first, []), probes,
                             name.start, name.end)

    def probe(self):
        first = self.at
        self._expect("probe")
        name = self._name("the probe's name")
        self._expect("(")
        if self._text() == "void" and self._text(1) == ")":
            self.at += 1
        params = [] if self._text() == ")" else self.params()
        self._expect(")")
        self._expect(";")
        doc = self.before.get(first, []) + self._doc_behind(first, params)
        return tree.Probe(name.text, doc, params, name.start, name.end)

    def params(self):
        params = [self.param()]
        while self._text() == ",":
            self.at += 1
            params.append(self.param())
        return params

    def param(self):
        first = self.at
        words, qualifiers = self.type()
        type_end = self.tokens[self.at - 1].end
        pointers = []
        while self._text() == "*":
            self.at += 1
            pointers.append(tuple(self._qualifiers()))
        name = None
        if self._kind() == lexer.IDENTIFIER:
            name = self.tokens[self.at]
            self.at += 1
        if self._text() == "[":
            self.at += 1
            if self._kind() == lexer.NUMBER:
                self.at += 1
            self._expect("]")
            pointers.append(())
        if self._text() not in (",", ")"):
            self._fail("expected ',' or ')' after an argument")
        last = self.tokens[self.at - 1]
        return tree.Param(words, qualifiers, pointers, name and name.text,
                          self._param_doc(first), self.tokens[first].start,
                          last.end, type_end, name.start if name else None)

    def type(self):
        qualifiers = self._qualifiers()
        words = []
        if self._text() in TAGS:
            words = [self._text()]
            self.at += 1
            words.append(self._name("the tag of the %s" % words[0]).text)
            return words, qualifiers + self._qualifiers()
        if self._text() not in ctypes_table.BASIC_WORDS:
            words.append(self._name("a type").text)
            return words, qualifiers + self._qualifiers()
        while self._text() in ctypes_table.BASIC_WORDS:
            words.append(self._text())
            self.at += 1
            qualifiers += self._qualifiers()
        return words, qualifiers

    def _qualifiers(self):
        found = []
        while self._text() in QUALIFIERS:
            found.append(self._text())
            self.at += 1
        return found

    # --------------------------------------------------------- documentation

    def _param_doc(self, first):
        """The comments within an argument, behind it and behind its comma;
        where there is none, the one above it."""
        last = self.at if self._text() == "," else self.at - 1
        doc = []
        for index in range(first, last + 1):
            doc += self.after.get(index, [])
        return doc or self.before.get(first, [])

    def _doc_behind(self, first, params):
        """The comment behind `)` or `;`. It belongs to the last argument where
        that has a line of its own, else to the probe."""
        doc = self.after.get(self.at - 2, []) + self.after.get(self.at - 1, [])
        if not doc or not params:
            return doc
        line = self.source.line_number
        start = line(params[-1].start)
        if (start != line(self.tokens[first].start)
                and start == line(self.tokens[self.at - 2].start)):
            params[-1] = params[-1]._replace(doc=params[-1].doc + doc)
            return []
        return doc

    # ----------------------------------------------------------------- tools

    def _text(self, ahead=0):
        index = min(self.at + ahead, len(self.tokens) - 1)
        return self.tokens[index].text

    def _kind(self):
        return self.tokens[self.at].kind

    def _name(self, what):
        token = self.tokens[self.at]
        if token.kind != lexer.IDENTIFIER:
            self._fail("expected %s" % what)
        self.at += 1
        return token

    def _expect(self, text):
        if self._text() == text:
            self.at += 1
        elif text == ";" and self._kind() != lexer.END:
            self._missing_semicolon()
        else:
            self._fail("expected '%s'" % text)

    def _missing_semicolon(self):
        """Points behind the last token, where the `;` is missing. What follows
        is parsed as if it were there when it looks like a beginning."""
        last = self.tokens[self.at - 1]
        self.diag.error("MISSING_SEMICOLON", self.source, last.end,
                        last.end + 1, "expected ';' before %s" % self._found(),
                        "close the probe with ');'")
        if self._text() not in ("probe", "}"):
            raise _Fault()

    def _fail(self, text):
        token = self.tokens[self.at]
        if token.kind == lexer.END:
            self.diag.error("UNEXPECTED_END", self.source, token.start,
                            token.end, text + ", found the end of the file")
        else:
            self.diag.error("UNEXPECTED_TOKEN", self.source, token.start,
                            token.end, "%s, found %s" % (text, self._found()))
        raise _Fault()

    def _found(self):
        token = self.tokens[self.at]
        shown = token.text if len(token.text) <= 40 else token.text[:40] + "..."
        return "the end of the file" if token.kind == lexer.END else (
            "'%s'" % shown)

    def _skip_to_probe(self):
        """Moves to the next `probe` or `}`; False where a provider begins or
        the file ends before one."""
        while self._kind() != lexer.END and self._text() != "provider":
            if self._text() in ("probe", "}"):
                return True
            self.at += 1
        return False

    def _skip_to_provider(self):
        while self._kind() != lexer.END and self._text() != "provider":
            self.at += 1
