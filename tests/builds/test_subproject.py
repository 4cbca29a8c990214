# SPDX-License-Identifier: BSD-2-Clause
"""sdtkit as the subproject of a host, by the wrap file that README.md has."""

import re
import shutil
import textwrap

import pytest

from build_tool import configure, install, run, steps
from opt_in import rarely
from programs import which

MESON = """
project('host', 'c'%s)
header = custom_target(input: 'host_probes.d', output: 'host_probes.h',
  command: [find_program('probegen'), '@INPUT@', '-o', '@OUTPUT@'])
host = executable('host', 'host.c', header, install: true,
  dependencies: [%s])
"""

DESCRIPTION = """
/* The host. */
provider host {
	/* It starts. */
	probe start(int count, char *name);
};
"""
WITH_HEX = ("char *name", "sdtkit_hex_t key")   # needs libsdtkit

PROGRAM = """
#include "host_probes.h"

int main(void)
{
	HOST_START(7, "name");
	return 0;
}
"""

TEST = """
#include <sdtkit/tap.h>
#include "host_probes.h"

int main(void)
{
	struct sdtkit_tap *tap;

	if (sdtkit_tap_open("host:*", &tap) < 0)
		return 1;
	HOST_START(7, "key", 3);
	sdtkit_tap_expect(tap, "host:start", sdtkit_tap_int("count", 7),
			  sdtkit_tap_str("key", "6b6579"));
	sdtkit_tap_close(tap);
	return 0;
}
"""


def needless(folder, names):
    """What a host need not copy; lib/build is none of it."""
    found = {".git", ".hypothesis", "tests", "__pycache__"} & set(names)
    return found | ({"build"} & set(names) if "meson_options.txt" in names
                    else set())


@pytest.fixture(params=rarely(["copied", "linked"], ["linked"]))
def host(request, source, tmp_path):
    """A host project that has sdtkit as README.md says."""
    text = (source / "README.md").read_text()
    wrap = re.search(r"^( *)```\n( *\[wrap-file\].*?)^\1```", text,
                     re.M | re.S)[2]
    folder = tmp_path / "host"
    (folder / "subprojects").mkdir(parents=True)
    (folder / "subprojects" / "sdtkit.wrap").write_text(textwrap.dedent(wrap))
    inner = folder / "subprojects" / "sdtkit"
    if request.param == "linked":
        inner.symlink_to(source)
    else:
        shutil.copytree(source, inner, ignore=needless)
    write(folder)
    return folder


def write(folder, options="", dependencies="dependency('sdtkit')", more=""):
    (folder / "meson.build").write_text(MESON % (options, dependencies) + more)
    (folder / "host_probes.d").write_text(DESCRIPTION)
    (folder / "host.c").write_text(PROGRAM)


# No library of others is to be found.
NO_LIBELF = {"PKG_CONFIG_LIBDIR": "", "PKG_CONFIG_PATH": "",
             "CMAKE_PREFIX_PATH": ""}


@pytest.mark.thorough
@pytest.mark.parametrize("host", ["copied"], indirect=True)
def test_the_example_as_it_is(host, source, tmp_path):
    shutil.copytree(source / "examples" / "hello", host, dirs_exist_ok=True)
    configure(host, tmp_path / "out", env=NO_LIBELF)
    run("ninja", "-C", tmp_path / "out")
    notes = run("readelf", "-n", tmp_path / "out" / "hello")
    assert notes.count("Provider: hello") == 2


def test_headers_and_generator_only(host, tmp_path):
    """The steps are those of the host: header, object, program."""
    out = tmp_path / "out"
    configure(host, out, env=NO_LIBELF)
    assert len(steps(out)) == 3
    assert install(out, tmp_path / "root") == ["/usr/local/bin/host"]
    notes = run("readelf", "-n", tmp_path / "root/usr/local/bin/host")
    assert "Provider: host" in notes


def test_libraries_that_a_host_uses(host, tmp_path, all_builds):
    """libsdtkit in the program and libsdtkit-tap in its test, without any
    option and any dependency."""
    out = tmp_path / "out"
    write(host, dependencies="dependency('sdtkit-arg')", more="""
test('probes', executable('probes', 'probes.c', header, dependencies: [
  dependency('sdtkit-arg'), dependency('sdtkit-tap')]))
""")
    (host / "host_probes.d").write_text(DESCRIPTION.replace(*WITH_HEX))
    (host / "host.c").write_text(PROGRAM.replace('"name"', '"key", 3'))
    (host / "probes.c").write_text(TEST)
    configure(host, out, env=NO_LIBELF)
    assert install(out, tmp_path / "root") == ["/usr/local/bin/host"]
    run(tmp_path / "root/usr/local/bin/host")
    run("meson", "test", "-C", out, "-t", "10")


@pytest.mark.parametrize("host", ["linked"], indirect=True)
def test_the_command_on_request(host, tmp_path, all_builds):
    """The option that README.md names; the command then checks the host."""
    out = tmp_path / "out"
    write(host, options=", default_options: ['sdtkit:components=tool']",
          more="""
test('check', find_program('sdtkit'), args: ['check', host])
executable('reader', 'reader.c', dependencies: dependency('sdtkit-notes'))
""")
    (host / "reader.c").write_text(
        "#include <sdtkit/notes.h>\nint main(void) { return 0; }\n")
    configure(host, out)
    assert install(out, tmp_path / "root") == ["/usr/local/bin/host"]
    run("meson", "test", "-C", out, "-t", "10")


@pytest.mark.parametrize("host", ["linked"], indirect=True)
def test_a_cross_build(host, tmp_path):
    """probegen runs on the machine that builds; libsdtkit-tap is there too."""
    if not which("aarch64-linux-gnu-gcc"):
        pytest.skip("aarch64-linux-gnu-gcc is missing")
    cross = tmp_path / "cross.ini"
    cross.write_text(CROSS)
    write(host, dependencies="dependency('sdtkit-tap')")
    out = tmp_path / "out"
    configure(host, out, "--cross-file", cross, env=NO_LIBELF)
    assert install(out, tmp_path / "root") == ["/usr/local/bin/host"]
    program = tmp_path / "root/usr/local/bin/host"
    assert "AArch64" in run("readelf", "-h", program)
    assert "Provider: host" in run("readelf", "-n", program)


CROSS = """
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
"""
