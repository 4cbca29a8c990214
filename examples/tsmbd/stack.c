/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack.c - from the addresses of a stack to places in files.
 *
 * A place is an offset in the file, as
 * addr2line and objdump take for a library. The line of /proc/PID/maps:
 *
 *	7f12c0a28000-7f12c0b9d000 r-xp 00028000 08:01 123 /usr/lib/libc.so.6
 */
#include <stdio.h>
#include <string.h>

#include "stack.h"

static FILE *open_maps(unsigned int pid)
{
	char path[32];
	FILE *maps;
	int c;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	if (maps == NULL)
		return NULL;
	/* of a process that is exiting it opens, and is empty */
	c = getc(maps);
	if (c != EOF)
		return maps;
	fclose(maps);
	return NULL;
}

static void print_place(FILE *maps, unsigned long long address)
{
	unsigned long long start, end, offset;
	char line[4352], path[4096];
	const char *base;

	rewind(maps);
	while (fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %4095s", &start,
			   &end, &offset, path) != 4 ||
		    address < start || address >= end)
			continue;
		base = strrchr(path, '/');
		printf("    %s+%#llx\n", base != NULL ? base + 1 : path,
		       address - start + offset);
		return;
	}
	printf("    %#llx\n", address);
}

void stack_print(unsigned int pid, unsigned int parent,
		 const unsigned long long *addresses, int count)
{
	FILE *maps = open_maps(pid);
	int i;

	if (maps == NULL)
		maps = open_maps(parent);
	for (i = 0; i < count; i++) {
		if (maps != NULL)
			print_place(maps, addresses[i]);
		else
			printf("    %#llx\n", addresses[i]);
	}
	if (maps != NULL)
		fclose(maps);
}
