/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * work.c - a loop with a probe. The program and the library each have this file
 * and another one that uses the same probe.
 *
 * HEADER is the generated header. SDT_BEFORE and SDT_AFTER include <sys/sdt.h>
 * before or after it, as other headers of a program may do.
 */
#ifdef SDT_BEFORE
#include <sys/sdt.h>
#endif
#include HEADER
#ifdef SDT_AFTER
#include <sys/sdt.h>
#endif

#include "work.h"

long work(long rounds, volatile sig_atomic_t *stop, long *number)
{
	long seen = 0;
	long i;

	for (i = 0; i < rounds && !*stop; i++) {
		seen += LIFE_ROUND_ENABLED() != 0;
		LIFE_ROUND(*number);
		++*number;
	}
	return seen;
}
