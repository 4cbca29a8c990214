/* SPDX-License-Identifier: BSD-2-Clause */
/* detail.c - rows are arrays; the schema tells what their numbers are. */
#include "base/when.h"
#include "tsmbd/names.h"
#include "tsmbd/rows.h"
#include "detail.h"
#include "write.h"

static const char *const kinds[TSMBD_KINDS] = {
	[TSMBD_CLIENTS] = "clients", [TSMBD_USERS] = "users",
	[TSMBD_SHARES] = "shares", [TSMBD_FILES] = "files",
};

static unsigned long long us(unsigned long long ns)
{
	return (ns + 500) / 1000;
}

/* All numbers but the first are behind a comma. */
static void put(FILE *file, unsigned long long value)
{
	putc_unlocked(',', file);
	write_number(file, value);
}

static void put_top(FILE *file, const struct page_top *row)
{
	putc_unlocked('[', file);
	write_number(file, row->name);
	put(file, row->share);
	put(file, row->requests);
	put(file, row->errors);
	put(file, row->bytes);
	put(file, us(row->ns));
	put(file, us(row->max));
	putc_unlocked(',', file);
	write_slots(file, row->slots);
	putc_unlocked(']', file);
}

static void put_wait(FILE *file, const struct page_wait *row)
{
	putc_unlocked('[', file);
	write_number(file, row->client);
	put(file, row->holder);
	put(file, row->share);
	put(file, row->file);
	put(file, row->count);
	put(file, us(row->ns));
	put(file, us(row->max));
	putc_unlocked(']', file);
}

static void put_slow(FILE *file, const struct page_slow *row)
{
	char status[NAME_SIZE];
	int i;

	putc_unlocked('[', file);
	write_number(file, row->client);
	put(file, row->user);
	put(file, row->share);
	put(file, row->file);
	put(file, row->opcode);
	putc_unlocked(',', file);
	write_string(file, name_of_status(row->status, status));
	put(file, (unsigned long long)when_epoch_ms(row->end_ns));
	for (i = 0; i < PAGE_TIMES; i++)
		put(file, row->ns[i] / 1000);
	if (row->limit_ns > 0)
		put(file, row->limit_ns / 1000);
	putc_unlocked(']', file);
}

static void put_tops(FILE *file, const struct page_top rows[PAGE_TOP])
{
	int i;

	for (i = 0; i < PAGE_TOP && rows[i].requests > 0; i++) {
		fputs(i > 0 ? "," : "", file);
		put_top(file, &rows[i]);
	}
}

static void put_waits(FILE *file, const struct page_detail *d)
{
	int i;

	fputs("\"waits\":[", file);
	for (i = 0; i < PAGE_WAITS && d->waits[i].count > 0; i++) {
		fputs(i > 0 ? "," : "", file);
		put_wait(file, &d->waits[i]);
	}
	fputs("],\"other_waits\":", file);
	put_wait(file, &d->other_waits);
}

static void put_slows(FILE *file, const struct page_detail *d)
{
	int i;

	fputs(",\"slow\":[", file);
	for (i = 0; i < PAGE_SLOW && d->slow[i].end_ns != 0; i++) {
		fputs(i > 0 ? "," : "", file);
		put_slow(file, &d->slow[i]);
	}
	fputs("],\"other_slow\":", file);
	write_number(file, d->other_slow);
}

void detail_write(FILE *file, const struct page_detail *d)
{
	int kind;

	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		fprintf(file, "\"%s\":[", kinds[kind]);
		put_tops(file, d->tops[kind]);
		fputs("],", file);
	}
	fputs("\"others\":{", file);
	for (kind = 0; kind < TSMBD_KINDS; kind++) {
		fprintf(file, "%s\"%s\":", kind > 0 ? "," : "", kinds[kind]);
		put_top(file, &d->others[kind]);
	}
	fputs("},", file);
	put_waits(file, d);
	put_slows(file, d);
}

void detail_write_times(FILE *file)
{
	const struct report_column *column;
	const char *comma = "";

	putc('[', file);
	REPORT_FOR_EACH(column, &smbd_tables.table[SMBD_SLOW], SLOW_TIMES) {
		if (column->unit != REPORT_NS)
			continue;
		fprintf(file, "%s\"%s\"", comma, column->key);
		comma = ",";
	}
	putc(']', file);
}
