# SPDX-License-Identifier: BSD-2-Clause
"""The columns of a tables.def (lib/report/define.h), and the JSON Schema that
has a member for each. With SDTKIT_REGENERATE=1 what would be compared is
written."""

import collections
import json
import os
import pathlib
import re
import subprocess

Column = collections.namedtuple("Column", "group key title unit doc")

REGENERATE = os.environ.get("SDTKIT_REGENERATE") == "1"


def columns(path, directory):
    """The columns of a tables.def, by a program that is compiled there."""
    program = directory / "columns"
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11",
                    "-I", path.parent,
                    pathlib.Path(__file__).parent / "report" / "columns.c",
                    "-o", program], check=True)
    output = subprocess.run([program], stdout=subprocess.PIPE, check=True,
                            universal_newlines=True).stdout
    return [Column(*(None if field == "(none)" else field
                     for field in line.split("\t")))
            for line in output.splitlines()]


def members(columns, groups):
    """The columns of these groups that JSON has."""
    return [column for group in groups for column in columns
            if column.group == group and column.key is not None]


class Schema:
    """The text of a schema, which has a line for each simple member. types has
    the definitions of units; "number" is that of the others."""

    def __init__(self, path, types):
        self.path = path
        self.types = types
        self.lines = path.read_text().splitlines()
        self.before = list(self.lines)

    def written(self, column):
        """A member of an object."""
        text = ""
        if column.doc is not None:
            text = '"description": %s, ' % json.dumps(column.doc)
        return '"%s": {%s"$ref": "#/definitions/%s"}' % (
            column.key, text, self.types.get(column.unit, "number"))

    def find(self, pattern, begin, end):
        for at in range(begin, end):
            if re.match(pattern, self.lines[at]):
                return at
        return None

    def block(self, name, begin, end):
        """The lines of the member of that name, in the object at begin."""
        text = self.lines[begin]
        indent = len(text) - len(text.lstrip()) + 2
        begin = self.find(r' {%d}"%s": \{$' % (indent, name), begin, end)
        assert begin is not None, name
        end = self.find(r" {%d}\}" % indent, begin, end)
        return begin, end

    def object(self, path):
        begin, end = self.block("definitions", 0, len(self.lines))
        for name in path.replace("/", "/properties/").split("/"):
            begin, end = self.block(name, begin, end)
        return begin, end

    def put_required(self, path, column, after):
        begin, end = self.object(path)
        at = self.find(r' *"required": \[', begin, end)
        if '"%s"' % column.key in self.lines[at]:
            return
        old = '"%s"' % after if after else "["
        new = '"%s", "%s"' % (after, column.key) if after else (
            '["%s", ' % column.key)
        self.lines[at] = self.lines[at].replace(old, new, 1)

    def put_member(self, path, column, after):
        begin, end = self.object(path)
        begin, end = self.block("properties", begin, end)
        at = self.find(r' *"%s": ' % column.key, begin, end)
        if at is None:
            previous = self.find(r' *"%s": ' % after, begin, end)
            at = (begin if previous is None else previous) + 1
            self.insert(at, self.written(column), at == end)
        indent, line = re.match(r"( *)(.*)", self.lines[at]).groups()
        if re.match(r'"\w+": \{("description": ".*", )?'
                    r'"\$ref": "#/definitions/\w+"\},?$', line):
            comma = "," if line.endswith(",") else ""
            self.lines[at] = indent + self.written(column) + comma
        else:
            line = re.sub(r'"description": ".*?", ', "", line)
            self.lines[at] = indent + line.replace(
                ": {", ': {"description": %s, ' % json.dumps(column.doc), 1)

    def insert(self, at, text, last):
        """A member has a comma behind it unless it is the last one."""
        indent = re.match(" *", self.lines[at - 1]).group()
        if last:
            self.lines[at - 1] += ","
        self.lines.insert(at, indent + text + ("" if last else ","))

    def put(self, path, columns, optional, has_members=True):
        """Puts the members of an object, by its path: required, unless their
        groups are optional."""
        after = None
        for column in columns:
            if column.group not in optional:
                self.put_required(path, column, after)
            if has_members:
                self.put_member(path, column, after)
            after = column.key

    def compare(self):
        if REGENERATE:
            self.path.write_text("\n".join(self.lines) + "\n")
        else:
            assert self.before == self.lines
