/* SPDX-License-Identifier: BSD-2-Clause */
/* rows_back.c - the opposite of rows_fill() and rows_slow(). */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "rows_back.h"

static void fill_top(struct top *top, const struct report *r, size_t t)
{
	size_t i;

	for (i = 0; i < r->rows[t].count; i++) {
		const struct name_row *row = report_row(r, t, i);
		struct top_row *to = top_new_row(top);
		struct tsmbd_top_value *v = &to->value;

		strcpy(to->name, row->name);
		strcpy(to->share, row->share);
		to->opcode = row->opcode;
		v->requests = row->requests;
		v->errors = row->errors;
		v->bytes = row->bytes;
		v->ns = row->ns;
		v->max = row->max;
		v->limited = row->limited;
		v->limit_ns = row->limit_ns;
		v->kept = row->kept;
		v->refused = row->refused;
		memcpy(v->slots, row->slots, sizeof(row->slots));
	}
}

static void fill_server(struct smbd_report *to, const struct server_row *row)
{
	if (row == NULL)
		return;
	to->tally = row->tally;
	to->totals.requests = row->requests;
	to->totals.bytes_in = row->bytes_in;
	to->totals.bytes_out = row->bytes_out;
	to->vnn = row->vnn;
	memcpy(to->counters.lost, row->lost, sizeof(row->lost));
}

static void fill_counters(struct counters *c, const struct report *r)
{
	size_t i;

	for (i = 0; i < r->rows[SMBD_OPERATIONS].count; i++) {
		const struct operation_row *row =
			report_row(r, SMBD_OPERATIONS, i);

		c->ops[row->opcode] = row->op;
		c->extremes[row->opcode] = row->extreme;
	}
	for (i = 0; i < r->rows[SMBD_ERRORS].count; i++) {
		if (c->num_errors < TSMBD_MAX_ERRORS)
			c->errors[c->num_errors++] =
				*(struct error_count *)report_row(
					r, SMBD_ERRORS, i);
	}
	for (i = 0; i < r->rows[SMBD_CALLS].count; i++) {
		const struct call_row *row = report_row(r, SMBD_CALLS, i);

		c->calls[row->number] = row->call;
	}
	for (i = 0; i < r->rows[SMBD_DISK].count; i++) {
		const struct disk_row *row = report_row(r, SMBD_DISK, i);

		c->disk[row->direction] = row->io;
	}
	for (i = 0; i < r->rows[SMBD_SIZES].count; i++) {
		const struct size_row *row = report_row(r, SMBD_SIZES, i);

		c->sizes[row->direction] = row->size;
	}
}

void rows_back(struct smbd_report *to, const struct report *r)
{
	size_t i, waits = r->rows[SMBD_WAITS].count;

	memcpy(to->hosts, r->hosts, sizeof(to->hosts));
	to->end_ns = r->end_ns;
	to->elapsed_ns = r->elapsed_ns;
	fill_server(to, server_row(r));
	fill_counters(&to->counters, r);
	for (i = 0; i < TSMBD_KINDS; i++)
		fill_top(&to->tops[i], r, SMBD_CLIENTS + i);
	fill_top(&to->share_commands, r, SMBD_SHARE_COMMANDS);
	if (waits == 0)
		return;
	to->waits = calloc(waits, sizeof(*to->waits));
	if (to->waits == NULL)
		err(1, NULL);
	memcpy(to->waits, r->rows[SMBD_WAITS].rows,
	       waits * sizeof(*to->waits));
	to->num_waits = (int)waits;
}

void rows_slow_back(struct tsmbd_request_event *e, const struct slow_row *row)
{
	struct tsmbd_request *r = &e->request;

	memset(e, 0, sizeof(*e));
	e->event.kind = row->kind;
	e->event.pid = row->pid;
	e->event.time = row->end_ns;
	snprintf(e->event.remote, sizeof(e->event.remote), "%.*s",
		 (int)sizeof(e->event.remote) - 1, row->client);
	r->start = row->end_ns - row->total_ns;
	r->opcode = row->opcode;
	r->status = row->status;
	r->run_ns = row->run_ns;
	r->vfs_ns = row->vfs_ns;
	r->ctdb_ns = row->ctdb_ns;
	r->oplock_ns = row->oplock_ns;
	r->lock_ns = row->lock_ns;
	r->send_ns = row->send_ns;
	r->limit_ns = row->limit_ns;
	r->mid = row->mid;
	r->session = row->session;
	e->detail.offset = row->offset;
	e->detail.length = row->length;
	strcpy(e->detail.user, row->user);
	strcpy(e->detail.share, row->share);
	snprintf(e->detail.file, sizeof(e->detail.file), "%.*s",
		 (int)sizeof(e->detail.file) - 1, row->file);
}
