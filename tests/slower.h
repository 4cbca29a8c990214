/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slower.h - how many times less often a test repeats what it repeats thousands
 * of times: in an emulated machine, where tests/kernels sets SDTKIT_SLOWER, and in
 * an ordinary run of ./dev test, where tests/run.py sets SDTKIT_LESS_OFTEN.
 */
#ifndef SLOWER_H
#define SLOWER_H

#include <stdlib.h>

static inline int slower(void)
{
	const char *times = getenv("SDTKIT_SLOWER");

	if (times == NULL)
		times = getenv("SDTKIT_LESS_OFTEN");
	return times != NULL ? atoi(times) : 1;
}

#endif
