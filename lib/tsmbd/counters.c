/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c - adds up the counters of the kernel, which has one for each CPU.
 *
 *	kernel adds to bank 0 | command: bank = 1, fence, reads bank 0 | ...
 *
 * The kernel only adds, so nothing is lost between two reports: a report has
 * the difference to the last one. After the fence no program adds to the bank
 * any more, so that the numbers of a row agree with each other. Minimum and
 * maximum have no difference: they are cleared.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/memory.h"
#include "calls.h"
#include "counters.h"
#include "rows.h"
#include "tsmbd.skel.h"
#include "walk.h"

/* Space for a value of each CPU. */
static void *new_values(size_t size)
{
	void *values = memory_zeros((size_t)libbpf_num_possible_cpus(), size);

	return values;
}

/* Adds up a value over all CPUs; it consists of counters of 8 bytes. */
static void sum_values(struct bpf_map *map, unsigned int key, void *sum,
		       size_t size)
{
	unsigned long long *values = new_values(size);
	int num_cpus = libbpf_num_possible_cpus();
	unsigned long long *to = sum;
	size_t words = size / sizeof(*to);
	size_t i;
	int cpu;

	memset(sum, 0, size);
	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, values) == 0) {
		for (cpu = 0; cpu < num_cpus; cpu++) {
			for (i = 0; i < words; i++)
				to[i] += values[(size_t)cpu * words + i];
		}
	}
	free(values);
}

/* Sets since to the growth since the last call, and last to the value now. */
static void take_values(struct bpf_map *map, unsigned int key, void *since,
			void *last, size_t size)
{
	unsigned long long *a = since;
	unsigned long long *b = last;
	unsigned long long now;
	size_t i;

	sum_values(map, key, since, size);
	for (i = 0; i < size / sizeof(*a); i++) {
		now = a[i];
		a[i] -= b[i];
		b[i] = now;
	}
}

/*
 * Changing a map of maps returns when no program runs any more that may have
 * seen its old contents. Such a program may also have read the old bank.
 */
static void wait_for_programs(struct tsmbd *skel)
{
	int inner = bpf_map__fd(skel->maps.fence_inner);
	unsigned int key = 0;

	if (bpf_map_update_elem(bpf_map__fd(skel->maps.fence), &key, &inner,
				BPF_ANY) != 0)
		err(1, "cannot update a BPF map");
}

static void take_extremes(struct tsmbd *skel, unsigned int bank,
			  struct tsmbd_extreme *extremes)
{
	int num_cpus = libbpf_num_possible_cpus();
	int fd = bpf_map__fd(skel->maps.extremes);
	struct tsmbd_extreme *values = new_values(sizeof(*values));
	unsigned int key;
	unsigned int op;
	int cpu;

	memset(extremes, 0, TSMBD_OPS * sizeof(*extremes));
	for (op = 0; op < TSMBD_OPS; op++) {
		struct tsmbd_extreme *x = &extremes[op];

		key = bank * TSMBD_OPS + op;
		if (bpf_map_lookup_elem(fd, &key, values) != 0)
			continue;
		for (cpu = 0; cpu < num_cpus; cpu++) {
			if (values[cpu].min != 0 &&
			    (x->min == 0 || values[cpu].min < x->min))
				x->min = values[cpu].min;
			if (values[cpu].max > x->max)
				x->max = values[cpu].max;
		}
		memset(values, 0, (size_t)num_cpus * sizeof(*values));
		bpf_map_update_elem(fd, &key, values, BPF_ANY);
	}
	free(values);
}

/*
 * Reads and deletes them, so that the next report begins at 0. The keys are
 * those of both banks: no program deletes any.
 */
static void take_errors(struct tsmbd *skel, unsigned int bank,
			struct report *r)
{
	static struct tsmbd_error_key keys[TSMBD_MAX_ERRORS];
	unsigned long long *values = new_values(sizeof(*values));
	int num_cpus = libbpf_num_possible_cpus();
	int fd = bpf_map__fd(skel->maps.errors);
	int count = walk_keys(fd, keys, sizeof(keys[0]), TSMBD_MAX_ERRORS);
	struct error_count *error;
	int cpu;
	int i;

