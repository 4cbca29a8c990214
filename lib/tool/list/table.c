/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of "sdtkit list", for people and for awk: no column but the last
 * one contains blanks, and that one is folded on a terminal (fold.h).
 *
 *	SITES  SEMAPHORE  PROBE
 *	    2  yes        smb2:request_end(uint64_t mid, uint32_t status)
 *	    1  yes        smb2:request_start(uint64_t mid, uint16_t opcode)
 *	    3  no         libc:setjmp(u64, s32, u64)
 *
 *	PROBE               ADDRESS  OFFSET  SEMAPHORE  OPERANDS
 *	smb2:request_end    0x1195   0x1195  0x4012     8@%rdi 8@%rsi
 *
 * If sites of one name differ in the types of their arguments or in having a
 * semaphore, each form gets a row: to those who trace, they are not one probe.
 * In a process, the semaphore is followed by its value; in the table of probes
 * it is the value.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fold.h"
#include "common/out.h"
#include "list/table.h"
#include "list/table_members.h"
#include "probes/declare.h"
#include "probes/sites.h"

enum {
	/* Longer names break the column instead of widening it. */
	NAME_WIDTH_MAX = 48,
	SITES_WIDTH = sizeof("SITES") - 1,
	SEMAPHORE_WIDTH = sizeof("SEMAPHORE") - 1,
};

/* "u64"; "?" where the note records no type. */
static void print_type(const struct sdtkit_operand *operand)
{
	if (operand->size == 0) {
		out_char('?');
		return;
	}
	out_char(operand->is_float ? 'f' : operand->is_signed ? 's' : 'u');
	out_number(operand->size * 8U, 0);
}

static size_t decimal_length(int32_t value)
{
	size_t length = 1;

	while ((value /= 10) != 0)
		length++;
	return length;
}

size_t table_argument_count(const struct site *site)
{
	return site->note.description != NULL ?
	       site->note.description->argument_count :
	       site->note.operand_count;
}

static char *argument_text(const struct site *site, size_t i)
{
	const struct sdtkit_argument *argument =
		&site->note.description->arguments[i];

	return declare(argument->type, argument->name);
}

static size_t argument_length(const struct site *site, size_t i)
{
	size_t length;
	char *text;

	if (site->note.description == NULL) {
		int32_t bits = site->note.operands[i].size * 8;

		return bits == 0 ? 1 : 1 + decimal_length(bits);
	}
	text = argument_text(site, i);
	length = out_escaped_length(text, true);
	free(text);
	return length;
}

static void print_argument(const struct site *site, size_t i)
{
	char *text;

	if (site->note.description == NULL) {
		print_type(&site->note.operands[i]);
		return;
	}
	text = argument_text(site, i);
	out_escaped(text, true);
	free(text);
}

size_t table_print_name(const struct site *site)
{
	size_t length;

	out_style(OUT_NAME);
	length = out_escaped(site->note.provider, false);
	out_char(':');
	length += 1 + out_escaped(site->note.probe, false);
	out_style(OUT_PLAIN);
	return length;
}

/* "smb2:request_end(uint64_t mid, uint32_t status)", "libc:setjmp(u64, s32)" */
static void print_prototype(const struct site *site)
{
	size_t count = table_argument_count(site), i;
	size_t column = TABLE_PROBE_COLUMN + table_print_name(site) + 1;
	struct fold fold = fold_from(column, TABLE_INDENT + 4);

	out_char('(');
	for (i = 0; i < count; i++) {
		/* Count the comma or the parenthesis after it. */
		fold_next(&fold, argument_length(site, i) + 1);
		print_argument(site, i);
		out_char(i + 1 < count ? ',' : ')');
	}
	if (count == 0)
		out_char(')');
}

static void print_padded(const char *text, size_t width)
{
	size_t length = strlen(text);

	out_bytes(text, length);
	out_blanks(width > length ? width - length : 0);
}

/* Prints two blanks after it, as after each column. */
static void print_semaphore(const struct sites *sites, const struct site *site)
{
	if (sites->info->relocatable) {
		print_padded("?", SEMAPHORE_WIDTH + 2);
	} else if (site->note.semaphore == 0) {
		print_padded("no", SEMAPHORE_WIDTH + 2);
	} else if (sites->process == NULL) {
		print_padded("yes", SEMAPHORE_WIDTH + 2);
	} else if (site->traced < 0) {
		print_padded("?", SEMAPHORE_WIDTH + 2);
	} else {
		if (site->traced > 0)
			out_style(OUT_TRACED);
		out_number((uint64_t)site->traced, SEMAPHORE_WIDTH);
		if (site->traced > 0)
			out_style(OUT_PLAIN);
		out_blanks(2);
	}
}

void table_print_row(const struct sites *sites, const struct site *site,
		     size_t run)
{
	out_number(run, SITES_WIDTH);
	out_blanks(2);
	print_semaphore(sites, site);
}

void table_print_summary(const char *summary)
{
	struct fold fold = fold_from(TABLE_INDENT, TABLE_INDENT);

	out_blanks(TABLE_INDENT);
	fold_words(&fold, summary);
	out_char('\n');
}

void table_print_probes(const struct sites *sites, bool with_summaries)
{
	size_t i, run;

	out_text("SITES  SEMAPHORE  PROBE\n");
	for (i = 0; i < sites->count; i += run) {
		const struct site *site = &sites->site[i];

		run = sites_run(sites, i, site_compare_looks);
		table_print_row(sites, site, run);
		print_prototype(site);
		out_char('\n');
		if (!with_summaries || site->note.description == NULL)
			continue;
		if (site->note.description->summary[0] != '\0')
			table_print_summary(site->note.description->summary);
		table_print_members(site, TABLE_INDENT);
	}
}

