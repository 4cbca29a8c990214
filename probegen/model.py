# SPDX-License-Identifier: BSD-2-Clause
"""What descriptions mean: checked, named, and all that an emitter may see.

``doc`` is a list of lines without comment marks, [] where there is none.
"""

import re
from collections import namedtuple

from . import marshallers

# the name in a declaration, and the sizes of an array
_DECLARED = re.compile(r"\w+(\[[^]]*\])*\Z")

# "e.g." and "0.5" go on
_SENTENCE = re.compile(r"(.*?)(?:(?<=[^.\s][^.\s])\.(?=\n|\s+[A-Z])|\Z)", re.S)

# name: base name of the description, as headers quote it
# headers: standard headers that declare the arguments' types, sorted
# tags: the argtype.Tag of each struct that arguments point to, in order of
# appearance
# records: what translated arguments point to, in order of appearance
# declarations: Struct, Enum and Typedef around the providers, in their order
# translators, inlines: of D, there too
Model = namedtuple("Model", "name providers headers tags records "
                   "declarations translators inlines")

# alias: a second provider name in each site's notes, or None
# attributes: what of the provider ("provider", "name", "args", ...) ->
#   stability, as in `#pragma D attributes Evolving/Evolving/Common provider x
#   provider`
Provider = namedtuple("Provider", "name doc probes alias attributes")

# name: as in the note; the others are the C names that belong to it
# single: one site per linked object, which all uses call
# args: what the site carries; inputs: what the macro takes, mostly the same
# passed: None, or where they differ C expressions, one for each parameter of
# the arguments, with the inputs in the struct `sdtkit_in`
Probe = namedtuple(
    "Probe", "provider name doc args inputs passed macro enabled function "
    "semaphore alias alias_semaphore single")


class Arg(namedtuple("Arg", "name identifier type stated written doc "
                     "parameters value members")):
    """An argument as tracers see it.

    name, stated: its name and its type as the description spells them
    written: the two as C joins them, `char *who`, `void (*done)(int)`
    identifier: what a C function calls it
    type: the argtype.Type of what the note carries
    parameters: the Parameters of the macro that make it, mostly one
    value: the expression that the note carries
    members: what the translator says for each field of its record, in C; a
      list for a field that is a record itself
    """

    kind = property(lambda self: self.type.kind)
    wire = property(lambda self: self.type.wire)
    record = property(lambda self: self.type.record)
    marshaller = property(lambda self: self.type.marshaller)
    # of what the note carries: `const char *sdtkit_who`
    declaration = property(lambda self: self.type.declare(self.identifier))


Arg.__new__.__defaults__ = ((),)      # members


class Parameter(namedtuple("Parameter", "identifier type")):
    """A parameter of a probe's macro; type: argtype.Type"""

    declaration = property(lambda self: self.type.declare(self.identifier))


# A struct of fixed layout that a translator fills; name: its tag; type: what
# the description calls it; fields: Field; size, align, offset: in bytes
Record = namedtuple("Record", "name type doc fields size align")


class Field(namedtuple("Field", "arg offset size sizes")):
    """A member of a record. arg: its name, and the type of it or, for an
    array, of its elements; sizes: of an array, else ()."""

    type = property(lambda self: self.arg.type)
    # the Record that the member is itself, or None
    record = property(lambda self: self.arg.record)
    is_pointer = property(lambda self: self.type.is_pointer)
    is_string = property(lambda self: self.arg.stated == "string")
    is_text = property(lambda self: self.type.is_char
                       and len(self.sizes) == 1)
    is_number = property(lambda self: not self.is_pointer and not self.sizes
                         and self.record is None)

    def converted(self, value):
        """C that gives a value the type of the member."""
        if self.type.is_bool:
            return "!!(%s)" % value
        return "SDTKIT_ARG_CAST(%s, %s)" % (self.type.in_script, value)


def leaves(record, path=(), offset=0):
    """(names, offset, Field) of all that is in a record, `("peer", "port")`
    for a member of a member."""
    for field in record.fields:
        names, at = path + (field.arg.name,), offset + field.offset
        if field.record is None:
            yield names, at, field
        else:
            yield from leaves(field.record, names, at)


def variables(probe):
    """For each argument of a probe a list of (name, path, offset, Field), of
    all that is in its record, with a name that nothing else has: `req_mid`."""
    taken, found = {arg.name for arg in probe.args}, []
    for arg in probe.args:
        found.append([])
        for path, offset, field in leaves(arg.record) if arg.record else ():
            name = "_".join((arg.name,) + path)
            while name in taken:
                name += "_"
            taken.add(name)
            found[-1].append((name, path, offset, field))
    return found


def rows(record, path="", offset=0):
    """(offset, declaration, documentation) of each member, and below one that
    is a record, of its members: `uint16_t peer.port`."""
    for field in record.fields:
        at = offset + field.offset
        yield at, _DECLARED.sub(lambda name: path + name[0],
                                field.arg.written), field.arg.doc
        if field.record:
            yield from rows(field.record, path + field.arg.name + ".", at)


# name: the tag, or the typedef's where there is none; tag: what a header can
# call it; members: Member
Struct = namedtuple("Struct", "kind name tag members doc")
Member = namedtuple("Member", "name type bits doc ctype")
Enum = namedtuple("Enum", "name values")        # values: (name, text or None)
Typedef = namedtuple("Typedef", "name type ctype")

# type: as declared; of it, words: without qualifiers, `struct` with the tag, or
# None; derived: as in the tree; sizes: what stands in the brackets of arrays
Ctype = namedtuple("Ctype", "words derived sizes")

# output, input: types; parameter: the input's name; members: (name, text)
Translator = namedtuple("Translator", "output input parameter members")
# is_struct: whether the type is a struct, which no script can declare
Inline = namedtuple("Inline", "name type value is_struct")


def manual(arg):
    """The documentation of an argument for who writes the program: with what a
    site passes, of which nothing is left where it is traced."""
    row = arg.marshaller
    return arg.doc + (["(%s: %s)" % (row.name, row.what)]
                      if row and row.what else [])


def of_kind(model, kind):
    """The declarations of a kind: Struct, Enum or Typedef."""
    return [each for each in model.declarations if isinstance(each, kind)]


def library(model, stands_alone=False):
    """The headers of sdtkit that a native header needs; one that stands alone
    has no more than it needs."""
    probes = [probe for provider in model.providers
              for probe in provider.probes]
    rows = [arg.marshaller for probe in probes for arg in probe.inputs
            if arg.marshaller]
    names = ["sdtkit/arg.h"] if rows else ["sdtkit/probe.h"]
    if stands_alone and rows:
        names = sorted({marshallers.part(row) for row in rows})
    if any(probe.single for probe in probes):
        names.append("sdtkit/site-single.h")
    if any(probe.passed is not None for probe in probes):
        names.append("sdtkit/record.h")
    return names


def summary(doc):
    """The first sentence of a documentation, without the full stop: up to one
    that ends a line or is followed by a capital, or the first paragraph."""
    paragraph = []
    for line in doc:
        if not line or paragraph and (line[0] in " \t"
                                      or line.startswith("- ")):
            break
        paragraph.append(line.strip())
    sentence = _SENTENCE.match("\n".join(paragraph))
    return " ".join(sentence[1].split("\n")).rstrip(".")
