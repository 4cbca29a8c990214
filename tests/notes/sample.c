/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small real file for test_hostile.c, with sites made by our
 * <sys/sdt.h>, with and without a semaphore.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

#define SEMAPHORE(name) \
	__extension__ unsigned short name \
	__attribute__((section(".probes"), visibility("hidden"), used))

SEMAPHORE(sample_none_semaphore);
SEMAPHORE(sample_two_semaphore);

void sample(long id, const short *table, double value);

void sample(long id, const short *table, double value)
{
	DTRACE_PROBE(sample, none);
	DTRACE_PROBE2(sample, two, id, table[id]);
	DTRACE_PROBE2(sample, two, 5, value);
	DTRACE_PROBE2(sample, two, (unsigned char)id, table);
}
