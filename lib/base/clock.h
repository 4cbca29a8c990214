/* SPDX-License-Identifier: BSD-2-Clause */
/* The time of a clock as one number. */
#ifndef SDTKIT_BASE_CLOCK_H
#define SDTKIT_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t sdtkit_nanoseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif /* SDTKIT_BASE_CLOCK_H */
