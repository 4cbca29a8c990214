/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program with a span; with WORK_OTHER it has probes that are called as
 * python's, but are others, and with WORK_NONE it has none. It maps the file of its argument as if it was code, and does
 * what has the span for each byte of its standard input. With a second argument it waits for a line
 * before, and executes the file then.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(WORK_OTHER)
#include <sys/sdt.h>
static void work(int key)
{
	const char *module = "work";

#if defined(WORK_COUNT)
	DTRACE_PROBE2(python, import__find__load__start, module, key);
#elif defined(WORK_TYPE)
	DTRACE_PROBE1(python, import__find__load__start, key);
#endif
	DTRACE_PROBE2(python, import__find__load__done, module, key);
}
#elif defined(WORK_NONE)
static void work(int key)
{
}
#else
#include "work_probes.h"
static void work(int key)
{
	WORK_WORK_START(key);
	WORK_WORK_END(key);
}
#endif

#ifdef WORK_LIBRARY
void work_library(int key);
void work_library(int key)
{
	work(key);
}
#else
#ifdef WORK_LINKED
void work_library(int key);
#endif

int main(int argc, char **argv)
{
	char line[16];

#ifdef WORK_LINKED
	work_library(argc);
#endif
	work(argc);
	if (argc == 2 && mmap(NULL, 1 << 16, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE, open(argv[1], O_RDONLY), 0) ==
			 MAP_FAILED)
		return 1;
	puts("ready");
	fflush(stdout);
	if (argc > 2) {
		fgets(line, sizeof(line), stdin);
		execv(argv[1], (char *[]){ argv[1], NULL });
	}
	while (read(0, line, 1) > 0)
		work(argc);
	return 0;
}
#endif
