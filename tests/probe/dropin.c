/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The drop-in header in a program: arguments are evaluated only while the probe
 * is traced. If <sys/sdt.h> was included before, without semaphores
 * (-DSDT_FIRST), they are always evaluated, because no tracer could raise a
 * semaphore. The exit status is 0 if so.
 */
#ifdef SDT_FIRST
#include <sys/sdt.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include "site.h"

#ifdef SDT_FIRST
#define UNGUARDED 1
#else
#define UNGUARDED 0
#endif

static int calls;

static int called(int value)
{
	calls++;
	return value;
}

int main(void)
{
	T_COUNT(called(1));
	if (calls != UNGUARDED || T_COUNT_ENABLED())
		return 1;
	for (int i = 0; i < 10; i++) {
		t_count_semaphore = i >= 4 && i < 7;
		if (!T_COUNT_ENABLED() != !t_count_semaphore)
			return 2;
		T_COUNT(called(i));
		T_NONE();
	}
	return calls != (UNGUARDED ? 11 : 3);
}
