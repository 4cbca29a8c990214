#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""sbom.py BUILD ROOT: an SPDX 2.3 document (JSON) of an installation.

    DESTDIR=/tmp/root meson install -C build
    examples/packaging/sbom.py build /tmp/root >sdtkit.spdx.json

Says which files sdtkit has installed below ROOT, with their checksums, under
which licence, and which libraries the build has found. The same installation
gives the same document: its date is SOURCE_DATE_EPOCH if that is set, and its
namespace has the checksum of all files.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

LICENCE = "BSD-2-Clause"
COPYRIGHT = "Copyright (c) 2026, the sdtkit authors"
UNKNOWN = "NOASSERTION"
# what only the demo and the tests need is in no file of an installation
NOT_INSTALLED = {"cmocka", "talloc", "tevent", "threads"}


def introspect(build, what):
    done = subprocess.run(["meson", "introspect", build, "--" + what],
                          check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout.decode())


def checksum(path, algorithm):
    return hashlib.new(algorithm, path.read_bytes()).hexdigest()


def identifier(*words):
    """SPDX allows letters, digits, dots and hyphens."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(words))


def file_of(root, path):
    name = path.relative_to(root).as_posix()
    return {
        "SPDXID": identifier("File", hashlib.sha1(name.encode()).hexdigest()),
        "fileName": "./" + name,
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": checksum(path, "sha1")},
            {"algorithm": "SHA256",
             "checksumValue": checksum(path, "sha256")}],
        "licenseConcluded": LICENCE,
        "licenseInfoInFiles": [LICENCE],
        "copyrightText": COPYRIGHT,
    }


def library(dependency):
    return {
        "SPDXID": identifier("Package", dependency["name"]),
        "name": dependency["name"],
        "versionInfo": dependency.get("version", "unknown"),
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": False,
        "licenseConcluded": UNKNOWN,
        "licenseDeclared": UNKNOWN,
        "copyrightText": UNKNOWN,
    }


def project(version, code, files):
    return {
        "SPDXID": identifier("Package", "sdtkit"),
        "name": "sdtkit",
        "versionInfo": version,
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": code},
        "hasFiles": [one["SPDXID"] for one in files],
        "licenseConcluded": LICENCE,
        "licenseDeclared": LICENCE,
        "licenseInfoFromFiles": [LICENCE],
        "copyrightText": COPYRIGHT,
        "primaryPackagePurpose": "LIBRARY",
    }


def document(version, files, libraries, moment):
    sums = sorted(one["checksums"][0]["checksumValue"] for one in files)
    code = hashlib.sha1("".join(sums).encode()).hexdigest()
    sdtkit = project(version, code, files)
    pairs = [("SPDXRef-DOCUMENT", "DESCRIBES", sdtkit["SPDXID"])]
    pairs += [(sdtkit["SPDXID"], "DEPENDS_ON", one["SPDXID"])
              for one in libraries]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "sdtkit-" + version,
        "documentNamespace":
            "https://spdx.org/spdxdocs/sdtkit-%s-%s" % (version, code),
        "creationInfo": {
            "created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: sdtkit-sbom-" + version],
        },
        "packages": [sdtkit] + libraries,
        "files": files,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind,
             "relatedSpdxElement": other} for one, kind, other in pairs],
    }


def main(build, root):
    root = pathlib.Path(root)
    paths = sorted(path for path in root.rglob("*")
                   if path.is_file() and not path.is_symlink())
    if not paths:
        sys.exit("sbom.py: no file in %s: install sdtkit there first, with "
                 "DESTDIR=%s meson install -C %s" % (root, root, build))
    found = {one["name"]: one for one in introspect(build, "dependencies")
             if one["name"] not in NOT_INSTALLED}
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.datetime.fromtimestamp(
        int(epoch) if epoch else time.time(), datetime.timezone.utc)
    json.dump(document(introspect(build, "projectinfo")["version"],
                       [file_of(root, path) for path in paths],
                       [library(found[name]) for name in sorted(found)],
                       moment), sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: sbom.py BUILD ROOT")
    main(*sys.argv[1:])
