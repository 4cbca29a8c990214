# SPDX-License-Identifier: BSD-2-Clause
"""The outputs, one module each: ``emit(model)`` returns the file's text.

To add one: write a module with that function and a docstring whose first line
tells what it makes, enter it in FORMATS, and drop a directory with an example
into tests/probegen/ok. An emitter takes everything from the model: it parses
nothing, derives no name and opens no file.
"""

from . import dropin, header, semaphores

FORMATS = {
    "header": header.emit,
    "dropin": dropin.emit,
    "object": semaphores.emit,      # compiled by cli
}
