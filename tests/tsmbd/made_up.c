/* SPDX-License-Identifier: BSD-2-Clause */
/* made_up.c - reads requests of a second that is made up. */
#include <stdio.h>

#include "made_up.h"

/* The same as slots_fine() of slots.bpf.h, which cannot be compiled here. */
static unsigned int slot_of(unsigned long long us)
{
	unsigned int power;

	if (us < 16)
		return (unsigned int)us;
	power = 63 - (unsigned int)__builtin_clzll(us);
	return (power - 2) * 8 + (us >> (power - 3)) % 8;
}

static void add(struct smbd_report *r, unsigned int opcode,
		unsigned long long count, unsigned long long us)
{
	struct tsmbd_extreme *extreme = &r->counters.extremes[opcode];
	struct tsmbd_op *op = &r->counters.ops[opcode];

	op->count += count;
	op->total_ns += count * us * 1000;
	op->slots[slot_of(us)] += count;
	if (extreme->min == 0 || us * 1000 < extreme->min)
		extreme->min = us * 1000;
	if (us * 1000 > extreme->max)
		extreme->max = us * 1000;
}

bool made_up_requests(struct smbd_report *report, const char *word,
		      unsigned int *opcode)
{
	unsigned long long count, us;
	unsigned int read;

	if (sscanf(word, "%u:%llux%llu", &read, &count, &us) != 3)
		return false;
	*opcode = read;
	add(report, read, count, us);
	return true;
}
