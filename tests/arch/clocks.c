/* SPDX-License-Identifier: BSD-2-Clause */
/* clocks - exit status 0 if the header's clocks are those of libc. */
#define SDTKIT_ARG_INLINE
#include <sdtkit/arg.h>

/* What a strict -std=c11 hides; the numbers are Linux's. */
int time_of(int clock, unsigned long *now) __asm__("clock_gettime");

static uint64_t libc(int clock)
{
	unsigned long now[2] = { 0, 0 };

	return time_of(clock, now) ? 0 :
		(uint64_t)now[0] * 1000000000 + now[1];
}

static int between(uint64_t before, uint64_t ours, uint64_t after)
{
	return before != 0 && before <= ours && ours <= after;
}

int main(void)
{
	uint64_t monotonic = libc(1), boottime = libc(7);
	uint64_t ours[] = { sdtkit_arg_monotonic(), sdtkit_arg_boottime() };

	return !between(monotonic, ours[0], libc(1)) ||
		!between(boottime, ours[1], libc(7));
}
