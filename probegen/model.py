# SPDX-License-Identifier: BSD-2-Clause
"""What a description means: checked, named, and all that an emitter may see.

``doc`` is a list of lines without comment marks, [] where there is none.
"""

from collections import namedtuple

# name: base name of the description, as headers quote it
# headers: standard headers that declare the arguments' types, sorted
# tags: "struct stat", ... that arguments point to, in order of appearance
Model = namedtuple("Model", "name providers headers tags")

Provider = namedtuple("Provider", "name doc probes")

# name: as in the note; the others are the C names that belong to it
Probe = namedtuple(
    "Probe", "provider name doc args macro enabled function semaphore")

# name, type: as declared; identifier: the name, or like it where C or C++ has
# another use for the name; parameter: the type of the generated function's
# parameter; kind: see ctypes_table
Arg = namedtuple("Arg", "name identifier type parameter kind doc")
