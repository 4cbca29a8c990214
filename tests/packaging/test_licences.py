# SPDX-License-Identifier: BSD-2-Clause
"""Every file says under which licence it is, and an SPDX document says it of
an installation."""

import json
import pathlib
import re
import subprocess

import jsonschema
import pytest

from source_tree import copy, names, run

# in two, because reuse takes what follows the colon for a licence
TAG = b"SPDX-License-Identifier" b": BSD-2-Clause"
# of which a comment is the first thing
CODE = re.compile(r"(\.(c|h|py|sh|S|map|css|js|in|spec)|meson\.build|"
                  r"meson_options\.txt|/Makefile|/run|/install|/rules)$")
# what probegen has to print, and what pages show whole
NO_HEADER = re.compile("/expect[^/]*$|^examples/(hello|build/[a-z]+)/"
                       "(Makefile([.]in)?|meson[.]build|meson_options[.]txt)$")
# What the SPDX specification 2.3 asks for.
ID = {"type": "string", "pattern": "^SPDXRef-[A-Za-z0-9.-]+$"}
TEXT = {"type": "string", "minLength": 1}


def some(**members):
    return {"type": "object", "required": sorted(members),
            "properties": members}


SPDX = some(
    spdxVersion={"const": "SPDX-2.3"}, dataLicense={"const": "CC0-1.0"},
    SPDXID={"const": "SPDXRef-DOCUMENT"}, name=TEXT,
    documentNamespace={"type": "string", "pattern": "^https://[^#]+$"},
    creationInfo=some(
        created={"type": "string",
                 "pattern": r"^\d{4}(-\d\d){2}T\d\d(:\d\d){2}Z$"},
        creators={"type": "array", "minItems": 1, "items": {
            "type": "string", "pattern": "^(Tool|Person|Organization): "}}),
    packages={"type": "array", "minItems": 2, "items": some(
        SPDXID=ID, name=TEXT, downloadLocation=TEXT)},
    files={"type": "array", "items": some(
        SPDXID=ID, fileName={"type": "string", "pattern": "^[.]/"},
        checksums={"type": "array", "contains": some(
            algorithm={"const": "SHA1"},
            checksumValue={"type": "string", "pattern": "^[0-9a-f]{40}$"})})},
    relationships={"type": "array", "items": some(
        spdxElementId=ID, relatedSpdxElement=ID,
        relationshipType={"enum": ["DESCRIBES", "DEPENDS_ON"]})})


def test_code_has_a_header(source):
    lacking = [name for name in names(source) if CODE.search(name)
               and not NO_HEADER.search(name)
               and not (source / name).is_symlink()
               and TAG not in (source / name).read_bytes()[:400]]
    assert lacking == []


def test_reuse(need, source, tmp_path):
    """The top level of the tree has no LICENSES: as docs/packaging.md says, its
    licence and the packages' copyright file are what reuse looks for."""
    reuse = need("reuse")
    tree = copy(source, tmp_path / "tree")
    (tree / "LICENSES").mkdir()
    (tree / ".reuse").mkdir()
    (tree / "LICENSE").rename(tree / "LICENSES" / "BSD-2-Clause.txt")
    text = (tree / "examples/packaging/debian/copyright").read_text()
    (tree / ".reuse/dep5").write_text(text)
    said = run(reuse, "--root", tree, "lint")
    assert "Congratulations" in said and "ERROR" not in said
    used = re.search(r"^\* Used licenses: (.*)$", said, re.M)[1]
    assert used == "BSD-2-Clause"


@pytest.fixture
def sbom(source, build, tmp_path):
    def make(**more):
        done = subprocess.run(
            [source / "examples/packaging/sbom.py", build, tmp_path / "root"],
            env={"PATH": "/usr/bin:/bin", **more}, check=True,
            stdout=subprocess.PIPE, text=True)
        return done.stdout
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir",
        tmp_path / "root")
    return make


def test_sbom(sbom, tmp_path):
    document = json.loads(sbom())
    jsonschema.validate(document, SPDX)
    known = [one["SPDXID"] for one in document["files"] + document["packages"]]
    assert len(known) == len(set(known))
    known.append("SPDXRef-DOCUMENT")
    for relation in document["relationships"]:
        assert relation["spdxElementId"] in known
        assert relation["relatedSpdxElement"] in known
    files = {"./" + path.relative_to(tmp_path / "root").as_posix()
             for path in pathlib.Path(tmp_path / "root").rglob("*")
             if path.is_file() and not path.is_symlink()}
    assert {one["fileName"] for one in document["files"]} == files
    assert {"libelf", "zlib", "jansson"} <= {
        one["name"] for one in document["packages"]}


def test_sbom_is_reproducible(sbom):
    first = sbom(SOURCE_DATE_EPOCH="1700000000")
    assert first == sbom(SOURCE_DATE_EPOCH="1700000000")
    assert '"created": "2023-11-14T22:13:20Z"' in first
