# SPDX-License-Identifier: BSD-2-Clause
"""The layout of records: structs that a translator fills for tracers.

    typedef struct {
    	uint64_t mid;           offset 0, 8 bytes
    	uint16_t opcode;        offset 8, 2 bytes
    	string user;            offset 16, 8 bytes
    } info_t;                   size 24

A script assumes one layout, whatever machine the program runs on. So the
offset of a member is a multiple of its size; that of an array, a multiple of
the size of its elements; that of a struct, a multiple of the size of its
widest member. Addresses and machine words have eight bytes. A type without a
fixed size cannot be a member.
"""

from .. import argtype, ctypes_table, model, names
from ..declarations import TAGS

_SIZE_LIMIT = 4096      # bytes of a record, which is on the program's stack
_DIMENSIONS = 2


class Records:
    """Computes the layout of structs. ``found`` are the records in order; a
    record that is a member of another comes first.

    number: a function that returns the value of a size as it is written, or
    None.
    """

    def __init__(self, arguments, number, diag):
        self.arguments = arguments
        self.number = number
        self.diag = diag
        self.found = []
        self.known = {}     # id of a Translator -> (fields, Record or None)
        self.structs = {}   # id of a Struct -> Record or None
        self.open = set()   # ids of Structs whose layout is being computed

    def of(self, tree, translator):
        """Returns (fields, Record) that a translator fills; ([], None) after a
        fault, which was reported."""
        if id(translator) not in self.known:
            self.known[id(translator)] = self._look(tree, translator)
        return self.known[id(translator)]

    def _look(self, tree, translator):
        said = self.diag.count()
        struct = self._struct(tree, translator.output)
        if struct is not None:
            self._check_members(tree, translator, struct)
        record = self._record(tree, translator.output)
        if record is None or self.diag.count() > said:
            return [], None
        return record.fields, record

    def _record(self, tree, ctype):
        """Returns the Record that a type names, or None."""
        struct = self._struct(tree, ctype)
        if struct is None:
            name = _spelled(ctype)
            self._error(tree, "BAD_RECORD", ctype, "'%s' is not a struct "
                        "declared in this file" % name, "declare it: " + (
                            "%s { ... };" if ctype.words[0] in TAGS else
                            "typedef struct { ... } %s;") % name)
            return None
        if id(struct) not in self.structs:
            self.structs[id(struct)] = None     # if it contains itself
            self.open.add(id(struct))
            self.structs[id(struct)] = self._layout(tree, ctype, struct)
            self.open.remove(id(struct))
        return self.structs[id(struct)]

    def _struct(self, tree, ctype):
        """Returns the tree.Struct of a type, or None."""
        for _ in range(len(tree.typedefs) + 1):
            if ctype.words[0] == "struct":
                return next((s for s in tree.structs if s.kind == "struct"
                             and (s.end == ctype.end
                                  or s.tag and s.tag == ctype.words[1])), None)
            if ctype.words[0] not in tree.typedefs:
                return None
            param = tree.typedefs[ctype.words[0]]
            if param.derived:
                return None
            ctype = param.type
        return None

    def _layout(self, tree, ctype, struct):
        """Returns the Record of a struct, or None after a fault."""
        said, fields, size, widest = self.diag.count(), [], 0, 1
        self._check_names(tree, struct)
        for member in struct.members:
            field, align = self._field(tree, member)
            if field is None:
                continue
            offset = _up(size, align)
            fields.append(field._replace(offset=offset))
            size, widest = offset + field.size, max(widest, align)
        name = _spelled(ctype)
        if not fields and self.diag.count() == said:
            self._error(tree, "BAD_RECORD", ctype,
                        "'%s' has no members" % name)
        elif size > _SIZE_LIMIT:
            self._error(tree, "BAD_RECORD", ctype, "'%s' has %d bytes, but a "
                        "record has at most %d" % (name, size, _SIZE_LIMIT),
                        "make it smaller: a record is on the program's stack")
        if self.diag.count() > said:
            return None
        tag = struct.tag or names.tag(name, {s.tag for s in tree.structs})
        return self._found(tree, ctype, model.Record(
            tag, name, struct.doc, fields, _up(size, widest), widest))

    def _found(self, tree, ctype, record):
        """Adds a record to ``found``; reports another one with the same tag.
        """
        same = next((r for r in self.found if r.name == record.name), None)
        if same and same != record:
            self._error(tree, "BAD_RECORD", ctype, "two different records "
                        "are called 'struct %s'" % record.name,
                        "choose another name for one of them")
            return None
        if not same:
            self.found.append(record)
        return record

    # ---------------------------------------------------------------- members

    def _field(self, tree, member):
        """Returns (Field without its offset, alignment), or (None, 1) after a
        fault."""
        words, _, derived, _ = self.arguments.expand(tree, member)
        row = ctypes_table.lookup(words)
        what, hint = self._unfit(member, words, derived, row)
        if what:
            self._error(tree, "BAD_RECORD", member,
                        "a record cannot contain %s" % what, hint)
            return None, 1
        if words[0] == "struct" and not derived:
            return self._nested(tree, member)
        if derived and derived[0] == "[]":
            return self._array(tree, member, row)
        arg = self.arguments.resolve(tree, member, 0)
        return model.Field(arg, 0, arg.type.bytes, ()), arg.type.bytes

    def _nested(self, tree, member):
        record = self._record(tree, member.type)
        if record is None:
            if id(self._struct(tree, member.type)) in self.open:
                self._error(tree, "BAD_RECORD", member, "'%s' cannot have the "
                            "type of the struct that contains it"
                            % member.name, "use a pointer")
            return None, 1
        arg = self._arg(tree, member, argtype.record_itself(record))
        return model.Field(arg, 0, record.size, ()), record.align

    def _array(self, tree, member, row):
        element = argtype.number(row) if row else argtype.ENUM
        sizes, total = [], element.bytes
        for text in self._sizes(tree, member):
            number = self.number(text)
            if not number:
                self._error(tree, "BAD_RECORD", member,
                            "'%s' is not a number of elements" % text if text
                            else "the array '%s' has no size" % member.name,
                            "write a number, or the name of a constant")
                return None, 1
            sizes.append(number)
            total *= number
        return model.Field(self._arg(tree, member, element), 0, total,
                           tuple(sizes)), element.bytes

    def _sizes(self, tree, member):
        """Returns the texts in the brackets of an array, and of its typedefs.
        """
        sizes = self.arguments.sizes(tree, member)
        word = member.type.words[0]
        for _ in range(len(tree.typedefs)):
            if word in ctypes_table.NAMED or word not in tree.typedefs:
                break
            sizes += self.arguments.sizes(tree, tree.typedefs[word])
            word = tree.typedefs[word].type.words[0]
        return sizes

    def _arg(self, tree, member, ctype):
        name = member.name
        return self.arguments.named_by(tree, model.Arg(
            name=name, identifier=names.identifier(name), type=ctype,
            declared_type=self.arguments.declared(tree, member),
            written=self.arguments.spell(tree, member, name), doc=member.doc,
            parameters=(), value=None,
            enum=self.arguments.enum(tree, member)))

    @staticmethod
    def _unfit(member, words, derived, row):
        """Returns (why a record cannot contain a member, hint), or (None,
        None)."""
        hint = "use an integer, an enum, a pointer, a string, a struct, or " \
            "an array of integers or characters"
        if member.name is None:
            return "a member without a name", hint
        if member.bits is not None:
            return "a bit-field", hint
        if "()" in derived:
            return "a function or the address of one", (
                "write 'void *%s;' for an address" % member.name)
        if derived and "[]" in derived:
            if any(step != "[]" for step in derived):
                return "an array of addresses or the address of an array", (
                    hint)
            if len(derived) > _DIMENSIONS:
                return "an array of more than %d dimensions" % _DIMENSIONS, (
                    None)
            if words == ["string"]:
                return "an array of strings", (
                    "write 'char NAME[SIZE]' for one string")
            if words[0] in ("struct", "union"):
                return "an array of %ss" % words[0], hint
        elif derived or words == ["string"]:
            return None, None
        if words[0] == "struct" and words[1] is None and (
                member.type.words[0] == "struct"):
            return "a struct without a name", (
                "declare the struct outside, and give it a name")
        if words[0] in ("struct", "enum"):
            return None, None
        if row is None or row.kind not in (ctypes_table.SIGNED,
                                           ctypes_table.UNSIGNED):
            return ("a union" if words[0] == "union" else
                    "'%s'" % " ".join(words)), hint
        return None, None

    # ----------------------------------------------------------------- checks

    def _check_names(self, tree, struct):
        """Reports names that a generated header cannot use, and members with
        the same name."""
        if struct.tag and not names.can_spell(struct.tag):
            self._error(tree, "RESERVED_NAME", struct, "a header for C and "
                        "C++ cannot use the name 'struct %s'" % struct.tag,
                        "choose another name for the struct")
        found = set()
        for member in struct.members:
            if member.name is None:
                continue        # _unfit() reports it
            if member.name in found:
                self._error(tree, "BAD_RECORD", member, "two members have the "
                            "name '%s'" % member.name)
            elif not names.can_spell(member.name):
                self._error(tree, "RESERVED_NAME", member, "a header for C "
                            "and C++ cannot use the name '%s' for a member"
                            % member.name,
                            "choose another name, such as '%s_'" % member.name)
            found.add(member.name)

    def _check_members(self, tree, translator, struct):
        """Reports members that the translator does not assign, assigns twice,
        or that do not exist."""
        declared = {member.name for member in struct.members}
        assigned = set()
        for member in translator.members:
            if member.name not in declared:
                missing = declared - {m.name for m in translator.members}
                hint = self.diag.similar(member.name, missing)
                self._error(tree, "BAD_MEMBER", member, "'%s' has no member "
                            "'%s'" % (_spelled(translator.output),
                                      member.name), hint)
                if hint:        # so the member that is meant is assigned
                    assigned.add(hint.split("'")[1])
            elif member.name in assigned:
                self._error(tree, "BAD_MEMBER", member,
                            "'%s' is assigned twice" % member.name)
            assigned.add(member.name)
        for member in struct.members:
            if member.name and member.name not in assigned:
                self._error(tree, "BAD_MEMBER", translator, "the translator "
                            "does not assign member '%s'" % member.name,
                            "assign it: %s = 0;" % member.name)

    def _error(self, tree, code, node, text, hint=None):
        self.diag.error(code, tree.source, node.start, node.end, text,
                        hint)


def _up(size, align):
    return (size + align - 1) // align * align


def _spelled(ctype):
    return " ".join(filter(None, ctype.words))
