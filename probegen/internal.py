# SPDX-License-Identifier: BSD-2-Clause
"""Reports an emitter that raised an exception: a defect of probegen, which the
description brought to light.

    smb2.d:12:7: error INTERNAL: probegen has a defect and cannot write the
    format 'bpftrace-spans': KeyError at emit/bpftrace_spans.py:220: 'arg6'
       12 | #pragma sdtkit span request start=request_start end=request_end ...

The place is that of the first probe, or else of the first span, with which the
emitter raises that exception. It is found by giving the emitter parts of the
model, because the model knows no places.
"""

import os
import re

_HERE = os.path.dirname(os.path.abspath(__file__))


def report(error, emit, name, model, trees, faults):
    """Adds an error for the exception that ``emit(model)`` raised.

    name: of the format; trees: those of the description
    """
    text = "probegen has a defect and cannot write the format '%s': %s" % (
        name, _shown(error))
    hint = "please report this message together with the lines that it shows"
    place = _place(_culprit(error, emit, model), trees)
    if place:
        tree, node = place
        faults.error("INTERNAL", tree.source, node.start, node.end, text, hint)
    else:
        faults.file_error("INTERNAL", trees[0].source.name, text, hint)


def _raised(error):
    """Returns (file, line) of the statement that raised an exception."""
    step = error.__traceback__
    while step.tb_next:
        step = step.tb_next
    return step.tb_frame.f_code.co_filename, step.tb_lineno


def _shown(error):
    path, line = _raised(error)
    text = "%s at %s:%d" % (type(error).__name__,
                            os.path.relpath(path, _HERE), line)
    said = re.sub(r"\s+", " ", str(error))
    return "%s: %s" % (text, said) if said else text


def _culprit(error, emit, model):
    """Returns (provider, kind, name) of the probe or the span without which
    the emitter does not get as far as the exception, or None."""
    parts = [(provider.name, kind, each.name)
             for kind in ("probes", "spans")
             for provider in model.providers
             for each in getattr(provider, kind)]

    def fails(count):
        some = set(parts[:count])
        try:
            emit(_part(model, some))
        except Exception as other:
            return type(other) is type(error) and (
                _raised(other) == _raised(error))
        return False

    passes, count = 0, len(parts)
    if fails(0) or not fails(count):
        return None
    while count - passes > 1:
        middle = (passes + count) // 2
        if fails(middle):
            count = middle
        else:
            passes = middle
    return parts[count - 1]


def _part(model, some):
    """Returns the model with only some of its probes and spans."""
    return model._replace(providers=[provider._replace(**{
        kind: [each for each in getattr(provider, kind)
               if (provider.name, kind, each.name) in some]
        for kind in ("probes", "spans")}) for provider in model.providers])


def _place(culprit, trees):
    """Returns (tree, node) of a probe or a span in the description, or None.
    """
    if culprit is None:
        return None
    provider, kind, name = culprit
    if kind == "spans":
        found = [(tree, pragma) for tree in trees for pragma in tree.pragmas
                 if pragma.words[:3] == ["sdtkit", "span", name]]
    else:
        found = [(tree, probe) for tree in trees for node in tree.providers
                 if node.name == provider for probe in node.probes
                 if probe.name == name]
    return found[0] if found else None
