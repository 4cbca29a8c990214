# SPDX-License-Identifier: BSD-2-Clause
"""Writes the manifest: everything that a description says, as JSON.

`sdtkit check` compares a binary with it. docs/manifest.md describes each
field.

    {"manifest": 1, "name": "smb2.d", "providers": [
     {"name": "smb2", "alias": null, "probes": [
      {"name": "request_start", "macro": "SMB2_REQUEST_START", "args": [
       {"name": "mid", "type": "uint64_t", "kind": "unsigned",
        "wire": "u8", "doc": ""}]}]}]}

A value without lists in it stands on one line. That is readable, makes small
diffs, and leaves most of the work to Python's encoder, which is written in C.
"""

import json

from .. import model as models

VERSION = 1     # raise it if readers of the older version would go wrong


class _Row(dict):
    """An object that stands on one line, whatever is in it."""


_encode = json.JSONEncoder(ensure_ascii=False).encode


def emit(model):
    """Returns the text of the manifest."""
    return _layout({
        "manifest": VERSION,
        "name": model.name,
        "providers": [_provider(provider) for provider in model.providers],
        "structs": [_struct(struct)
                    for struct in models.of_kind(model, models.Struct)],
        "enums": [{"name": e.name, "values": [
            {"name": name, "value": value, "number": number}
            for (name, value), number in zip(e.values, e.numbers)]}
            for e in models.of_kind(model, models.Enum)],
        "typedefs": [{"name": t.name, "type": t.type}
                     for t in models.of_kind(model, models.Typedef)],
        "records": [_record(record) for record in model.records],
        "translators": [_translator(t) for t in model.translators],
        "inlines": [{"name": i.name, "type": i.type, "value": i.value}
                    for i in model.inlines],
    }, "") + "\n"


def _provider(provider):
    return {
        "name": provider.name,
        "alias": provider.alias,
        "doc": _text(provider.doc),
        "attributes": dict(sorted(provider.attributes.items())),
        "groups": [{"name": group.name, "traced": group.macro,
                    "semaphore": group.semaphore}
                   for group in provider.groups],
        "probes": [_probe(probe) for probe in provider.probes],
        "spans": [_span(span) for span in provider.spans],
    }


def _span(span):
    return {
        "name": span.name,
        "doc": _text(span.doc),
        "properties": [{"name": name, "value": value}
                       for name, value in span.properties],
        "is_by_thread": span.is_by_thread,
        "errors": span.errors and _Row({
            "is_negative": span.errors.is_negative,
            "ok": [] if span.errors.is_negative else list(span.errors.ok)}),
        "parent": span.parent and {"provider": span.parent[0],
                                   "span": span.parent[1]},
        "time": span.time,
        "probes": [_Row({
            "provider": row.probe.provider, "probe": row.probe.name,
            "role": row.role, "key": list(row.key), "name": list(row.name),
            "error": row.error, "sum": list(row.sum),
            "parent": list(row.parent), "time": row.time,
            "unit_ns": row.unit}) for row in span.probes],
    }


def _probe(probe):
    return {
        "name": probe.name,
        "doc": _text(probe.doc),
        "macro": probe.macro,
        "enabled": probe.enabled,
        "group": probe.group and probe.group.name,
        "semaphore": (probe.group or probe).semaphore,
        "args": [{"name": arg.name, "type": arg.declared_type,
                  "kind": arg.kind,
                  "wire": arg.wire, "record": arg.record and arg.record.name,
                  "enum": arg.enum and arg.enum.name, "doc": _text(arg.doc)}
                 for arg in probe.args],
        "inputs": None if probe.passed is None else [
            {"name": arg.name, "type": arg.declared_type}
            for arg in probe.inputs],
    }


def _struct(struct):
    return {
        "name": struct.name,
        "kind": struct.kind,
        "doc": _text(struct.doc),
        "members": [{"name": m.name, "type": m.type, "bits": m.bits,
                     "doc": _text(m.doc)} for m in struct.members],
    }


def _record(record):
    return {
        "name": record.name,
        "type": record.type,
        "size": record.size,
        "doc": _text(record.doc),
        "members": [
            {"name": field.arg.name, "type": field.arg.declared_type,
             "wire": field.arg.wire, "offset": field.offset,
             "size": field.size, "array": "".join(
                 "[%d]" % size for size in field.sizes) or None,
             "record": field.record and field.record.name,
             "enum": field.arg.enum and field.arg.enum.name,
             "doc": _text(field.arg.doc)}
            for field in record.fields],
    }


def _translator(translator):
    return {
        "output": translator.output,
        "input": translator.input,
        "parameter": translator.parameter,
        "members": [{"name": name, "value": value}
                    for name, value in translator.members],
    }


def _text(doc):
    """Returns documentation as one string."""
    return "\n".join(doc)


def _layout(value, indent):
    """Returns JSON whose lists have one item per line."""
    inner = indent + "  "
    if isinstance(value, list) and value:
        items = [_layout(item, inner) for item in value]
        opening, closing = "[]"
    elif isinstance(value, dict) and not isinstance(value, _Row) and any(
            isinstance(item, list) for item in value.values()):
        items = ["%s: %s" % (_encode(key), _layout(item, inner))
                 for key, item in value.items()]
        opening, closing = "{}"
    else:
        return _encode(value)
    separator = ",\n" + inner
    return "%s\n%s%s\n%s%s" % (opening, inner, separator.join(items), indent,
                               closing)
