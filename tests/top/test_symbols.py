# SPDX-License-Identifier: BSD-2-Clause
"""The debug file of a program that a process in a container runs: it is looked
for there, and used only if it has the build ID of the program."""

import ctypes
import os
import shutil
import subprocess

import pytest

PROGRAM = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#ifdef OTHER
volatile int other = 1;
#endif

__attribute__((noinline)) static void told_by_debug_file(void)
{
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	(void)argc;
	told_by_debug_file();
	if (geteuid() != 0)
		unshare(CLONE_NEWUSER);
	if (chroot(argv[1]) != 0)
		return 1;
	printf("%p\n", (void *)told_by_debug_file);
	fflush(stdout);
	pause();
	return 0;
}
"""


class Frame(ctypes.Structure):
    """struct frame"""
    _fields_ = [("function", ctypes.c_char_p), ("into", ctypes.c_ulonglong),
                ("object", ctypes.c_void_p), ("kernel", ctypes.c_bool),
                ("address", ctypes.c_ulonglong)]


def compile_c(output, *arguments):
    subprocess.run([os.environ.get("CC", "cc"), "-O1", *arguments, "-o",
                    output], check=True)


@pytest.fixture(scope="module")
def find(source, build, tmp_path_factory):
    """find(pid, address): the name of the function, or None."""
    path = tmp_path_factory.mktemp("symbols") / "symbols.so"
    files = [source / "lib" / "symbols" / name
             for name in ("symbols.c", "space.c")]
    compile_c(path, "-D_GNU_SOURCE", "-shared", "-fPIC",
              "-I", source / "include", "-I", source / "lib" / "picture",
              *files, "-L", build / "lib" / "notes", "-lsdtkit-notes",
              "-Wl,-rpath," + str(build / "lib" / "notes"), "-lelf")
    library = ctypes.CDLL(str(path))

    def run(pid, address):
        frame = Frame()
        library.symbols_find(ctypes.c_uint(pid), ctypes.c_uint(pid),
                             ctypes.c_ulonglong(address),
                             ctypes.byref(frame))
        return frame.function
    return run


def debug_path(root, program):
    notes = subprocess.run(["readelf", "-n", program], text=True, check=True,
                           stdout=subprocess.PIPE).stdout
    identity = notes.partition("Build ID: ")[2].split()[0]
    folder = root / "usr/lib/debug/.build-id" / identity[:2]
    folder.mkdir(parents=True)
    return folder / (identity[2:] + ".debug")


def found(find, tmp_path, unavailable, debug_of):
    """Returns what is found if the debug file is that of debug_of."""
    if os.geteuid() != 0:
        unavailable("chroot() needs root")
    source = tmp_path / "main.c"
    source.write_text(PROGRAM)
    for name, flags in ("this", []), ("other", ["-DOTHER"]):
        compile_c(tmp_path / name, source, "-Wl,--build-id=sha1", *flags)
    root = tmp_path / "root"
    shutil.copy(tmp_path / debug_of, debug_path(root, tmp_path / "this"))
    subprocess.run(["strip", tmp_path / "this"], check=True)
    child = subprocess.Popen([tmp_path / "this", root], text=True,
                             stdout=subprocess.PIPE)
    address = child.stdout.readline()
    try:
        if not address:
            unavailable("chroot() is not permitted")
        return find(child.pid, int(address, 16))
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_debug_file_in_the_container(find, tmp_path, unavailable):
    assert found(find, tmp_path, unavailable, "this") == b"told_by_debug_file"


def test_debug_file_of_another_program(find, tmp_path, unavailable):
    assert found(find, tmp_path, unavailable, "other") is None
