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

PROBE_H = "probe.h"     # the text of sdtkit/probe.h
INPUTS = "inputs"       # the names of the files that were read


class Format(namedtuple("Format", "module suffix needs")):
    """module: here; suffix: of the default output, behind the base name of the
    description; needs: what emit() takes beside the model, None for nothing."""

    def emit(self, model, *needs):
        """The output's text. The module is imported only now: that makes the
        usual run fast."""
        module = importlib.import_module("." + self.module, __name__)
        return module.emit(model, *needs)


FORMATS = {
    "header": Format("header", ".h", None),
    "dropin": Format("dropin", ".h", None),
    "object": Format("semaphores", ".o", None),     # compiled by cli
    "noop": Format("noop", ".h", None),
    "standalone": Format("standalone", ".h", PROBE_H),
    "tapset": Format("tapset", ".stp", None),
    "bpftrace": Format("bpftrace", ".bt", None),
    "bpftrace-structs": Format("structs", "-structs.h", None),
    "d": Format("dscript", "-script.d", None),
    "markdown": Format("markdown", ".md", None),
    "man": Format("man", ".7", None),
    "json": Format("manifest", ".json", None),
    "depfile": Format("depfile", ".h.d", INPUTS),
}
