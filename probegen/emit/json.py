# SPDX-License-Identifier: BSD-2-Clause
"""The manifest: all that a description says, as JSON for programs.

It is the contract between a description and `sdtkit check`, which holds a
binary against it. docs/manifest.md tells of each field.

    {"manifest": 1, "name": "smb2.d", "providers": [
     {"name": "smb2", "alias": null, "probes": [
      {"name": "request_start", "macro": "SMB2_REQUEST_START", "args": [
       {"name": "mid", "type": "uint64_t", "kind": "unsigned",
        "wire": "u8", "doc": ""}]}]}]}

A value that holds no other lists stands on one line: that reads well, makes
small diffs, and leaves the work to the encoder that is written in C.
"""

import json

from .. import model as models

VERSION = 1     # raised when a reader of the older one would go wrong

_encode = json.JSONEncoder(ensure_ascii=False).encode


def emit(model):
    """The manifest's text."""
    return _layout({
        "manifest": VERSION,
        "name": model.name,
        "providers": [_provider(provider) for provider in model.providers],
        "structs": [_struct(struct)
                    for struct in models.of_kind(model, models.Struct)],
        "enums": [{"name": e.name, "values": [
            {"name": name, "value": value} for name, value in e.values]}
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
        "probes": [_probe(probe) for probe in provider.probes],
    }


def _probe(probe):
    return {
        "name": probe.name,
        "doc": _text(probe.doc),
        "macro": probe.macro,
        "enabled": probe.enabled,
        "semaphore": probe.semaphore,
        "args": [{"name": arg.name, "type": arg.stated, "kind": arg.kind,
                  "wire": arg.wire, "record": arg.record and arg.record.name,
                  "doc": _text(arg.doc)} for arg in probe.args],
        "inputs": None if probe.passed is None else [
            {"name": arg.name, "type": arg.stated} for arg in probe.inputs],
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
            {"name": field.arg.name, "type": field.arg.stated,
             "wire": field.arg.wire, "offset": field.offset,
             "size": field.size, "array": "".join(
                 "[%d]" % size for size in field.sizes) or None,
             "record": field.record and field.record.name,
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
    """Documentation in one string; bytes that are no UTF-8 get replaced."""
    return "\n".join(doc).encode("utf-8", "surrogateescape").decode(
        "utf-8", "replace")


def _layout(value, indent):
    """JSON whose lists have an item per line."""
    inner = indent + "  "
    if isinstance(value, list) and value:
        items = [_layout(item, inner) for item in value]
        opening, closing = "[]"
    elif isinstance(value, dict) and any(
            isinstance(item, list) for item in value.values()):
        items = ["%s: %s" % (_encode(key), _layout(item, inner))
                 for key, item in value.items()]
        opening, closing = "{}"
    else:
        return _encode(value)
    separator = ",\n" + inner
    return "%s\n%s%s\n%s%s" % (opening, inner, separator.join(items), indent,
                               closing)