/* The columns of addresses in the table of sites, in their order. */
enum { ADDRESS, OFFSET, SEMAPHORE, CELLS };

static const char *const cell_titles[CELLS] = {
	[ADDRESS] = "ADDRESS",
	[OFFSET] = "OFFSET",
	[SEMAPHORE] = "SEMAPHORE",
};

struct cell {
	uint64_t value;
	/* The file does not tell the value. */
	bool unknown;
	/* The site does not have one. */
	bool none;
	/* A number after it, "=1", or one of the special values of traced. */
	int32_t traced;
};

static struct cell get_cell(const struct sites *sites,
			    const struct site *site, size_t which)
{
	const struct sdtkit_site *note = &site->note;
	uint64_t bias = sites->info->bias;
	struct cell cell = {
		.unknown = sites->info->relocatable,
		.traced = SEMAPHORE_NONE,
	};

	if (which == ADDRESS) {
		cell.value = note->address + bias;
	} else if (which == OFFSET) {
		cell.value = note->offset;
		cell.none = note->offset == SDTKIT_NO_OFFSET;
	} else {
		cell.value = note->semaphore + bias;
		cell.none = note->semaphore == 0;
		if (sites->process != NULL)
			cell.traced = site->traced;
	}
	return cell;
}

static size_t cell_length(const struct cell *cell)
{
	size_t length = out_hex_length(cell->value);

	if (cell->unknown || cell->none)
		return 1;
	if (cell->traced == SEMAPHORE_UNKNOWN)
		return length + 2;
	if (cell->traced >= 0)
		return length + 1 + decimal_length(cell->traced);
	return length;
}

/* Returns how many blanks have to follow. */
static size_t print_cell(const struct cell *cell, size_t width)
{
	size_t length = cell_length(cell);

	if (cell->unknown || cell->none) {
		out_char(cell->unknown ? '?' : '-');
	} else {
		out_hex(cell->value);
		if (cell->traced == SEMAPHORE_UNKNOWN) {
			out_bytes("=?", 2);
		} else if (cell->traced >= 0) {
			out_char('=');
			out_number((uint64_t)cell->traced, 0);
		}
	}
	return length < width ? width - length + 2 : 2;
}

static size_t name_length(const struct site *site)
{
	return out_escaped_length(site->note.provider, false) + 1 +
	       out_escaped_length(site->note.probe, false);
}

struct widths {
	size_t name;
	size_t cell[CELLS];
};

static void measure(const struct sites *sites, struct widths *widths)
{
	size_t i, j;

	widths->name = sizeof("PROBE") - 1;
	for (j = 0; j < CELLS; j++)
		widths->cell[j] = strlen(cell_titles[j]);
	for (i = 0; i < sites->count; i++) {
		size_t length = name_length(&sites->site[i]);

		if (length > widths->name)
			widths->name = length;
		for (j = 0; j < CELLS; j++) {
			struct cell cell = get_cell(sites, &sites->site[i],
						    j);

			length = cell_length(&cell);
			if (length > widths->cell[j])
				widths->cell[j] = length;
		}
	}
	if (widths->name > NAME_WIDTH_MAX)
		widths->name = NAME_WIDTH_MAX;
}

/*
 * Prints operands, folded between them; on some machines they contain blanks.
 */
static void print_operands(const struct sdtkit_site *note, size_t column,
			   size_t blanks, size_t indent)
{
	struct fold fold = fold_from(column, indent);
	char text[128];
	size_t i;

	fold.blanks = blanks;
	if (note->operands == NULL) {
		out_blanks(blanks);
		out_escaped(note->arguments[0] != '\0' ? note->arguments : "-",
			    true);
		return;
	}
	for (i = 0; i < note->operand_count; i++) {
		snprintf(text, sizeof(text), "%.*s",
			 (int)note->operands[i].length, note->operands[i].text);
		fold_next(&fold, out_escaped_length(text, true));
		out_escaped(text, true);
	}
}

static void print_site(const struct sites *sites, const struct site *site,
		       const struct widths *widths)
{
	size_t length = table_print_name(site), j;
	size_t indent = widths->name + 2;
	size_t column = length > widths->name ? length + 2 : indent;
	/* Blanks after the column, which the next column prints. */
	size_t blanks = column - length;

	for (j = 0; j < CELLS; j++) {
		struct cell cell = get_cell(sites, site, j);

		out_blanks(blanks);
		if (cell.traced > 0)
			out_style(OUT_TRACED);
		blanks = print_cell(&cell, widths->cell[j]);
		if (cell.traced > 0)
			out_style(OUT_PLAIN);
		column += widths->cell[j] + 2;
		indent += widths->cell[j] + 2;
	}
	print_operands(&site->note, column - blanks, blanks, indent);
	out_char('\n');
}

void table_print_sites(const struct sites *sites)
{
	struct widths widths;
	size_t i;

	measure(sites, &widths);
	print_padded("PROBE", widths.name + 2);
	for (i = 0; i < CELLS; i++)
		print_padded(cell_titles[i], widths.cell[i] + 2);
	out_text("OPERANDS\n");
	for (i = 0; i < sites->count; i++)
		print_site(sites, &sites->site[i], &widths);
}
