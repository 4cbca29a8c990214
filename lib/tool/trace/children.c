/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children that this process had before it executed sdtkit trace, and that do
 * not belong to COMMAND: those of a shell that executed it.
 *
 *	$ sh -c 'sleep 1000 & exec sdtkit trace server'
 *
 *	/proc/thread-self/children: 4709 4711
 *
 * Without that file (CONFIG_PROC_CHILDREN), every child counts as COMMAND's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "common/tool.h"
#include "trace/children.h"

enum {
	/*
	 * The kernel may leave out a child while another one ends, so look
	 * several times.
	 */
	LOOKS = 3,
};

static pid_t *strangers;
static size_t stranger_count, stranger_capacity;

static bool is_stranger(pid_t pid)
{
	size_t i;

	for (i = 0; i < stranger_count; i++) {
		if (strangers[i] == pid)
			return true;
	}
	return false;
}

/* Calls the function for each child until it returns false; then false. */
static bool for_children(bool (*function)(pid_t pid))
{
	FILE *file = fopen("/proc/thread-self/children", "re");
	bool all = true;
	int pid;

	while (file != NULL && all && fscanf(file, "%d", &pid) == 1)
		all = function((pid_t)pid);
	if (file != NULL)
		fclose(file);
	return all;
}

static bool add_stranger(pid_t pid)
{
	TOOL_GROW(strangers, stranger_count, stranger_capacity);
	strangers[stranger_count++] = pid;
	return true;
}

void tracing_know_strangers(void)
{
	for_children(add_stranger);
}

bool tracing_is_left_to_strangers(void)
{
	static int looks;

	if (stranger_count == 0)
		return false;
	looks = for_children(is_stranger) ? looks + 1 : 0;
	return looks == LOOKS;
}
