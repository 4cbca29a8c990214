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

#include "rows.h"
#include "tally.h"
#include "top.h"
#include "tsmbd.skel.h"

/* More than a bucket of the kernel's table ever has. */
enum { BATCH = 1024 };

static void name_row(struct name_row *row, const struct tsmbd_top_value *v,
		     unsigned int kind)
{
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
		client_host(name);
	}
	snprintf(row->name, sizeof(row->name), "%s", name);
}

static void make_row(struct name_row *row, const struct tsmbd_top_value *v,
		     unsigned int kind)
{
	memset(row, 0, sizeof(*row));
	name_row(row, v, kind);
	row->requests = v->requests;
	row->errors = v->errors;
	row->bytes = v->bytes;
	row->ns = v->ns;
	row->max = v->max;
	row->limited = v->limited;
	row->limit_ns = v->limit_ns;
	row->kept = v->kept;
	row->refused = v->refused;
	memcpy(row->slots, v->slots, sizeof(row->slots));
}

/* Two names that were cut may differ, although they look alike here. */
static void add_row(struct report *r, size_t table, const struct name_row *row,
		    bool is_cut)
{
	if (is_cut)
		memcpy(report_append(r, table), row, sizeof(*row));
	else
		report_add_row(r, table, row);
}

static void add_value(struct report *r, const struct tsmbd_top_key *key,
		      const struct tsmbd_top_value *v)
{
	bool is_cut = raw_is_cut(v->raw, v->file, v->file_length);
	struct name_row row;

	make_row(&row, v, key->kind);
	add_row(r, SMBD_CLIENTS + key->kind, &row, is_cut);
	if (key->command == 0)
		return;
	row.opcode = key->command - 1;
	add_row(r, SMBD_SHARE_COMMANDS, &row, is_cut);
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

void top_take(const struct options *options, struct tsmbd *skel,
	      unsigned int bank, struct report *r)
{
	static struct tsmbd_top_value values[BATCH];
	static struct tsmbd_top_key keys[BATCH];
	unsigned int count, i;
	bool first = true;
	int fd = bpf_map__fd(bank ? skel->maps.top_1 : skel->maps.top_0);

	if (options_tops(options) == 0)
		return;
	while ((count = take_some(fd, keys, values, first)) > 0) {
		for (i = 0; i < count; i++) {
			if (keys[i].kind < TSMBD_KINDS)
				add_value(r, &keys[i], &values[i]);
		}
		first = false;
	}
}
