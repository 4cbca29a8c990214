/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes that share a semaphore. The program raises it itself, by the name of
 * one of them, and finds the guards of all open. The argument "apart" says that
 * group_other.c is in a library, which has a semaphore of its own; with
 * "traced", the program waits with its guards for a tracer: it prints which are
 * open each time it reads a line. The exit status is 0 if all is right.
 */
#include "group.h"

#include <stdio.h>
#include <string.h>

#if defined(SDTKIT_DISABLE) || defined(DISABLED)
#define ON 0
static unsigned short t_count_semaphore, t_a__b_semaphore;
#else
#define ON 1
#endif

static int calls;

static int called(int value)
{
	calls++;
	return value;
}

/* Returns how many arguments of the group's probes were evaluated. */
static int fire(void)
{
	calls = 0;
	if (T_CALL_TRACED()) {
		T_NONE();
		T_COUNT(called(1));
	}
	T_COUNT(called(2));
	return calls;
}

static int enabled(void)
{
	return (T_NONE_ENABLED() ? 1 : 0) + (T_COUNT_ENABLED() ? 2 : 0) +
	       (T_CALL_TRACED() ? 4 : 0) + (T_A_B_ENABLED() ? 8 : 0);
}

static int wait_for_lines(void)
{
	char line[16];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		fire();
		printf("%d %d\n", enabled(), other(1));
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int apart = argc > 1 && strcmp(argv[1], "apart") == 0;

	if (argc > 1 && strcmp(argv[1], "traced") == 0)
		return wait_for_lines();
	if (fire() != 0 || enabled() != 0 || other(1) != 0)
		return 1;
	t_count_semaphore = 1;
	if (fire() != 2 * ON || enabled() != 7 * ON ||
	    other(2) != (apart ? 0 : 11 * ON))
		return 2;
	t_count_semaphore = 0;
	t_a__b_semaphore = 1;
	if (fire() != 0 || enabled() != 8 * ON ||
	    other(3) != (apart ? 0 : 4 * ON))
		return 3;
	t_a__b_semaphore = 0;
	return fire() + enabled() + other(4);
}
