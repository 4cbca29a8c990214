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


class Format(namedtuple("Format", "module suffix needs warns strict marshals "
                        "documents compiled")):
    """module: here
    suffix: of the default output, behind the base name of the description
    needs: what emit() takes beside the model
    warns: whether warnings are on unless turned off. A build makes several
      outputs of one description, and is to hear of it once; and one that makes
      a drop-in header knows nothing of tracers.
    strict: whether the output needs all that resolve.resolve() demands then;
      the others pass on what only the C program knows
    marshals: whether the output can call the functions of sdtkit/arg.h
    documents: whether comments of the description are in the output
    compiled: whether the text is C, and the output its object file
    """

    def emit(self, model, *needs):
        """The output's text. The module is imported only now: that makes the
        usual run fast."""
        module = importlib.import_module("." + self.module, __name__)
        return module.emit(model, *needs)


Format.__new__.__defaults__ = ((), False, True, True, True, False)

FORMATS = {
    "header": Format("header", ".h", needs=(DESCRIBE,), warns=True),
    "dropin": Format("dropin", ".h", strict=False, marshals=False,
                     documents=False),
    "object": Format("semaphores", ".o", strict=False, documents=False,
                     compiled=True),
    "noop": Format("noop", ".h"),
    "standalone": Format("standalone", ".h", needs=(DESCRIBE, PROBE_H),
                         warns=True),
    "tapset": Format("tapset", ".stp"),
    "bpftrace": Format("bpftrace", ".bt"),
    "bpftrace-structs": Format("structs", "-structs.h"),
    "d": Format("dscript", "-script.d"),
    "markdown": Format("markdown", ".md"),
    "man": Format("man", ".7"),
    "json": Format("manifest", ".json"),
    "depfile": Format("depfile", ".h.d", needs=(TARGET, INPUTS),
                      documents=False),
}
