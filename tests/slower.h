/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slower.h - how many times slower than a machine an emulated one is: what
 * repeats a thing thousands of times does so less often there. The guests of
 * tests/kernels set SDTKIT_SLOWER.
 */
#ifndef SLOWER_H
#define SLOWER_H

#include <stdlib.h>

static inline int slower(void)
{
	const char *times = getenv("SDTKIT_SLOWER");

	return times != NULL ? atoi(times) : 1;
}

#endif
