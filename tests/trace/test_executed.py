# SPDX-License-Identifier: BSD-2-Clause
"""Programs that a traced one executes and that could not run with the library:
those of another C library, and of AddressSanitizer. They run, untraced."""

import os
import shutil
import subprocess

import pytest

from programs import which
from trace_lines import LIMIT

# It prints what it finds in its environment.
SHOW = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	const char *preload = getenv("LD_PRELOAD");

	printf("%s:%s%s%s\\n", argc > 1 ? argv[1] : "",
	       getenv("SDTKIT_TRACE") ? " traced" : "",
	       preload && strstr(preload, "libsdtkit-trace") ? " ours" : "",
	       preload && strstr(preload, "libm.so") ? " theirs" : "");
	return 0;
}
"""

# It executes its first argument in each way that there is.
WAYS = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void execute(const char *way, char *path)
{
	char *argv[] = { path, (char *)way, NULL };
	char *name = basename(strdup(path));
	int fd = open(path, O_RDONLY);

	if (!strcmp(way, "execve"))
		execve(path, argv, environ);
	if (!strcmp(way, "execv"))
		execv(path, argv);
	if (!strcmp(way, "execvp"))
		execvp(name, argv);
	if (!strcmp(way, "execvpe"))
		execvpe(path, argv, environ);
	if (!strcmp(way, "execl"))
		execl(path, path, way, NULL);
	if (!strcmp(way, "execlp"))
		execlp(name, path, way, NULL);
	if (!strcmp(way, "execle"))
		execle(path, path, way, NULL, environ);
	if (!strcmp(way, "fexecve"))
		fexecve(fd, argv, environ);
	if (!strcmp(way, "execveat"))
		execveat(fd, "", argv, environ, AT_EMPTY_PATH);
	if (!strcmp(way, "posix_spawn") &&
	    posix_spawn(NULL, path, NULL, NULL, argv, environ) == 0)
		wait(NULL);
	if (!strcmp(way, "posix_spawnp") &&
	    posix_spawnp(NULL, name, NULL, NULL, argv, environ) == 0)
		wait(NULL);
	if (!strcmp(way, "system")) {
		char command[4096];

		snprintf(command, sizeof(command), "%s system", path);
		system(command);
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 2; i < argc; i++) {
		if (vfork() == 0)
			execute(argv[i], argv[1]);
		wait(NULL);
	}
	return 0;
}
"""
NAMES = ["execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle",
         "fexecve", "execveat", "posix_spawn", "posix_spawnp", "system"]


def compile_it(path, text, *flags, compiler="gcc"):
    path.with_suffix(".c").write_text(text)
    subprocess.run([compiler, "-O1", "-w", *flags,
                    str(path.with_suffix(".c")), "-o", str(path)], check=True)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A directory with "ways", which executes, and "same", which shows."""
    path = tmp_path_factory.mktemp("executed")
    compile_it(path / "ways", WAYS)
    compile_it(path / "same", SHOW)
    return path


@pytest.fixture
def executed(sdtkit, folder):
    """executed(program, way...): the lines of the program, executed by a
    traced one."""
    def run(program, *ways):
        done = subprocess.run(
            ["timeout", str(LIMIT), sdtkit, "trace", "-q", "-o", "/dev/null",
             folder / "ways", program, *ways], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            env=dict(os.environ, LD_PRELOAD="libm.so.6",
                     PATH="%s:%s" % (folder, os.environ["PATH"])))
        assert done.returncode == 0, done.stderr
        assert "sanitizer" not in done.stderr.lower() + done.stdout.lower()
        return done.stdout.splitlines(), done.stderr
    return run


def test_same_c_library(executed, folder):
    assert executed(folder / "same", *NAMES)[0] == [
        name + ": traced ours theirs" for name in NAMES]


def test_other_c_library(executed, folder):
    """It has the loader of this one, under another name."""
    listed = subprocess.run(["readelf", "-lW", folder / "same"], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    loader = listed.split("program interpreter: ")[1].split("]")[0]
    shutil.copy(loader, folder / "ld-other.so.1")
    other = compile_it(folder / "other", SHOW,
                       "-Wl,--dynamic-linker=%s/ld-other.so.1" % folder)
    assert executed(other, *NAMES)[0] == [name + ": theirs" for name in NAMES]
    script = folder / "script"
    script.write_text("#! %s\n" % other)
    script.chmod(0o755)
    assert executed(script, "execve")[0] == ["%s: theirs" % script]


def test_address_sanitizer(executed, folder):
    """gcc's runtime refuses to run unless it is the first library; the other
    library is in the way too, so it is left out here."""
    program = compile_it(folder / "asan", SHOW, "-fsanitize=address")
    done = subprocess.run([program], capture_output=True, text=True)
    if done.stdout != ":\n":
        pytest.skip("AddressSanitizer does not run here: " + done.stderr)
    script = folder / "alone"
    script.write_text("#!/bin/sh\nLD_PRELOAD=${LD_PRELOAD%%%%:libm*} %s $1\n"
                      % program)
    script.chmod(0o755)
    assert executed(script, "execve", "posix_spawn")[0] == [
        "execve:", "posix_spawn:"]


@pytest.mark.thorough
@pytest.mark.parametrize("flags", [[], ["-static"]], ids=str)
def test_musl(executed, folder, flags, unavailable):
    if not which("musl-gcc"):
        unavailable("musl-gcc is not installed")
    program = compile_it(folder / "musl", SHOW, *flags, compiler="musl-gcc")
    lines, said = executed(program, "execve", "system")
    assert [line.split(":")[0] for line in lines] == ["execve", "system"]
    assert "Error" not in said


def test_static(executed, folder):
    """It runs; what it executes may be traced."""
    program = compile_it(folder / "static", SHOW, "-static")
    assert executed(program, "execve")[0] == ["execve: traced ours theirs"]
