# SPDX-License-Identifier: BSD-2-Clause
"""`sdtkit check` as a test in the meson build of a project, as docs/check.md
shows it."""

import os
import re
import subprocess

import pytest

from programs import which

MESON = """
project('smbd', 'c')
sdtkit = find_program('sdtkit')
header = custom_target(input: 'smb2.d', output: 'smb2.h',
  command: [sdtkit, 'gen', '-Wno-all', '@INPUT@', '-o', '@OUTPUT@'])
smbd = executable('smbd', 'smbd.c', header,
  include_directories: include_directories('INCLUDE'))
%s
"""

DESCRIPTION = """
#pragma sdtkit alias smb2 smb
provider smb2 { probe start(uint64_t mid, int n); probe end(uint64_t mid); };
"""

PROGRAM = """
#include "smb2.h"
int main(int argc, char **argv)
{
	(void)argv;
	SMB2_START(1, argc);
#ifndef FORGOTTEN
	SMB2_END(1);
#endif
	return 0;
}
"""


def test_of_a_build(build, source, tmp_path):
    if not which("meson"):
        pytest.skip("meson is missing")
    document = (source / "docs" / "check.md").read_text()
    test = re.search(r"^test\('probes'.*?\)\)?\n(?=```)", document,
                     re.M | re.S).group()
    project = tmp_path / "project"
    project.mkdir()
    # meson does not allow an absolute path there.
    (project / "INCLUDE").symlink_to(source / "include")
    (project / "meson.build").write_text(MESON % test)
    (project / "smb2.d").write_text(DESCRIPTION)
    (project / "smbd.c").write_text(PROGRAM)
    environ = dict(os.environ, PATH="%s:%s" % (
        build / "lib" / "tool", os.environ["PATH"]))
    out = tmp_path / "out"
    for command in ["meson", "setup", str(out), str(project)], \
            ["ninja", "-C", str(out)]:
        subprocess.run(command, env=environ, check=True,
                       stdout=subprocess.DEVNULL)
    for head, failed in ("", False), ("#define FORGOTTEN\n", True):
        (project / "smbd.c").write_text(head + PROGRAM)
        done = subprocess.run(["meson", "test", "-C", str(out)], env=environ,
                              stdout=subprocess.PIPE, universal_newlines=True)
        log = (out / "meson-logs" / "testlog.txt").read_text()
        assert (done.returncode != 0) == failed
        assert ("error MISSING_PROBE: it has no site" in log) == failed
        assert (": 4 probes, 4 sites: good" in log) != failed
