# SPDX-License-Identifier: BSD-2-Clause
"""What a tracer must read of each probe of program/store.d: the one table.

A row is a probe, the expressions that a tracer is asked for, and their values
at each hit. A number is compared modulo 2**64, which is how tracers without
types see it. TOLD is an address, which the program tells when it runs.
"""

import struct

import tracers

PROVIDER, ALIAS = "store2", "store"
TOLD = object()
SIX = "arg0 arg1 arg2 arg3 arg4 arg5"


def bits(form, value):
    """What is in a register for a floating-point number."""
    return int.from_bytes(struct.pack(form, value), "little")


# probe: (expressions, hits)
ROWS = {
    "number__signed": (SIX, [
        [-128, -32768, -2**31, -2**63, -5, -6],
        [1, 2, 3, 4, 5, 2**63 - 1]]),
    "number__unsigned": (SIX, [
        [255, 65535, 2**32 - 1, 2**64 - 1, 2**64 - 5, 6]]),
    "number_other": (SIX, [
        [ord("z"), 1, -9, bits("<f", 1.5), bits("<d", -0.25), TOLD]]),
    "text": ("str(arg0) str(arg1) str(arg2)", [["literal", "made 42", ""]]),
    "marshalled": ("str(arg0) str(arg1) arg2", [
        ["192.0.2.7:445", "key\\x00x", 7000000009]]),
    "request_done": (
        "arg0->mid arg0->opcode arg0->credits arg0->status arg0->compound "
        "str(arg0->user) str(arg0->path) arg1", [
            [7, 5, 512, 0, 1, "root", "none", 0],
            [2**64 - 1, 0xfffe, -3, -1, 0, "", "a/b.txt", -1]]),
    "idle": ("", [[]]),
}

# Read as provider ALIAS too: numbers, and a record.
ALIASED = ("number__signed", "request_done")


def asked(tracer, aliases=True):
    """Names of the probes that a tracer is attached to: all of them, and a few
    by their other name; all by that name if it cannot use the first."""
    first = ["%s:%s" % (PROVIDER, probe) for probe in ROWS]
    if not all(getattr(tracer, "takes", bool)(probe) for probe in first):
        return ["%s:%s" % (ALIAS, probe) for probe in ROWS]
    return first + ["%s:%s" % (ALIAS, probe) for probe in ALIASED if aliases]


def there(aliases=True):
    """The names of all probes in the file."""
    return {"%s:%s" % (provider, probe) for probe in ROWS
            for provider in (PROVIDER, ALIAS)[:1 + aliases]}


def expressions(probe, members):
    """What is asked of "store2:text"; ``members`` are those of the record."""
    return [tracers.expression(text, members)
            for text in ROWS[probe.split(":")[1]][0].split()]


def missed(tracer, probe, members, told, read):
    """(what it read, what it should have) where these differ, else None.
    What the tracer says it cannot read must be missing. Hits come in any
    order: tracers that count keep none."""
    name = probe.split(":")[1]
    wanted = expressions(probe, members)
    can = [tracers.kind(one) in tracer.READS and one.index < tracer.most()
           for one in wanted]
    rows = ROWS[name][1] if "hits" in tracer.READS else []
    expected = [[number(told[name, one.index] if value is TOLD else value)
                 if able else None
                 for value, one, able in zip(row, wanted, can)]
                for row in rows]
    found = [[None if an_address(value, one, able) else number(value)
              for value, one, able in zip(row, wanted, can)] for row in read]
    expected.sort(key=repr)
    found.sort(key=repr)
    return (found, expected) if found != expected else None


def an_address(value, one, able):
    """Whether it is there in place of a string that could not be read."""
    return not able and one.string and not one.member and isinstance(value, int)


def number(value):
    return value % 2**64 if isinstance(value, int) else value
