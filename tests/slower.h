/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slower.h - how many times less often a test repeats what it repeats thousands
 * of times: in an emulated machine, where tests/kernels sets SDTKIT_SLOWER, and in
 * an ordinary run of ./dev test, where tests/run.py does.
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
