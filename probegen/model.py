# SPDX-License-Identifier: BSD-2-Clause
"""The meaning of a description, after all checks: this is all that an emitter
sees.

In all classes, ``doc`` is the documentation: a list of lines without comment
marks, [] if there is none.
"""

import re
from collections import namedtuple

from . import marshallers

# the name at the end of a declaration, with the brackets of an array
_DECLARED = re.compile(r"\w+(\[[^]]*\])*\Z")

# the full stops of "e.g." and "0.5" do not end a sentence
_SENTENCE = re.compile(r"(.*?)(?:(?<=[^.\s][^.\s])\.(?=\n|\s+[A-Z])|\Z)", re.S)

# name: the base name of the description, which outputs quote
# headers: the standard headers that declare the arguments' types, sorted
# tags: the argtype.Tag of each struct that arguments point to, in the order of
#   their appearance
# records: the Records that arguments point to, in the order of appearance
# declarations: the Structs, Enums and Typedefs of the file, in their order
# translators, inlines: those of D in the file
Model = namedtuple("Model", "name providers headers tags records "
                   "declarations translators inlines")

# alias: the name of a second provider in the notes of each site, or None
# attributes: part of the provider ("provider", "name", "args", ...) ->
#   stability, from `#pragma D attributes Evolving/Evolving/Common provider x
#   provider`
# spans: its Spans; groups: the Groups of its probes
Provider = namedtuple("Provider", "name doc probes alias attributes spans "
                      "groups")

# What begins at some probes and ends at others, see probegen/spans.py.
# alias: that of its provider; properties: (name, text) of each, as the note
#   has them; probes: its SpanProbes; is_by_thread: whether the key is the
#   thread, so that its probes have no keys
# errors: a SpanErrors, or None; parent: (provider, name) of a Span, or None
# time: what arguments of its ends tell, "duration" or "started", or None
Span = namedtuple("Span", "provider alias name doc properties probes "
                  "is_by_thread errors parent time")
# is_negative: the values below 0 are errors; else all but the numbers in ok
SpanErrors = namedtuple("SpanErrors", "is_negative ok")
# role: "start", "end", "suspend" or "resume"
# key, name, sum: the index of an argument for each value of the property; None
#   in name and sum if the probe does not have it
# error: such an index or None; parent: indexes of the parent's key, or ()
# time: the index of the argument that Span.time is about, or None; unit: how
#   many nanoseconds are one there
SpanProbe = namedtuple("SpanProbe", "probe role key name error sum parent "
                       "time unit")

# Probes that share a semaphore. macro: tells whether one of them is traced
# guard: the name that a probe with such a semaphore would have; probes: names
Group = namedtuple("Group", "provider name guard macro semaphore "
                   "alias_semaphore probes")

# provider, name: as in the note
# macro, enabled, function, semaphore, alias_semaphore: names in C
# group: the Group whose semaphore it uses instead of its own, or None
# single: whether a linked object has one site, which all uses call
# args: the Args that the site carries; inputs: those that the macro takes,
#   which differ only if the probe has translated arguments
# passed: None, or if they differ, a C expression for each parameter of args;
#   the expressions take the inputs from the struct `sdtkit_in`
Probe = namedtuple(
    "Probe", "provider name doc args inputs passed macro enabled function "
    "semaphore alias alias_semaphore single group")


class Arg(namedtuple("Arg", "name identifier type declared_type written doc "
                     "parameters value members enum is_enum_by_name")):
    """An argument as tracers see it.

    name, declared_type: its name and its type as the description spells them
    written: the two as C joins them, `char *who`, `void (*done)(int)`
    identifier: what a C function calls it
    type: the argtype.Type of what the note carries
    parameters: the Parameters of the macro that make it, usually one
    value: the expression that the note carries
    members: for each field of its record the C expression that the translator
      assigns; a list for a field that is a record itself
    enum: the Enum with the names of its values, or of the elements of an
      array; None if it has none
    is_enum_by_name: whether it has the Enum by its name and not by its type
    """

    kind = property(lambda self: self.type.kind)
    wire = property(lambda self: self.type.wire)
    record = property(lambda self: self.type.record)
    marshaller = property(lambda self: self.type.marshaller)
    # C that declares what the note carries: `const char *sdtkit_who`
    declaration = property(lambda self: self.type.declare(self.identifier))


Arg.__new__.__defaults__ = (), None, False     # members, enum, is_enum_...


class Parameter(namedtuple("Parameter", "identifier type")):
    """A parameter of a probe's macro; type is its argtype.Type."""

    declaration = property(lambda self: self.type.declare(self.identifier))


# A struct of fixed layout that a translator fills. name: its tag; type: what
# the description calls it; fields: list of Field; size, align: in bytes
Record = namedtuple("Record", "name type doc fields size align")


