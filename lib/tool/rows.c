/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of "sdtkit list", for people and for awk: columns never contain
 * blanks, but for the last one.
 *
 *	PROBE               SITES  SEMAPHORE  ARGUMENTS
 *	smb2:request_end        2  yes        u64 u64 u64
 *	smb2:request_start      1  yes        u64 u64
 *
 *	PROBE               ADDRESS  OFFSET  SEMAPHORE  OPERANDS
 *	smb2:request_end    0x1195   0x1195  0x4012     8@%rdi 8@%rsi 8@%rax
 *
 * Sorted by name, byte by byte; sites of one name stay in the order of the
 * file.  Sites of one name that differ in the types of their arguments or in
 * having a semaphore get a row for each form: they are not one probe to those
 * who trace.  Names come from the file, which may be hostile: what could
 * drive a terminal is written as \x1b.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum {
	/* Longer names break the column instead of widening it. */
	NAME_WIDTH_MAX = 48,
	/* "0x" and 16 digits. */
	PLACE_LENGTH = 19,
};

/* Places of a row, in the order of the columns. */
enum { ADDRESS, OFFSET, SEMAPHORE, PLACES };

static const char *const place_titles[PLACES] = {
	[ADDRESS] = "ADDRESS",
	[OFFSET] = "OFFSET",
	[SEMAPHORE] = "SEMAPHORE",
};

/* Writes text to a place with room for 4 bytes for each; returns its end. */
static char *put_text(char *to, const char *text, bool blanks)
{
	static const char hex[] = "0123456789abcdef";

	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if ((c > ' ' && c < 0x7f && c != '\\') ||
		    (blanks && c == ' ')) {
			*to++ = (char)c;
			continue;
		}
		*to++ = '\\';
		*to++ = 'x';
		*to++ = hex[c >> 4];
		*to++ = hex[c & 0xf];
	}
	*to = '\0';
	return to;
}

/* "provider:probe"; NULL without memory, as below. */
static char *make_name(const struct sdtkit_site *site)
{
	size_t length = strlen(site->provider) + strlen(site->probe);
	char *name = malloc(4 * length + sizeof(":"));
	char *to;

	if (name == NULL)
		return NULL;
	to = put_text(name, site->provider, false);
	*to++ = ':';
	put_text(to, site->probe, false);
	return name;
}

static char *make_operands(const struct sdtkit_site *site)
{
	char *text = malloc(4 * strlen(site->arguments) + 1);

	if (text != NULL)
		put_text(text, site->arguments, true);
	return text;
}

/* "u64 s32 f64"; "?" where the note records no type. */
static char *make_types(const struct sdtkit_site *site)
{
	char *text = malloc(site->operand_count * sizeof("u524280") + 1);
	char *to = text;
	size_t i;

	if (text == NULL)
		return NULL;
	*to = '\0';
	for (i = 0; i < site->operand_count; i++) {
		const struct sdtkit_operand *operand = &site->operands[i];
		char type = operand->is_signed ? 's' : 'u';

		if (i > 0)
			*to++ = ' ';
		if (operand->size == 0)
			to = stpcpy(to, "?");
		else
			to += sprintf(to, "%c%u",
				      operand->is_float ? 'f' : type,
				      operand->size * 8U);
	}
	return text;
}

static void free_row(struct row *row)
{
	free(row->name);
	free(row->arguments);
}

int rows_add(struct rows *rows, const struct sdtkit_site *site)
{
	struct row *row;

	if (rows->count == rows->room) {
		size_t room = rows->room == 0 ? 64 : rows->room * 2;

		row = realloc(rows->row, room * sizeof(*row));
		if (row == NULL)
			return -ENOMEM;
		rows->row = row;
		rows->room = room;
	}
	row = &rows->row[rows->count];
	*row = (struct row) {
		.name = make_name(site),
		.arguments = rows->verbose ? make_operands(site) :
					     make_types(site),
		.sites = 1,
		.order = rows->count,
		.address = site->address,
		.offset = site->offset,
		.semaphore = site->semaphore,
	};
	if (row->name == NULL || row->arguments == NULL) {
		free_row(row);
		return -ENOMEM;
	}
	rows->count++;
	return 0;
}

/* 0 for two rows that the summary joins. */
static int compare_looks(const struct row *a, const struct row *b)
{
	int ret = strcmp(a->name, b->name);

	if (ret == 0)
		ret = strcmp(a->arguments, b->arguments);
	if (ret == 0)
		ret = (a->semaphore != 0) - (b->semaphore != 0);
	return ret;
}

