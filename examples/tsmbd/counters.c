/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counters.c - from the maps of the kernel, one value for each CPU, to sums.
 *
 * The kernel only ever adds, so nothing gets lost between two reports: what
 * a report says is the difference. Least and greatest cannot be had that
 * way; they have two banks, of which the kernel uses one.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "counters.h"
#include "names.h"
#include "tsmbd.skel.h"

/* Most values are nothing but counters of 8 bytes. */
static void sum_values(struct bpf_map *map, unsigned int key, void *sum,
		       size_t size)
{
	int num_cpus = libbpf_num_possible_cpus();
	unsigned long long *to = sum;
	unsigned long long *values;
	size_t words = size / sizeof(*to);
	size_t i;
	int cpu;

	memset(sum, 0, size);
	values = calloc((size_t)num_cpus, size);
	if (values == NULL)
		err(1, NULL);
	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, values) == 0) {
		for (cpu = 0; cpu < num_cpus; cpu++) {
			for (i = 0; i < words; i++)
				to[i] += values[(size_t)cpu * words + i];
		}
	}
	free(values);
}

static void read_extremes(struct tsmbd *skel, unsigned int old_bank,
			  struct tsmbd_extreme *extremes)
{
	int num_cpus = libbpf_num_possible_cpus();
	int fd = bpf_map__fd(skel->maps.extremes);
	struct tsmbd_extreme *values;
	unsigned int key;
	unsigned int op;
	int cpu;

	values = calloc((size_t)num_cpus, sizeof(*values));
	if (values == NULL)
		err(1, NULL);
	memset(extremes, 0, TSMBD_OPS * sizeof(*extremes));
	for (op = 0; op < TSMBD_OPS; op++) {
		struct tsmbd_extreme *x = &extremes[op];

		key = old_bank * TSMBD_OPS + op;
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

static void read_errors(struct tsmbd *skel, struct counters *c)
{
	int num_cpus = libbpf_num_possible_cpus();
	int fd = bpf_map__fd(skel->maps.errors);
	struct tsmbd_error_key *last = NULL;
	struct tsmbd_error_key key;
	unsigned long long *values;
	int cpu;

	values = calloc((size_t)num_cpus, sizeof(*values));
	if (values == NULL)
		err(1, NULL);
	c->num_errors = 0;
	while (c->num_errors < TSMBD_MAX_ERRORS &&
	       bpf_map_get_next_key(fd, last, &key) == 0) {
		struct error_count *error = &c->errors[c->num_errors++];

		error->key = key;
		error->count = 0;
		if (bpf_map_lookup_elem(fd, &key, values) == 0) {
			for (cpu = 0; cpu < num_cpus; cpu++)
				error->count += values[cpu];
		}
		last = &error->key;
	}
	free(values);
}

void counters_read_ops(struct tsmbd *skel, struct tsmbd_op ops[TSMBD_OPS])
{
	unsigned int i;

	for (i = 0; i < TSMBD_OPS; i++)
		sum_values(skel->maps.ops, i, &ops[i], sizeof(ops[i]));
}

void counters_read(struct tsmbd *skel, struct counters *c)
{
	unsigned int old_bank = skel->bss->bank;
	unsigned int i;

	skel->bss->bank = !old_bank;
	read_extremes(skel, old_bank, c->extremes);
	counters_read_ops(skel, c->ops);
	for (i = 0; i < TSMBD_SYSCALLS; i++)
		sum_values(skel->maps.calls, i, &c->calls[i],
			   sizeof(c->calls[i]));
	for (i = 0; i < 2; i++)
		sum_values(skel->maps.disk, i, &c->disk[i],
			   sizeof(c->disk[i]));
	for (i = 0; i < TSMBD_LOST_KINDS; i++)
		sum_values(skel->maps.lost, i, &c->lost[i],
			   sizeof(c->lost[i]));
	read_errors(skel, c);
}

static void subtract(void *from, const void *what, size_t size)
{
	unsigned long long *a = from;
	const unsigned long long *b = what;
	size_t i;

	for (i = 0; i < size / sizeof(*a); i++)
		a[i] -= b[i];
}

/* Errors are never deleted in the kernel, but may change their order. */
void counters_subtract(struct counters *c, const struct counters *before)
{
	int i;
	int j;

	subtract(c->ops, before->ops, sizeof(c->ops));
	subtract(c->calls, before->calls, sizeof(c->calls));
	subtract(c->disk, before->disk, sizeof(c->disk));
	subtract(c->lost, before->lost, sizeof(c->lost));
	for (i = 0; i < c->num_errors; i++) {
		for (j = 0; j < before->num_errors; j++) {
			if (memcmp(&c->errors[i].key, &before->errors[j].key,
				   sizeof(c->errors[i].key)) == 0)
				c->errors[i].count -= before->errors[j].count;
		}
	}
}

void counters_pardon(struct counters *c)
{
	int i;

	for (i = 0; i < c->num_errors; i++) {
		const struct error_count *e = &c->errors[i];

		if (e->key.opcode < TSMBD_OPS &&
		    status_is_benign(e->key.opcode, e->key.status))
			c->ops[e->key.opcode].errors -= e->count;
	}
}
