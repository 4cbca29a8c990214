/* SPDX-License-Identifier: BSD-2-Clause */
/* latencies.c - what the kernel has counted goes to the heat map. */
#include <string.h>

#include "report/heat.h"
#include "counters.h"
#include "latencies.h"
#include "report.h"
#include "rows.h"

static struct heat *heat;
static struct report *sample;

void latencies_begin(unsigned long long now, unsigned long long sample_ns)
{
	heat = heat_new(&smbd_program, HEAT_TITLE, now, sample_ns);
	sample = report_new(&smbd_tables);
	sample->end_ns = now;
}

void latencies_sample(struct tsmbd *skel, unsigned long long now)
{
	static unsigned long long slots[TSMBD_OPS][SLOTS_FINE];
	static unsigned long long before[TSMBD_OPS][SLOTS_FINE];
	unsigned long long last = sample->end_ns;
	struct operation_row *row;
	unsigned int op, slot;

	counters_read_slots(skel, slots);
	report_clear(sample);
	sample->end_ns = now;
	sample->elapsed_ns = now - last;
	for (op = 0; op < TSMBD_OPS; op++) {
		row = report_append(sample, SMBD_OPERATIONS);
		row->opcode = op;
		for (slot = 0; slot < SLOTS_FINE; slot++)
			row->op.slots[slot] = slots[op][slot] -
				before[op][slot];
	}
	memcpy(before, slots, sizeof(before));
	heat_add(heat, sample);
}

bool latencies_write(const char *path)
{
	return heat_write(heat, path);
}
