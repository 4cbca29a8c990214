# SPDX-License-Identifier: BSD-2-Clause
"""What ebpf_exporter shows of a span: the YAML and the program in the kernel
have to agree on it.

    smb2_request_duration_seconds{opcode="READ", le="0.001"} 5
    smb2_request_errors_total{opcode="CREATE", status="3221225524"} 1
    smb2_request_in_bytes_total{opcode="READ"} 4711
    smb2_request_unpaired_total{kind="lost"} 1

A label takes 8 bytes of a map's key if it is a number, and 64 if it is text.
"""

from collections import namedtuple

from . import script

TEXT = 64           # bytes of a label that is text
BUCKETS = 26        # histograms end at 2^26 us, 67 s
KINDS = ("lost", "stray")

# name: that of the label; arg: a model.Arg that has it
Label = namedtuple("Label", "name arg")


def is_text(arg):
    """Returns whether a label is text."""
    return script.view(arg).form == script.STRING


class Metrics:
    """The metrics of a span."""

    def __init__(self, span):
        self.span = span
        self.base = "%s_%s" % (span.provider, span.name)
        self.duration = self.base + "_duration_seconds"
        self.errors = self.base + "_errors_total"
        self.unpaired = self.base + "_unpaired_total"
        self.labels = [self._label("name", i)
                       for i in range(len(span.probes[0].name))]
        self.sum_names = [self._label("sum", i).name
                          for i in range(len(span.probes[0].sum))]
        self.sums = ["%s_%s_total" % (self.base, name)
                     for name in self.sum_names]
        arg = next((row.probe.args[row.error] for row in span.probes
                    if row.error is not None), None)
        self.error = arg and Label(self._free(arg.name), arg)

    def _label(self, kind, i):
        arg = next(row.probe.args[getattr(row, kind)[i]]
                   for row in self.span.probes
                   if getattr(row, kind) and getattr(row, kind)[i] is not None)
        return Label(arg.name, arg)

    def _free(self, name):
        taken = {label.name for label in self.labels}
        return name + "_error" if name in taken else name
