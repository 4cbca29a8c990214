/* SPDX-License-Identifier: BSD-2-Clause */
/* latencies.c - what the kernel has counted goes to the heat map. */
#include <err.h>

#include "slots/slots.h"
#include "counters.h"
#include "heatmap.h"
#include "latencies.h"
#include "names.h"
#include "rows.h"
#include "tsmbd.skel.h"

static struct heatmap map = {
	.title = "SMB2 requests: how long they took, and when",
	.description = "A field for each command: time to the right, latency "
		"upwards, the number of requests as colour.",
	.noun = "request",
	.unit_ns = 1000,
	.slots = SLOTS_POWERS,
};
static unsigned long long before[TSMBD_OPS][SLOTS_POWERS];

_Static_assert(SLOTS_POWERS <= (int)HEATMAP_SLOTS, "slots of the heat map");

void latencies_begin(unsigned long long now, unsigned long long sample_ns)
{
	unsigned int op;

	heatmap_begin(&map, now, sample_ns);
	for (op = 0; op < TSMBD_OPS; op++) {
		if (heatmap_add_field(&map, name_of_op(op)) == NULL)
			err(1, NULL);
	}
}

void latencies_sample(struct tsmbd *skel, unsigned long long now)
{
	static unsigned long long fine[TSMBD_OPS][SLOTS_FINE];
	unsigned long long slots[SLOTS_POWERS];
	unsigned long long added[SLOTS_POWERS];
	int op, slot;

	heatmap_advance(&map, now);
	counters_read_slots(skel, fine);
	for (op = 0; op < TSMBD_OPS; op++) {
		slots_fold(fine[op], slots);
		for (slot = 0; slot < SLOTS_POWERS; slot++) {
			added[slot] = slots[slot] - before[op][slot];
			before[op][slot] = slots[slot];
		}
		heatmap_count(&map, map.fields[op], added);
	}
}

void latencies_begin_recorded(unsigned long long begin_ns,
			      unsigned long long sample_ns)
{
	latencies_begin(begin_ns, sample_ns);
	map.started.tv_sec = (time_t)(begin_ns / 1000000000);
	map.started.tv_nsec = (long)(begin_ns % 1000000000);
}

void latencies_add_recorded(const struct report *r)
{
	unsigned long long slots[SLOTS_POWERS];
	const struct operation_row *row;

	/* nothing is known of the time before it */
	if (r->end_ns - r->elapsed_ns > map.begun)
		heatmap_advance(&map, r->end_ns - r->elapsed_ns);
	heatmap_advance(&map, r->end_ns);
	REPORT_FOR_EACH_ROW(row, r, SMBD_OPERATIONS) {
		slots_fold(row->op.slots, slots);
		heatmap_count(&map, map.fields[row->opcode], slots);
	}
}

bool latencies_write(const char *path)
{
	return heatmap_draw(&map, path);
}
