# SPDX-License-Identifier: BSD-2-Clause
"""The manifest: all that a description says, as JSON for programs.

It is the contract between a description and `sdtkit check`, which holds a
binary against it. docs/manifest.md tells of each field.

    {"manifest": 1, "name": "smb2.d", "providers": [
     {"name": "smb2", "alias": null, "probes": [
      {"name": "request_start", "macro": "SMB2_REQUEST_START", "args": [
       {"name": "mid", "type": "uint64_t", "kind": "unsigned", "doc": ""}]}]}]}

A value that holds no other lists stands on one line: that reads well, makes
small diffs, and leaves the work to the encoder that is written in C.
"""

import json

VERSION = 1     # raised when a reader of the older one would go wrong

_encode = json.JSONEncoder(ensure_ascii=False).encode


def emit(model):
    """The manifest's text."""
    return _layout({
        "manifest": VERSION,
        "name": model.name,
        "providers": [_provider(provider) for provider in model.providers],
        "structs": [_struct(struct) for struct in model.structs],
        "enums": [{"name": e.name, "values": [
            {"name": name, "value": value} for name, value in e.values]}
            for e in model.enums],
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
        "args": [{"name": arg.name, "type": arg.type, "kind": arg.kind,
                  "doc": _text(arg.doc)} for arg in probe.args],
        "translated": None if probe.translated is None else [
            {"name": arg.name, "type": arg.type} for arg in probe.translated],
    }


def _struct(struct):
    return {
        "name": struct.name,
        "kind": struct.kind,
        "doc": _text(struct.doc),
        "members": [{"name": m.name, "type": m.type, "bits": m.bits,
                     "doc": _text(m.doc)} for m in struct.members],
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
