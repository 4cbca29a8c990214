/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.c - a library with the same probe as the program that opens it.
 */
#ifdef SDT_BEFORE
#include <sys/sdt.h>
#endif
#include HEADER
#ifdef SDT_AFTER
#include <sys/sdt.h>
#endif

#include "work.h"

guest_work_t guest_work;
guest_semaphore_t guest_semaphore;

/* Runs half of the rounds here, and half in the library's other file. */
long guest_work(long rounds, long *number)
{
	static volatile sig_atomic_t never;
	long seen = 0;
	long i;

	for (i = 0; i < rounds / 2; i++) {
		seen += LIFE_ROUND_ENABLED() != 0;
		LIFE_ROUND(*number);
		++*number;
	}
	return seen + work(rounds - rounds / 2, &never, number);
}

int guest_semaphore(void)
{
	return life_round_semaphore;
}
