# SPDX-License-Identifier: BSD-2-Clause
"""The example for Bazel, by that of Debian (bazel-bootstrap), which has no
network: only with ./dev test --all, and where it is installed.

Debian's bazel-rules-cc is too new for its Bazel, so the names of C++ rules,
which are all that is used of it, stand here.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

from project_tool import run
from programs import which

RULES = ["cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test",
         "cc_toolchain", "cc_toolchain_suite", "fdo_prefetch_hints",
         "fdo_profile", "objc_import", "objc_library"]
SHARE = pathlib.Path("/usr/share/bazel")


@pytest.fixture
def bazel(tmp_path):
    """bazel(folder, option...): builds //:server."""
    if not which("bazel") or not (SHARE / "rules").is_dir():
        pytest.skip("bazel-bootstrap, bazel-rules-java or bazel-rules-proto "
                    "is missing")
    rules = tmp_path / "rules_cc"
    (rules / "cc").mkdir(parents=True)
    for name in "WORKSPACE", "BUILD", "cc/BUILD":
        (rules / name).touch()
    (rules / "cc" / "defs.bzl").write_text("".join(
        "%s = native.%s\n" % (name, name) for name in RULES))
    (rules / "cc" / "toolchain_utils.bzl").write_text(
        'load("@bazel_tools//tools/cpp:toolchain_utils.bzl", '
        '_find = "find_cpp_toolchain")\nfind_cpp_toolchain = _find\n')
    places = {"rules_cc": rules, "platforms": SHARE / "platforms",
              "rules_java": SHARE / "rules/java",
              "rules_proto": SHARE / "rules/proto"}

    def build(folder, *options):
        return run("bazel", "--output_user_root=%s" % (tmp_path / "root"),
                   "--batch", "build", "-j", "32", "-s",
                   *["--override_repository=%s=%s" % pair
                     for pair in places.items()], *options, "//:server",
                   cwd=folder)
    yield build
    # its outputs are read-only
    subprocess.run(["chmod", "-R", "u+w", tmp_path / "root"])


@pytest.fixture(params=["copied", "installed"])
def folder(request, source, tmp_path, prefix):
    made = tmp_path / "project"
    shutil.copytree(source / "examples/build/program", made)
    shutil.copytree(source / "examples/build/bazel", made, dirs_exist_ok=True)
    if request.param == "copied":
        for name in "include", "probegen", "lib/build":
            shutil.copytree(source / name, made / "sdtkit" / name,
                            ignore=shutil.ignore_patterns("__pycache__"))
        return made
    for name in "WORKSPACE", "BUILD":
        text = (made / name).read_text()
        (made / name).write_text(
            text.replace("//:sdtkit/lib/build/bazel/sdtkit.BUILD",
                         "%s/share/sdtkit/bazel/sdtkit.BUILD" % prefix)
            .replace('path = "sdtkit"', 'path = "%s"' % prefix)
            .replace("//:lib/build/bazel/", "//:share/sdtkit/bazel/"))
    return made


def probes(folder):
    return run("readelf", "-n", folder / "bazel-bin" / "server").count(
        "Provider: ")


@pytest.mark.thorough
def test_build(bazel, folder):
    bazel(folder)
    assert probes(folder) == 3
    assert run(folder / "bazel-bin" / "server", "a") == "a\n"
    path = folder / "probes" / "store_probes.d"
    path.write_text(path.read_text().replace("was written", "is written"))
    objects = folder / "bazel-bin" / "_objs" / "server"
    before = {each.name: os.stat(each).st_mtime_ns
              for each in objects.glob("*.o")}
    bazel(folder)
    changed = [name for name, when in before.items()
               if (objects / name).stat().st_mtime_ns != when]
    assert "is written" in (folder / "bazel-bin" / "probes" /
                            "store_probes.h").read_text()
    assert "server.pic.o" not in changed and "server.o" not in changed
    bazel(folder, "--define=probes=no")
    assert probes(folder) == 0
