# SPDX-License-Identifier: BSD-2-Clause
"""The formats of --emit, one module each: ``emit(model)`` returns the text.

To add a format, touch six files:
- emit/NAME.py has that function, and a docstring whose first line tells what
  it makes
- emit/__init__.py has its row in FORMATS
- meson.build lists the module
- tests/probegen/ok/smb2/expect.SUFFIX: create it empty, and have it written
  with SDTKIT_REGENERATE=1
- docs/outputs.md describes it, and docs/probegen.1 has a row for it

An emitter takes everything from the model: it parses nothing, derives no name
and opens no file. What it needs besides the model, ``cli`` passes to it. What
several formats share is in ``render``.
"""

import importlib
from collections import namedtuple

# What a format may need beside the model
DESCRIBE = "describe"   # whether notes of .note.sdtkit are wanted
PROBE_H = "probe.h"     # the text of sdtkit/probe.h and of what it includes
TARGET = "target"       # the name of the native header
INPUTS = "inputs"       # the names of the files that were read


class Format(namedtuple("Format", "name suffix needs warns strict marshals "
                        "documents compiled")):
    """A format of --emit.

    name: what --emit calls it; its module has the same name, with `_` for `-`
    suffix: of the default output, behind the base name of the description
    needs: what emit() takes beside the model
    warns: whether warnings are on unless -W turns them off. A build makes
      several outputs of one description and should see each warning once, and
      a build that makes a drop-in header knows nothing of tracers.
    strict: whether the output needs what resolve.resolve() checks if it is
      strict
    marshals: whether the output can call the functions of sdtkit/arg.h
    documents: whether the output has the comments of the description
    compiled: whether the text is C, and the output is its object file
    """

    def emit(self, model, *needs):
        """Returns the text of the output. The module is imported only now,
        which makes the usual run faster."""
        module = importlib.import_module("." + self.name.replace("-", "_"),
                                         __name__)
        return module.emit(model, *needs)


Format.__new__.__defaults__ = ((), False, True, True, True, False)

FORMATS = {each.name: each for each in (
    Format("header", ".h", needs=(DESCRIBE,), warns=True),
    Format("dropin", ".h", strict=False, marshals=False, documents=False),
    Format("object", ".o", strict=False, documents=False, compiled=True),
    Format("noop", ".h"),
    Format("standalone", ".h", needs=(DESCRIBE, PROBE_H), warns=True),
    Format("tapset", ".stp"),
    Format("systemtap-spans", "-spans.stp"),
    Format("bpftrace", ".bt"),
    Format("bpftrace-spans", "-spans.bt"),
    Format("bpftrace-structs", "-structs.h"),
    Format("ebpf-exporter", ".yaml"),
    Format("ebpf-exporter-bpf", ".bpf.c"),
    Format("d", "-script.d"),
    Format("markdown", ".md"),
    Format("man", ".7"),
    Format("json", ".json"),
    Format("depfile", ".h.d", needs=(TARGET, INPUTS), documents=False),
)}
