# SPDX-License-Identifier: BSD-2-Clause
"""The layout of records: structs that a translator fills for tracers.

    typedef struct {
    	uint64_t mid;           offset 0, 8 bytes
    	uint16_t opcode;        offset 8, 2 bytes
    	string user;            offset 16, 8 bytes
    } info_t;                   size 24

A script has one idea of a struct, whatever machine the program runs on. So
each member lies at a multiple of its size, and addresses and machine words have
eight bytes. What has no size of its own cannot be a member.
"""

from . import ctypes_table, model, names


class Records:
    """Lays structs out; ``found`` are the records, in order."""

    def __init__(self, arguments, diag):
        self.arguments = arguments
        self.diag = diag
        self.found = []
        self.known = {}     # id of a Translator -> (fields, Record or None)

    def of(self, tree, translator):
        """(Args of the members, Record) that a translator fills; ([], None)
        where there is a fault, which is reported."""
        if id(translator) not in self.known:
            self.known[id(translator)] = self._look(tree, translator)
        return self.known[id(translator)]

    def _look(self, tree, translator):
        said = self.diag.count()
        self.arguments.enter(tree)
        struct = self._struct(tree, translator.output)
        if struct is None:
            name = _spelled(translator)
            self._error(tree, "BAD_RECORD", translator.output, "'%s' is no "
                        "struct that is declared here" % name,
                        "%s { ... };" % name if " " in name else
                        "typedef struct { ... } %s;" % name)
            return [], None
        self._check_members(tree, translator, struct)
        record = self._layout(tree, translator, struct)
        if self.diag.count() > said:
            return [], None
        same = next((r for r in self.found if r.name == record.name), None)
        if same and same != record:
            self._error(tree, "BAD_RECORD", translator.output, "another record "
                        "is called 'struct %s' too" % record.name)
        elif not same:
            self.found.append(record)
        return [field.arg for field in record.fields], record

    def _struct(self, tree, ctype):
        """The tree.Struct of an output type, or None."""
        for _ in range(len(tree.typedefs) + 1):
            if ctype.words[0] == "struct":
                return next((s for s in tree.structs if s.end == ctype.end
                             or s.tag and s.tag == ctype.words[1]), None)
            if ctype.words[0] not in tree.typedefs:
                return None
            param = tree.typedefs[ctype.words[0]]
            if param.derived:
                return None
            ctype = param.type
        return None

    def _layout(self, tree, translator, struct):
        fields, size = [], 0
        for index, member in enumerate(struct.members):
            field = self._field(tree, member, index)
            if field is None:
                continue
            offset = (size + field.size - 1) // field.size * field.size
            fields.append(field._replace(offset=offset))
            size = offset + field.size
        if not fields:
            self._error(tree, "BAD_RECORD", translator.output,
                        "'%s' has no members" % _spelled(translator))
        widest = max([field.size for field in fields] or [1])
        name = _spelled(translator)
        tag = struct.tag or names.tag(name, {s.tag for s in tree.structs})
        return model.Record(tag, name, struct.doc, fields,
                            (size + widest - 1) // widest * widest)

    def _field(self, tree, member, index):
        words, _, derived, _ = self.arguments.expand(member)
        row = ctypes_table.lookup(words)
        what = self._unfit(member, words, derived, row)
        if what:
            self._error(tree, "BAD_RECORD", member,
                        "%s cannot be in a record" % what,
                        "members are integers, enums, pointers and strings")
            return None
        arg = self.arguments.resolve(member, index)
        if arg.kind == ctypes_table.POINTER:
            return model.Field(arg, None, 0, 8)
        if words[0] == "enum":
            return model.Field(arg, "int", 0, 4)
        return model.Field(arg, ctypes_table.script_type(row), 0,
                           ctypes_table.script_bytes(row))

    @staticmethod
    def _unfit(member, words, derived, row):
        """Why a member has no place in a record, or None."""
        if member.name is None:
            return "a member without a name"
        if member.bits is not None:
            return "a bit-field"
        if any(step[0] != "*" for step in derived):
            return "an array or a function"
        if not derived and words[0] in ("struct", "union"):
            return "a %s" % words[0]
        if derived or words[0] in ("enum", "string"):
            return None
        if row is None or row.kind not in (ctypes_table.SIGNED,
                                           ctypes_table.UNSIGNED):
            return "'%s'" % " ".join(words)
        return None

    # ----------------------------------------------------------------- checks

    def _check_members(self, tree, translator, struct):
        """Each member once, and nothing else."""
        declared = {member.name for member in struct.members}
        assigned = set()
        for member in translator.members:
            if member.name not in declared:
                self._error(tree, "BAD_MEMBER", member, "'%s' has no member "
                            "'%s'" % (_spelled(translator), member.name))
            elif member.name in assigned:
                self._error(tree, "BAD_MEMBER", member, "'%s' is made twice"
                            % member.name)
            assigned.add(member.name)
        for member in struct.members:
            if member.name and member.name not in assigned:
                self._error(tree, "BAD_MEMBER", translator, "it does not make "
                            "member '%s'" % member.name,
                            "%s = 0;" % member.name)

    def _error(self, tree, code, node, text, hint=None):
        self.diag.error(code, tree.tokens.source, node.start, node.end, text,
                        hint)


def _spelled(translator):
    return " ".join(filter(None, translator.output.words))
