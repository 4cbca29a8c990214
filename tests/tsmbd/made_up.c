/* SPDX-License-Identifier: BSD-2-Clause */
/* made_up.c - reads requests of a second that is made up. */
#include <stdio.h>

#include "slots/slots.h"
#include "made_up.h"

struct operation_row *made_up_operation(struct report *r, unsigned int opcode)
{
	const struct operation_row like = { .opcode = opcode };

	return report_want(r, SMBD_OPERATIONS, &like);
}

static void add(struct operation_row *row, unsigned long long count,
		unsigned long long us)
{
	row->op.count += count;
	row->op.total_ns += count * us * 1000;
	row->op.slots[slots_slot(us)] += count;
	if (row->extreme.min == 0 || us * 1000 < row->extreme.min)
		row->extreme.min = us * 1000;
	if (us * 1000 > row->extreme.max)
		row->extreme.max = us * 1000;
}

bool made_up_requests(struct report *report, const char *word,
		      unsigned int *opcode)
{
	unsigned long long count, us;

	if (sscanf(word, "%u:%llux%llu", opcode, &count, &us) != 3)
		return false;
	add(made_up_operation(report, *opcode), count, us);
	server_row(report)->requests += count;
	return true;
}
