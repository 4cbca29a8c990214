# SPDX-License-Identifier: BSD-2-Clause
"""The outputs, one module each: ``emit(model)`` returns the file's text.

To add one: write a module with that function and a docstring whose first line
tells what it makes, enter it in FORMATS and meson.build, drop its expectation
beside tests/probegen/ok/smb2/in.d, and describe it in docs/outputs.md. An
emitter takes everything from the model: it parses nothing, derives no name and
opens no file; what it needs besides, ``cli`` passes.
"""

import importlib
from collections import namedtuple

DESCRIBE = "describe"   # whether notes of .note.sdtkit are wanted
PROBE_H = "probe.h"     # the text of sdtkit/probe.h and of what it includes
INPUTS = "inputs"       # the names of the files that were read


class Format(namedtuple("Format", "module suffix needs")):
    """module: here; suffix: of the default output, behind the base name of the
    description; needs: what emit() takes beside the model."""

    def emit(self, model, *needs):
        """The output's text. The module is imported only now: that makes the
        usual run fast."""
        module = importlib.import_module("." + self.module, __name__)
        return module.emit(model, *needs)


FORMATS = {
    "header": Format("header", ".h", (DESCRIBE,)),
    "dropin": Format("dropin", ".h", ()),
    "object": Format("semaphores", ".o", ()),     # compiled by cli
    "noop": Format("noop", ".h", ()),
    "standalone": Format("standalone", ".h", (DESCRIBE, PROBE_H)),
    "tapset": Format("tapset", ".stp", ()),
    "bpftrace": Format("bpftrace", ".bt", ()),
    "bpftrace-structs": Format("structs", "-structs.h", ()),
    "d": Format("dscript", "-script.d", ()),
    "markdown": Format("markdown", ".md", ()),
    "man": Format("man", ".7", ()),
    "json": Format("manifest", ".json", ()),
    "depfile": Format("depfile", ".h.d", (INPUTS,)),
}
