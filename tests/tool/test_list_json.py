# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit list --json`: its output matches docs/list.schema.json and has all
that the other formats show."""

import subprocess

import pytest

import elftext
from conftest import FORMS, comments, description, span

MID = ("u8", "uint64_t", "mid")
PATH = ("z", "char *", "path")


def test_described(sdtkit, assembled, valid):
    path = assembled(
        ("smb2", "request_start", "8@%rdi -4@$5", 16),
        ("smb2", "request_start", "8@%rax -4@(%rsp)", 16),
        ("vfs", "idle", ""),
        description("smb2", "request_start", "A request begins.", MID, PATH))
    done = sdtkit("list", "--json", path)
    assert (done.stderr, done.returncode) == ("", 0)
    assert valid("list", done.stdout) == {"sdtkit_list": 1, "files": [{
        "path": str(path), "kind": "linked", "machine": "x86-64", "bits": 64,
        "byte_order": "little", "errors": 0, "probes": [
            {"provider": "smb2", "probe": "request_start",
             "summary": "A request begins.", "arguments": [
                 {"wire": "u8", "type": "uint64_t", "name": "mid"},
                 {"wire": "z", "type": "char *", "name": "path"}],
             "sites": [
                 site([operand("8@%rdi", "register", 8),
                       operand("-4@$5", "constant", -4)], "0x10"),
                 site([operand("8@%rax", "register", 8),
                       operand("-4@(%rsp)", "memory", -4)], "0x10")]},
            {"provider": "vfs", "probe": "idle", "summary": None,
             "arguments": None, "sites": [site([], None)]},
        ], "spans": []}]}


def test_comments(sdtkit, assembled, valid):
    path = assembled(
        ("smb2", "end", "8@%rdi 8@%rsi"),
        description("smb2", "end", "", MID, PATH),
        comments("smb2", "end", "", "where it is"))
    probe, = valid("list", sdtkit("list", "--json", path).stdout)["files"][0][
        "probes"]
    assert probe["arguments"] == [
        {"wire": "u8", "type": "uint64_t", "name": "mid"},
        {"wire": "z", "type": "char *", "name": "path", "doc": "where it is"}]


def test_spans(sdtkit, assembled, valid):
    """Those that have a probe which is listed."""
    path = assembled(
        ("smb2", "start", ""), ("smb2", "end", ""), ("vfs", "idle", ""),
        span("smb2", "wait", "", ("start", "vfs:busy,vfs:idle"),
             ("end", "end")),
        span("smb2", "request", "A command", ("start", "start"),
             ("end", "end"), ("key", "tid")),
        span("smb2", "none", "", ("start", "star"), ("end", "vfs:end")))

    def spans(*patterns):
        done = sdtkit("list", "--json", path, *patterns)
        return valid("list", done.stdout)["files"][0]["spans"]

    request, wait = spans()
    assert request == {
        "provider": "smb2", "span": "request", "summary": "A command",
        "properties": [{"name": "start", "value": "start"},
                       {"name": "end", "value": "end"},
                       {"name": "key", "value": "tid"}]}
    assert spans("smb2:start") == [request]
    assert spans("vfs:*") == [wait]


def operand(text, kind, size):
    return {"text": text, "kind": kind, "size": abs(size), "signed": size < 0,
            "float": False}


def site(operands, semaphore):
    return {"address": "0x0", "offset": None, "member": None,
            "semaphore": semaphore and {"address": semaphore, "offset": None},
            "operands": operands}


@pytest.mark.parametrize("form", FORMS)
def test_agrees_with_readelf(sdtkit, compiled, valid, form):
    path = compiled(form)
    files = valid("list", sdtkit("list", "--json", path).stdout)["files"]
    unknown = "?" if files[0]["kind"] == "object" else "-"
    sites = [
        elftext.Site("%s:%s" % (probe["provider"], probe["probe"]),
                     one["address"] or unknown, one["offset"] or unknown,
                     one["semaphore"]["address"] if one["semaphore"]
                     else unknown,
                     " ".join(o["text"] for o in one["operands"]) or "-")
        for probe in files[0]["probes"] for one in probe["sites"]]
    assert sites == elftext.by_readelf(path)


def test_several_files_and_none(sdtkit, assembled, tmp_path, valid):
    path = assembled(("vfs", "idle", ""))
    plain = tmp_path / "plain.o"
    subprocess.run(["gcc", "-x", "c", "-c", "/dev/null", "-o", str(plain)],
                   check=True)
    done = sdtkit("list", "--json", path, plain, tmp_path / "absent", path)
    files = valid("list", done.stdout)["files"]
    assert [(f["path"], len(f["probes"])) for f in files] == [
        (str(path), 1), (str(plain), 0), (str(path), 1)]
    assert files[1]["kind"] == "object"
    assert "absent: No such file" in done.stderr and done.returncode == 2


def test_nothing_at_all(sdtkit, tmp_path, valid):
    done = sdtkit("list", "--json", tmp_path)
    assert valid("list", done.stdout)["files"] == []
    assert done.returncode == 1


def test_names_that_are_no_text(sdtkit, assembled, valid):
    path = assembled((r"sm\200b", "\u00e9t\u00e9", r"8@%rdi\033\"\377"))
    probe, = valid("list", sdtkit("list", "-j", path).stdout)["files"][0][
        "probes"]
    assert (probe["provider"], probe["probe"]) == ("sm\ufffdb", "\u00e9t\u00e9")
    assert probe["sites"][0]["operands"][0]["text"] == "8@%rdi\x1b\"\ufffd"