class Field(namedtuple("Field", "arg offset size sizes")):
    """A member of a record. arg: its name and its type, which for an array is
    that of the elements; offset, size: in bytes; sizes: the dimensions of an
    array, else ()."""

    type = property(lambda self: self.arg.type)
    # the Record that the member is itself, or None
    record = property(lambda self: self.arg.record)
    is_pointer = property(lambda self: self.type.is_pointer)
    is_string = property(lambda self: self.arg.declared_type == "string")
    is_text = property(lambda self: self.type.is_char
                       and len(self.sizes) == 1)
    is_number = property(lambda self: not self.is_pointer and not self.sizes
                         and self.record is None)

    def converted(self, value):
        """Returns C that converts a value to the type of the member."""
        if self.type.is_bool:
            return "!!(%s)" % value
        return "SDTKIT_ARG_CAST(%s, %s)" % (self.type.in_script, value)


def leaves(record, path=(), offset=0):
    """Yields (names, offset, Field) of each member that is not a record
    itself. For a member of a member, names are `("peer", "port")`."""
    for field in record.fields:
        names, at = path + (field.arg.name,), offset + field.offset
        if field.record is None:
            yield names, at, field
        else:
            yield from leaves(field.record, names, at)


def variables(probe):
    """Returns for each argument of a probe a list of (name, path, offset,
    Field), with one entry for each member of its record. The names are unique
    in the probe: `req_mid`."""
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
    """Yields (offset, declaration, documentation) of each member. A member
    that is a record is followed by its own members: `uint16_t peer.port`."""
    for field in record.fields:
        at = offset + field.offset
        yield at, _DECLARED.sub(lambda name: path + name[0],
                                field.arg.written), field.arg.doc
        if field.record:
            yield from rows(field.record, path + field.arg.name + ".", at)


# name: the tag, or the name of its typedef if it has no tag; tag: what a
# generated header calls it; members: list of Member
Struct = namedtuple("Struct", "kind name tag members doc")
Member = namedtuple("Member", "name type bits doc ctype")
# values: (name, text or None) of each; numbers: for each its value, or None if
# only a compiler knows it
Enum = namedtuple("Enum", "name values numbers")
Typedef = namedtuple("Typedef", "name type ctype")

# A type as declared. words: without qualifiers; for a struct, `struct` and the
# tag or None; derived: see tree.Param; sizes: the texts in the brackets
Ctype = namedtuple("Ctype", "words derived sizes")

# output, input: texts of types; parameter: the name of the input
# members: list of (name, text)
Translator = namedtuple("Translator", "output input parameter members")
# is_struct: whether the type is a struct, which no script can declare
Inline = namedtuple("Inline", "name type value is_struct")


def manual(arg):
    """Returns the documentation of an argument for people who write the
    program. It adds what a site passes to a marshaller, which people who trace
    do not see."""
    row = arg.marshaller
    return arg.doc + (["(%s: %s)" % (row.name, row.what)]
                      if row and row.what else [])


def shown_enums(provider):
    """Returns a dict: Enum -> where its names are shown in the probes of a
    provider, as (name of an argument, or ARGUMENT.MEMBER)s in their order."""
    found = {}
    for probe in provider.probes:
        for arg in probe.args:
            if arg.enum:
                found.setdefault(arg.enum, {})[arg.name] = True
            for path, _, field in leaves(arg.record) if arg.record else ():
                if field.arg.enum:
                    name = ".".join((arg.name,) + path)
                    found.setdefault(field.arg.enum, {})[name] = True
    return {enum: list(names) for enum, names in found.items()}


def of_kind(model, kind):
    """Returns the declarations of a kind: Struct, Enum or Typedef."""
    return [each for each in model.declarations if isinstance(each, kind)]


def library(model):
    """Returns the headers of sdtkit that a native header includes."""
    rows = _rows(model)
    return ["sdtkit/arg.h" if rows else "sdtkit/probe.h"] + _special(model)


def parts(model, describe):
    """Returns the headers of sdtkit that a header contains which stands alone:
    only those that its probes need. describe: whether it has descriptions."""
    names = sorted({marshallers.part(row) for row in _rows(model)})
    names += ["sdtkit/probe.h"] + _special(model)
    if describe:
        args = [arg for probe in _probes(model) for arg in probe.args]
        names += ["sdtkit/describe.h"] + [
            "sdtkit/describe-%s.h" % name for name, is_needed in (
                ("enum", any(arg.enum for arg in args) or model.records),
                ("record", model.records),
                ("span", any(each.spans for each in model.providers)))
            if is_needed]
    return names


def _probes(model):
    return [probe for provider in model.providers for probe in provider.probes]


def _rows(model):
    """Returns the marshallers of all arguments."""
    return [arg.marshaller for probe in _probes(model) for arg in probe.inputs
            if arg.marshaller]


def _special(model):
    """Returns the headers that only some kinds of probes need."""
    probes, names = _probes(model), []
    if any(probe.single for probe in probes):
        names.append("sdtkit/site-single.h")
    if any(probe.passed is not None for probe in probes):
        names.append("sdtkit/record.h")
    return names


def summary(doc):
    """Returns the first sentence of a documentation without its full stop; the
    three of an ellipsis stay. A full stop ends the sentence at the end of a
    line or before a capital; without one, the first paragraph is returned."""
    paragraph = []
    for line in doc:
        if not line or paragraph and (line[0] in " \t"
                                      or line.startswith("- ")):
            break
        paragraph.append(line.strip())
    sentence = _SENTENCE.match("\n".join(paragraph))
    text = " ".join(sentence[1].split("\n"))
    return text if text.endswith("...") else text.rstrip(".")
