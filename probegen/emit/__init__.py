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
TARGET = "target"       # the name of the native header
INPUTS = "inputs"       # the names of the files that were read


class Format(namedtuple("Format", "module suffix needs warns")):
    """module: here; suffix: of the default output, behind the base name of the
    description; needs: what emit() takes beside the model; warns: whether
    warnings are on unless turned off. A build makes several outputs of one
    description, and is to hear of it once; and one that makes a drop-in header
    knows nothing of tracers."""

    def emit(self, model, *needs):
        """The output's text. The module is imported only now: that makes the
        usual run fast."""
        module = importlib.import_module("." + self.module, __name__)
        return module.emit(model, *needs)


FORMATS = {
    "header": Format("header", ".h", (DESCRIBE,), True),
    "dropin": Format("dropin", ".h", (), False),
    "object": Format("semaphores", ".o", (), False),     # compiled by cli
    "noop": Format("noop", ".h", (), False),
    "standalone": Format("standalone", ".h", (DESCRIBE, PROBE_H), True),
    "tapset": Format("tapset", ".stp", (), False),
    "bpftrace": Format("bpftrace", ".bt", (), False),
    "bpftrace-structs": Format("structs", "-structs.h", (), False),
    "d": Format("dscript", "-script.d", (), False),
    "markdown": Format("markdown", ".md", (), False),
    "man": Format("man", ".7", (), False),
    "json": Format("manifest", ".json", (), False),
    "depfile": Format("depfile", ".h.d", (TARGET, INPUTS), False),
}
