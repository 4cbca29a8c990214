# SPDX-License-Identifier: BSD-2-Clause
"""A program whose linker has folded two functions with the same probe has two
notes for one site. Every reader takes them for one and counts a hit once. If
the functions had different probes, readers say where to look."""

import json
import os
import pathlib
import platform
import re
import subprocess
import time

import pytest

from programs import which

HERE = pathlib.Path(__file__).resolve().parent
SITE = """
	.include "%s"
	counter folded_one_semaphore
	.text
	.globl site
	.type site, @function
site:
	nop
	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	ret
	named folded, one, "8@%%rdi", folded_one_semaphore, site
	named folded, one, "8@%%rdi", folded_one_semaphore, site
	.ifdef WITH_OTHER
	counter folded_other_semaphore
	named folded, other, "8@%%rdi", folded_other_semaphore, site
	.endif
	.section .note.GNU-stack, "", %%progbits
"""
# three hits, once it has been told to begin
MAIN = """
#include <stdio.h>
void site(long x);
int main(void)
{
	getchar();
	for (long i = 1; i <= 3; i++)
		site(i);
	puts("done");
	fflush(stdout);
	getchar();
	return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory, unavailable):
    if platform.machine() != "x86_64":
        unavailable("the site is of x86-64")
    folder = tmp_path_factory.mktemp("folded")
    (folder / "site.S").write_text(SITE % (HERE / "notes.inc"))
    (folder / "main.c").write_text(MAIN)
    subprocess.run(["gcc", "-O2", "-Wl,--build-id=sha1", folder / "site.S",
                    folder / "main.c", "-o", folder / "program"], check=True)
    subprocess.run(["gcc", "-Wa,--defsym,WITH_OTHER=1", folder / "site.S",
                    folder / "main.c", "-o", folder / "with_other"],
                   check=True)
    return folder / "program"


def test_list(sdtkit, program):
    assert sdtkit("list", program).stdout == (
        "SITES  SEMAPHORE  PROBE\n    1  yes        folded:one(u64)\n")


def test_check(sdtkit, program):
    assert sdtkit("check", program).stdout == (
        "%s: 1 probe, 1 site: good\n" % program)


def test_trace(build, program):
    """As do the recorder and the tap: all find sites by lib/attach."""
    done = subprocess.run(
        [build / "lib/tool/sdtkit", "trace", program], input="\n\n", text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    assert "tracing 1 probe at 1 site" in done.stdout
    assert re.findall(r"folded:one\((\d)\)", done.stdout) == ["1", "2", "3"]


def need_root(unavailable):
    if os.geteuid() != 0:
        unavailable("needs root")


def test_top(build, program, unavailable):
    need_root(unavailable)
    run = subprocess.Popen([program], stdin=subprocess.PIPE, text=True,
                           stdout=subprocess.PIPE)
    top = subprocess.Popen([build / "lib/tool/sdtkit", "top", "--json", "-p",
                            str(run.pid), "folded:*"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = top.stderr.readline()
        if not line.startswith("Collecting"):
            unavailable("sdtkit top: " + line + top.stderr.read())
        run.stdin.write("\n")
        run.stdin.flush()
        assert run.stdout.readline() == "done\n"
        time.sleep(0.2)
        top.terminate()
        report = json.loads(top.communicate(timeout=300)[0])
    finally:
        top.kill()
        run.communicate("\n", timeout=300)
    assert [row["count"] for row in report["probes"]] == [3]


def test_top_names_the_command_that_says_why(sdtkit, program, unavailable):
    """The kernel refuses two semaphores for one address."""
    need_root(unavailable)
    other = program.parent / "with_other"
    assert "SITE_SHARED" in sdtkit("check", other).stdout
    said = sdtkit("top", "--wait=1", other, "folded:*").stderr
    if "cannot attach" not in said:
        unavailable("sdtkit top: " + said)
    assert said.splitlines()[0].endswith(
        "cannot attach to its probes: Invalid argument: see 'sdtkit check %s'"
        % other)


def test_bt(build, program, unavailable):
    if not which("bpftrace"):
        unavailable("bpftrace is not installed")
    need_root(unavailable)
    done = subprocess.run(
        ["timeout", "300", build / "lib/tool/sdtkit", "bt", "-e",
         "folded:one { @ = count(); }", "--cmd",
         program], input="\n\n", text=True, capture_output=True)
    assert "@: 3\n" in done.stdout, done.stdout + done.stderr
