# SPDX-License-Identifier: BSD-2-Clause
"""A probe may have the address of something that is not filled yet: it reads
nothing there. gcc must not warn that it may be used uninitialized, as it does
where a function takes a pointer to const; -O0 matters most, because nothing is
inlined there. The probes are also compiled for SystemTap's header, where those
that have marshalled arguments once did not compile."""

import subprocess

import pytest

import probe_tool
from opt_in import pairs

DESCRIPTION = """provider io {
	probe start(char *path, struct stat *st);
	probe read(void *buffer, size_t size);
	probe named(string name, struct stat *st, void *buffer);
	probe alone(void *buffer, struct stat *st);
	probe peer(sdtkit_sockaddr_t who, void *buffer);
	probe made(struct stat *st, int fd) : (struct stat *st);
};
#pragma sdtkit single_site alone
"""

PROGRAM = """
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include "io.h"

#ifdef __cplusplus
#define MAKE(size) new char[size]
#define FREE(heap) delete[] heap
#else
#define MAKE(size) (char *)malloc(size)
#define FREE(heap) free(heap)
#endif
#define IN(name, call)							\\
	void name(void);						\\
	void name(void)							\\
	{								\\
		struct stat st;						\\
		char buf[64], *heap;					\\
									\\
		call;							\\
		heap = MAKE(64);					\\
		IO_READ(heap, 64);					\\
		FREE(heap);						\\
		(void)st;						\\
		(void)buf;						\\
	}
IN(start, IO_START("x", &st))
IN(read_, IO_READ(buf, sizeof(buf)))
IN(named, IO_NAMED("x", &st, buf))
IN(alone, IO_ALONE(buf, &st))
IN(made, IO_MADE(&st, 1))
void peer(const struct sockaddr *who);
void peer(const struct sockaddr *who)
{
	char buf[64];

	IO_PEER(who, buf);
}
"""


@pytest.mark.parametrize("compiler, options, backend", pairs(
    ["g++ -std=c++11", "g++ -std=c++23", "clang++ -std=c++17", "gcc", "clang"],
    ["-O0", "-O2", "-O0 --coverage"], ["native", "systemtap"]))
def test_no_warning(compiler, options, backend, tmp_path, unavailable):
    probe_tool.need_backend(backend, unavailable)
    (tmp_path / "io.d").write_text(DESCRIPTION)
    probe_tool.generate_file(tmp_path / "io.d")
    language = "-xc++" if "++" in compiler else "-xc"
    result = subprocess.run(
        [*compiler.split(), *options.split(), "-Wall", "-Wextra", "-I",
         tmp_path, "-I", probe_tool.SOURCE / "include",
         *probe_tool.BACKENDS[backend], language, "-c", "-o",
         tmp_path / "w.o", "-"], input=PROGRAM, text=True, cwd=tmp_path,
        stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (0, "")
