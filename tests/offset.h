/* SPDX-License-Identifier: BSD-2-Clause */
/* offset.h - where an address of a program is in the program's file. */
#ifndef OFFSET_H
#define OFFSET_H

#include <stdio.h>

/* Returns 0 if it is not in the file, or if the mappings cannot be read. */
static unsigned long offset_of(const unsigned char *at)
{
	unsigned long start, end, offset;
	unsigned long found = 0;
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) ==
			    3 &&
		    (unsigned long)at >= start && (unsigned long)at < end)
			found = (unsigned long)at - start + offset;
	}
	if (maps != NULL)
		fclose(maps);
	return found;
}

#endif
