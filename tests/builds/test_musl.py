# SPDX-License-Identifier: BSD-2-Clause
"""With musl: what can be built works, static and dynamic, and what cannot is
refused when meson is called."""

import os
import subprocess

import pytest

from build_tool import configure, install, run
from probe import probe_tool
from programs import which

LINKS = {"static": ["-static"], "dynamic": []}
# A program without PIE is too low in memory for jumps, whatever its library.
JUMPS = {"static": ["-static-pie"], "dynamic": ["-pie"]}
RECORDED = """
#include <stdio.h>
#include <sdtkit/recorder.h>
#include "shop_probes.h"

int main(int argc, char **argv)
{
	struct sdtkit_recorder *recorder;
	unsigned int i;

	if (argc != 3)
		return 2;
	if (sdtkit_recorder_open("shop:*", &(struct sdtkit_recorder_options){
			.directory = argv[1] }, &recorder) < 0) {
		puts(sdtkit_recorder_error());
		return 1;
	}
	for (i = 0; i < 3; i++)
		SHOP_ORDER(i, "tea", 2.5);
	i = sdtkit_recorder_dump(recorder, argv[2]) < 0;
	sdtkit_recorder_close(recorder);
	return (int)i;
}
"""


@pytest.fixture(scope="module", autouse=True)
def compiler():
    if not which("musl-gcc"):
        pytest.skip("musl-gcc is missing: it is in the package musl-tools")


def refused(source, out, *options):
    done = subprocess.run(
        ["meson", "setup", out, source, "-Dtests=disabled", *options],
        env=dict(os.environ, CC="musl-gcc"), stdout=subprocess.PIPE,
        text=True)
    assert done.returncode != 0
    return [line for line in done.stdout.splitlines() if "ERROR" in line][0]


def test_refused(source, tmp_path):
    """In one line that says what to ask for."""
    said = refused(source, tmp_path / "all")
    assert "the sdtkit command needs glibc" in said
    assert "-Dcomponents=headers,arg,tap,recorder" in said


def test_libelf_of_another_library(source, tmp_path):
    """pkg-config finds that of glibc."""
    done = subprocess.run(
        ["musl-gcc", "-fsyntax-only", "-xc", "-"], text=True,
        input="#include <gelf.h>\n", stderr=subprocess.DEVNULL)
    if done.returncode == 0:
        pytest.skip("there is a libelf for musl")
    said = refused(source, tmp_path / "notes", "-Dcomponents=notes")
    assert "not for this compiler, which finds no <gelf.h>" in said


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("optimise", ["-O0", "-O2", "-O2 -flto"])
def test_probes(link, optimise, tmp_path):
    """The notes are those of a program with glibc."""
    probe_tool.generate(tmp_path)
    flags = [*LINKS[link], *optimise.split()]
    program = probe_tool.compile_c(tmp_path, "musl-gcc", ["evaluate.c"], "p",
                                   *flags)
    subprocess.run([program], check=True)
    found = []
    for name in "musl-gcc", "gcc":
        program = probe_tool.compile_c(tmp_path, name, ["values.c"], name,
                                       *flags)
        found.append([(note.name, note.semaphore != 0, note.args)
                      for note in probe_tool.notes(program)])
    assert found[0] == found[1] != []


@pytest.fixture(scope="module")
def libraries(source, tmp_path_factory):
    """flags(package): what pkg-config says of those that musl can have."""
    folder = tmp_path_factory.mktemp("musl")
    configure(source, folder / "out", "-Dprefix=/usr", "-Dtests=disabled",
              "-Dwerror=true", "-Dcomponents=arg,tap,recorder",
              env={"CC": "musl-gcc"})
    root = folder / "root"
    install(folder / "out", root)
    run("python3", source / "probegen", source / "examples/tap/shop_probes.d",
        "-o", folder / "shop_probes.h")
    where = ":".join(str(path) for path in root.rglob("pkgconfig"))

    def flags(package):
        said = run("pkg-config", "--cflags", "--libs", "--static", package,
                   env=dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(root),
                            PKG_CONFIG_PATH=where))
        return ["-I", folder, *said.split()]
    return flags


@pytest.mark.parametrize("link", LINKS)
def test_tap(link, source, libraries, tmp_path):
    program = tmp_path / "shop"
    run("musl-gcc", "-O2", *LINKS[link], source / "examples/tap/plain.c",
        source / "examples/tap/shop.c", *libraries("sdtkit-tap"), "-o",
        program)
    assert run(program) == 'shop:order(id=9, item="tea", price=2.5)\n'


@pytest.mark.parametrize("link", LINKS)
def test_recorder(link, build, libraries, tmp_path):
    """Read by the command, which has glibc."""
    (tmp_path / "recorded.c").write_text(RECORDED)
    run("musl-gcc", "-O2", *JUMPS[link], "-fPIE", tmp_path / "recorded.c",
        *libraries("sdtkit-recorder"), "-o", tmp_path / "recorded")
    run(tmp_path / "recorded", tmp_path, tmp_path / "dump")
    said = run(build / "lib/tool/sdtkit", "trace", "--snapshot",
               tmp_path / "dump")
    assert said.count('shop:order') == 3, said
    assert 'id=2, item="tea", price=2.5' in said
