# SPDX-License-Identifier: BSD-2-Clause
"""Which enum names the values of an argument.

    enum command { READ = 8, WRITE };
    #pragma sdtkit names command opcode
    provider smb2 {
            probe start(enum command kind, uint16_t opcode, int left);
    };

`kind` has its names by its type, `opcode` by the pragma; `left` has none. An
enum that tools could not show as it is meant (the value of an enumerator is
not a number, or does not fit) names nothing.
"""

from . import ctypes_table, model
from .translators import constant

SIZE_LIMIT = 1024       # enumerators; readers of notes refuse more
_TOP = 1 << 63          # a value in a note is below it


class Enums:
    """The enums of several files. ``names``: see pragmas.Pragmas."""

    def __init__(self, trees=(), diag=None, names=()):
        self.diag = diag
        self.made = {}      # id of a tree.Enum -> model.Enum
        self.fits = {}      # (id of a tree.Enum, least, most) -> why not
        self.shown = set()  # ids of the tree.Enums that name values
        self.first = {}     # (id of a tree, enumerator) -> the first of these
        self.wanted = {}    # (id of a tree, name of an argument) -> (tree,
        #                       Pragma, tree.Enum)
        self.used = set()   # keys of wanted
        for tree in trees:
            self._make(tree)
        for tree, pragma in names:
            self._want(tree, pragma)

    def model(self, node):
        """Returns the model.Enum of a tree.Enum."""
        return self.made[id(node)]

    def of_type(self, tree, words, ctype):
        """Returns the model.Enum whose names the values of a type show; None
        if there is none. words: those of the type; ctype: its tree.Type."""
        if words[0] != "enum":
            return None
        node = next((node for node in tree.enums if node.end == ctype.end
                     or node.tag and node.tag == words[1]), None)
        if node is None:
            self._check_spelling(tree, words[1], ctype)
            return None
        if self.model(node).name is None:
            return None
        why = self._why_not(node, -1 << 31, (1 << 31) - 1)
        if why:
            self._warn(tree, node, "tools cannot show the names of "
                       "'enum %s': %s" % (self.model(node).name, why))
            return None
        self._check_unique(tree, node)
        return self.model(node)

    def of_name(self, tree, name, ctype):
        """Returns the model.Enum that a pragma gives to the arguments of a
        name, for one of them; None if there is none. ctype: the argtype.Type
        of the argument."""
        key = id(tree), name
        if key not in self.wanted or ctype.kind not in (
                ctypes_table.SIGNED, ctypes_table.UNSIGNED) or (
                    ctype.marshaller):
            return None
        self.used.add(key)
        _, pragma, node = self.wanted[key]
        least, most = limits(ctype)
        why = self._why_not(node, least, most)
        if why:
            self._error("BAD_ENUM", tree, pragma, "'enum %s' cannot name the "
                        "values of '%s %s': %s" % (
                            self.model(node).name, ctype.spelling, name, why))
            return None
        self._check_unique(tree, node)
        return self.model(node)

    def check_used(self):
        """Reports names in pragmas that no argument has, when all arguments
        were resolved."""
        for key, (tree, pragma, _) in self.wanted.items():
            if key not in self.used:
                self._error("BAD_PRAGMA", tree, pragma, "no argument and no "
                            "member of a record is an integer '%s'" % key[1])

    def _make(self, tree):
        names_of, known = tree.names_by_end(), {}
        for node in tree.enums:
            numbers, last = [], -1
            for name, text in node.values:
                value = last + 1 if text is None and last is not None else (
                    constant.evaluate(text or "", known))
                numbers.append(value)
                last = known[name] = value
            self.made[id(node)] = model.Enum(
                node.tag or names_of.get(node.end), tuple(node.values),
                tuple(numbers))

    def _want(self, tree, pragma):
        enums = {self.model(node).name: node for node in reversed(tree.enums)}
        enums.pop(None, None)
        name = pragma.words[2]
        if name not in enums:
            self._error("UNKNOWN_ENUM", tree, pragma, "enum '%s' is not "
                        "declared in this file" % name,
                        self.diag.similar(name, enums))
            return
        for argument in pragma.words[3:]:
            key = id(tree), argument
            _, _, other = self.wanted.setdefault(
                key, (tree, pragma, enums[name]))
            if other is not enums[name]:
                self._error("BAD_PRAGMA", tree, pragma, "'enum %s' names the "
                            "values of '%s' already" % (
                                self.model(other).name, argument))

    def _why_not(self, node, least, most):
        """Returns why an enum cannot name the values from ``least`` to
        ``most``, or None."""
        key = id(node), least, most
        if key not in self.fits:
            self.fits[key] = _fault(self.model(node), least, most)
        return self.fits[key]

    def _check_unique(self, tree, node):
        """Warns of the second name of a value, which no tool shows, and of a
        name that another enum has too: to a script they are one constant."""
        first, enum = {}, self.model(node)
        if id(node) in self.shown:
            return
        self.shown.add(id(node))
        for name, _ in enum.values:
            other = self.first.setdefault((id(tree), name), enum)
            if other is not enum:
                self._warn(tree, node, "'enum %s' and 'enum %s' both have '%s'"
                           ": scripts can use only the first" % (
                               other.name, enum.name, name))
        for (name, _), number in zip(enum.values, enum.numbers):
            other = first.setdefault(number, name)
            if other != name:
                self._warn(tree, node, "'%s' and '%s' of 'enum %s' are both "
                           "%d: tools show '%s'" % (
                               other, name, enum.name, number, other))

    def _check_spelling(self, tree, name, ctype):
        """Warns of an enum that this file does not declare, though it declares
        one that is called nearly so. The header of the program may have it."""
        hint = self.diag.similar(name, [node.tag for node in tree.enums])
        if hint:
            self._warn(tree, ctype, "'enum %s' is not declared in this file, so "
                       "its values have no names" % name, hint)

    def _warn(self, tree, node, text, hint=None):
        self.diag.warn("enum-names", tree.source, node.start,
                       node.start + len("enum"), text, hint)

    def _error(self, code, tree, pragma, text, hint=None):
        self.diag.error(code, tree.source, pragma.start, pragma.end, text,
                        hint)


def _fault(enum, least, most):
    if not enum.values:
        return "it has no enumerators"
    if len(enum.values) > SIZE_LIMIT:
        return "it has %d enumerators, and a note holds at most %d" % (
            len(enum.values), SIZE_LIMIT)
    for (name, text), number in zip(enum.values, enum.numbers):
        if number is None:
            return "the value of '%s' is not a number that probegen can " \
                "compute%s" % (name, ", '%s'" % text if text else "")
        if not least <= number <= most:
            return "'%s' is %d, but its values go from %d to %d" % (
                name, number, least, most)
    return None


def limits(ctype):
    """Returns the least and the largest value of an integer. Plain char has
    the sign of the platform."""
    bits = 8 if ctype.is_char else ctype.bits
    if ctype.is_signed and not ctype.is_char:
        return -(1 << bits - 1), (1 << bits - 1) - 1
    return 0, min(1 << bits - ctype.is_char, _TOP) - 1