	for (i = 0; i < count; i++) {
		if (keys[i].bank != bank ||
		    bpf_map_lookup_elem(fd, &keys[i], values) != 0)
			continue;
		error = report_append(r, SMBD_ERRORS);
		error->opcode = keys[i].opcode;
		error->status = keys[i].status;
		for (cpu = 0; cpu < num_cpus; cpu++)
			error->count += values[cpu];
		bpf_map_delete_elem(fd, &keys[i]);
	}
	free(values);
}

static void take_operations(struct tsmbd *skel, unsigned int bank,
			    struct report *r)
{
	static struct tsmbd_op last[2][TSMBD_OPS];
	struct tsmbd_extreme extremes[TSMBD_OPS];
	struct server_row *sums = server_row(r);
	struct operation_row *row;
	struct tsmbd_op op;
	unsigned int i;

	take_extremes(skel, bank, extremes);
	for (i = 0; i < TSMBD_OPS; i++) {
		take_values(skel->maps.ops, bank * TSMBD_OPS + i, &op,
			    &last[bank][i], sizeof(op));
		if (op.count == 0)
			continue;
		row = report_append(r, SMBD_OPERATIONS);
		row->opcode = i;
		row->op = op;
		row->extreme = extremes[i];
		sums->requests += op.count;
		sums->bytes_in += op.bytes_in;
		sums->bytes_out += op.bytes_out;
	}
}

static void take_sizes(struct tsmbd *skel, unsigned int bank, struct report *r)
{
	static struct tsmbd_size last[2][2];
	struct size_row *row;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		row = report_append(r, SMBD_SIZES);
		row->direction = i;
		take_values(skel->maps.sizes, bank * 2 + i, &row->size,
			    &last[bank][i], sizeof(row->size));
	}
}

/* The programs have them in another order: see calls_index(). */
static void take_calls(struct tsmbd *skel, struct report *r)
{
	static struct tsmbd_calls now, last;
	const struct tsmbd_call *call;
	struct call_row *row;
	unsigned int number;

	take_values(skel->maps.calls, 0, &now, &last, sizeof(now));
	for (number = 0; number < TSMBD_SYSCALLS; number++) {
		call = &now.of[calls_index(skel, number)];
		if (call->count == 0)
			continue;
		row = report_append(r, SMBD_CALLS);
		row->number = number;
		row->call = *call;
	}
}

static void take_disk(struct tsmbd *skel, struct report *r)
{
	static struct tsmbd_io last[2];
	struct disk_row *row;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		row = report_append(r, SMBD_DISK);
		row->direction = i;
		take_values(skel->maps.disk, i, &row->io, &last[i],
			    sizeof(row->io));
	}
}

unsigned int counters_take(struct tsmbd *skel, struct report *r)
{
	static unsigned long long last[TSMBD_LOST_KINDS];
	struct server_row *server = server_row(r);
	unsigned int modes = skel->rodata->modes;
	unsigned int bank = skel->bss->bank;
	unsigned int i;

	skel->bss->bank = !bank;
	wait_for_programs(skel);
	take_operations(skel, bank, r);
	if (modes & TSMBD_SIZES)
		take_sizes(skel, bank, r);
	take_errors(skel, bank, r);
	if (modes & TSMBD_CALLS)
		take_calls(skel, r);
	take_disk(skel, r);
	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		take_values(skel->maps.lost, i, &server->lost[i], &last[i],
			    sizeof(last[i]));
	return bank;
}

void counters_read_slots(struct tsmbd *skel,
			 unsigned long long slots[TSMBD_OPS][SLOTS_FINE])
{
	struct tsmbd_op op;
	unsigned int i, slot;

	memset(slots, 0, TSMBD_OPS * sizeof(slots[0]));
	for (i = 0; i < 2 * TSMBD_OPS; i++) {
		sum_values(skel->maps.ops, i, &op, sizeof(op));
		for (slot = 0; slot < SLOTS_FINE; slot++)
			slots[i % TSMBD_OPS][slot] += op.slots[slot];
	}
}