static int compare_order(const struct row *a, const struct row *b)
{
	return (a->order > b->order) - (a->order < b->order);
}

static int compare_summary(const void *first, const void *second)
{
	int ret = compare_looks(first, second);

	return ret != 0 ? ret : compare_order(first, second);
}

static int compare_sites(const void *first, const void *second)
{
	const struct row *a = first, *b = second;
	int ret = strcmp(a->name, b->name);

	return ret != 0 ? ret : compare_order(a, b);
}

static void join(struct rows *rows)
{
	size_t kept = 0, i;

	for (i = 1; i < rows->count; i++) {
		struct row *last = &rows->row[kept];

		if (compare_looks(last, &rows->row[i]) == 0) {
			last->sites++;
			free_row(&rows->row[i]);
		} else {
			rows->row[++kept] = rows->row[i];
		}
	}
	rows->count = kept + 1;
}

void rows_finish(struct rows *rows)
{
	if (rows->count == 0)
		return;
	qsort(rows->row, rows->count, sizeof(rows->row[0]),
	      rows->verbose ? compare_sites : compare_summary);
	if (!rows->verbose)
		join(rows);
}

static int name_width(const struct rows *rows)
{
	size_t width = strlen("PROBE"), i;

	for (i = 0; i < rows->count; i++) {
		size_t length = strlen(rows->row[i].name);

		if (length > width)
			width = length;
	}
	return width < NAME_WIDTH_MAX ? (int)width : NAME_WIDTH_MAX;
}

/* "?" not known, "-" there is none. */
static void format_places(const struct rows *rows, const struct row *row,
			  char places[PLACES][PLACE_LENGTH])
{
	const struct {
		uint64_t value;
		bool none;
	} place[PLACES] = {
		[ADDRESS] = { row->address, false },
		[OFFSET] = { row->offset, row->offset == SDTKIT_NO_OFFSET },
		[SEMAPHORE] = { row->semaphore, row->semaphore == 0 },
	};
	size_t i;

	for (i = 0; i < PLACES; i++) {
		if (rows->relocatable || place[i].none)
			strcpy(places[i], rows->relocatable ? "?" : "-");
		else
			snprintf(places[i], PLACE_LENGTH, "%#" PRIx64,
				 place[i].value);
	}
}

static const char *or_none(const char *arguments)
{
	return arguments[0] != '\0' ? arguments : "-";
}

static void print_sites(const struct rows *rows)
{
	char places[PLACES][PLACE_LENGTH];
	int width[PLACES], name = name_width(rows);
	size_t i, j;

	for (j = 0; j < PLACES; j++)
		width[j] = (int)strlen(place_titles[j]);
	for (i = 0; i < rows->count; i++) {
		format_places(rows, &rows->row[i], places);
		for (j = 0; j < PLACES; j++) {
			int length = (int)strlen(places[j]);

			width[j] = length > width[j] ? length : width[j];
		}
	}
	printf("%-*s", name, "PROBE");
	for (j = 0; j < PLACES; j++)
		printf("  %-*s", width[j], place_titles[j]);
	printf("  OPERANDS\n");
	for (i = 0; i < rows->count; i++) {
		format_places(rows, &rows->row[i], places);
		printf("%-*s", name, rows->row[i].name);
		for (j = 0; j < PLACES; j++)
			printf("  %-*s", width[j], places[j]);
		printf("  %s\n", or_none(rows->row[i].arguments));
	}
}

static void print_summary(const struct rows *rows)
{
	int name = name_width(rows);
	size_t i;

	printf("%-*s  SITES  SEMAPHORE  ARGUMENTS\n", name, "PROBE");
	for (i = 0; i < rows->count; i++) {
		const struct row *row = &rows->row[i];
		const char *semaphore = row->semaphore != 0 ? "yes" : "no";

		printf("%-*s  %5zu  %-9s  %s\n", name, row->name, row->sites,
		       rows->relocatable ? "?" : semaphore,
		       or_none(row->arguments));
	}
}

void rows_print(const struct rows *rows)
{
	if (rows->verbose)
		print_sites(rows);
	else
		print_summary(rows);
}

void rows_free(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free_row(&rows->row[i]);
	free(rows->row);
}
