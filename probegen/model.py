# SPDX-License-Identifier: BSD-2-Clause
"""What descriptions mean: checked, named, and all that an emitter may see.

``doc`` is a list of lines without comment marks, [] where there is none.
"""

from collections import namedtuple

# name: base name of the description, as headers quote it
# headers: standard headers that declare the arguments' types, sorted
# tags: "struct stat", ... that arguments point to, in order of appearance
# structs, enums, translators, inlines: declarations around the providers
Model = namedtuple("Model", "name providers headers tags structs enums "
                   "translators inlines")

# alias: a second provider name in each site's notes, or None
# attributes: what of the provider ("provider", "name", "args", ...) ->
#   stability, as in `#pragma D attributes Evolving/Evolving/Common provider x
#   provider`
# dependencies: the words of `#pragma D depends_on` of the file
Provider = namedtuple("Provider", "name doc probes alias attributes")

# name: as in the note; the others are the C names that belong to it
# translated: the arguments that scripts see where they differ, else None
Probe = namedtuple(
    "Probe", "provider name doc args translated macro enabled function "
    "semaphore alias alias_semaphore")

# name, type: as declared; written: the two as C joins them, `char *who`,
# `void (*done)(int)`
# identifier: what a C function can call it
# declaration: of the generated function's parameter, `const char *who`
# kind: see ctypes_table
Arg = namedtuple("Arg", "name identifier type written declaration kind doc")

# name: the tag, or the typedef's where there is none; members: Member
Struct = namedtuple("Struct", "kind name members doc")
Member = namedtuple("Member", "name type bits doc")
Enum = namedtuple("Enum", "name values")        # values: (name, text or None)

# output, input: types; parameter: the input's name; members: (name, text)
Translator = namedtuple("Translator", "output input parameter members")
Inline = namedtuple("Inline", "name type value")


def summary(doc):
    """The first sentence of a documentation that begins with a line of one,
    its first line else; without the full stop."""
    return doc[0].rstrip(".") if doc else ""
