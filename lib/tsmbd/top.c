/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.c - the names that caused most of the work, from the maps of the kernel.
 *
 * The kernel has a row for each hash of a name. The same name may have several
 * rows: if a client could open the file, its name comes from smbd, and if
 * another could not, it comes from the packet. Here such rows become one.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "tally.h"
#include "top.h"
#include "tsmbd.skel.h"

/* More than a bucket of the kernel's table ever has. */
enum { BATCH = 1024 };

/* "ipv4:192.0.2.7:50123" -> "ipv4:192.0.2.7" */
static void cut_port(char *name)
{
	char *colon = strrchr(name, ':');

	if (colon != NULL && strchr(name, ':') != colon)
		*colon = '\0';
}

static void name_row(struct top_row *row, unsigned long long kind)
{
	const struct tsmbd_top_value *v = &row->value;
	char name[TSMBD_NAME];

	snprintf(name, sizeof(name), "%.*s", TSMBD_NAME - 1, v->name);
	if (kind == TSMBD_FILES) {
		raw_file(v->raw, v->file, v->file_length, row->name);
		if (row->name[0] != '\0')
			snprintf(row->share, sizeof(row->share), "%s", name);
		return;
	}
	if (kind != TSMBD_CLIENTS && v->raw != TSMBD_RAW_NONE) {
		raw_name(v->raw, v->file, v->file_length, row->name);
		return;
	}
	if (kind == TSMBD_CLIENTS) {
		client_name(v->pid, v->name, name);
		cut_port(name);
	}
	snprintf(row->name, sizeof(row->name), "%s", name);
}

static void add_row(struct top *top, const struct top_row *row)
{
	*top_new_row(top) = *row;
}

/* Two names that were cut may differ, although they look alike here. */
static bool is_same(const struct top_row *a, const struct top_row *b)
{
	const struct tsmbd_top_value *v = &a->value;

	return top_by_name(a, b) == 0 &&
	       !raw_is_cut(v->raw, v->file, v->file_length);
}

static void merge_names(struct top *top)
{
	int count = 0;
	int i;

	if (top->count == 0)
		return;
	qsort(top->rows, (size_t)top->count, sizeof(*top->rows),
	      top_by_name);
	for (i = 1; i < top->count; i++) {
		if (is_same(&top->rows[count], &top->rows[i]))
			top_add_row(&top->rows[count], &top->rows[i]);
		else
			top->rows[++count] = top->rows[i];
	}
	top->count = count + 1;
}

/* Takes one batch of rows from the map; returns their number, 0 at the end. */
static unsigned int take_some(int fd, struct tsmbd_top_key *keys,
			      struct tsmbd_top_value *values, bool first)
{
	static unsigned int cursor;
	unsigned int count = BATCH;
	int ret;

	ret = bpf_map_lookup_and_delete_batch(fd, first ? NULL : &cursor,
					      &cursor, keys, values, &count,
					      NULL);
	return ret == 0 || ret == -ENOENT ? count : 0;
}

static void take_all(int fd, struct top tops[TSMBD_KINDS],
		     struct top *share_commands)
{
	static struct tsmbd_top_value values[BATCH];
	static struct tsmbd_top_key keys[BATCH];
	unsigned int count, i;
	bool first = true;

	while ((count = take_some(fd, keys, values, first)) > 0) {
		for (i = 0; i < count; i++) {
			struct top_row row = {
				.opcode = TSMBD_OPS, .value = values[i],
			};

			if (keys[i].kind >= TSMBD_KINDS)
				continue;
			name_row(&row, keys[i].kind);
			add_row(&tops[keys[i].kind], &row);
			if (keys[i].command == 0)
				continue;
			row.opcode = keys[i].command - 1;
			add_row(share_commands, &row);
		}
		first = false;
	}
}

void top_take(const struct options *options, struct tsmbd *skel,
	      unsigned int bank, struct top tops[TSMBD_KINDS],
	      struct top *share_commands)
{
	int kind;

	memset(tops, 0, TSMBD_KINDS * sizeof(*tops));
	memset(share_commands, 0, sizeof(*share_commands));
	if (options_tops(options) == 0)
		return;
	take_all(bpf_map__fd(bank ? skel->maps.top_1 : skel->maps.top_0),
		 tops, share_commands);
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		merge_names(&tops[kind]);
		top_sort(&tops[kind], options->top_order);
	}
}
