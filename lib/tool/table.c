/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tables of "sdtkit list", for people and for awk: columns never contain
 * blanks, but for the last one.
 *
 *	SITES  SEMAPHORE  PROBE
 *	    2  yes        smb2:request_end(uint64_t mid, uint32_t status)
 *	    1  yes        smb2:request_start(uint64_t mid, uint16_t opcode)
 *	    3  no         libc:setjmp(u64, s32, u64)
 *
 *	PROBE               ADDRESS  OFFSET  SEMAPHORE  OPERANDS
 *	smb2:request_end    0x1195   0x1195  0x4012     8@%rdi 8@%rsi
 *
 * Sites of one name that differ in the types of their arguments or in having
 * a semaphore get a row for each form: they are not one probe to those who
 * trace.  In a process, the semaphore is followed by its value; in the table
 * of probes it is the value.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "out.h"
#include "sites.h"
#include "table.h"

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

/* "char *user", "uint64_t", "char[16] path" */
static void print_argument(const struct sdtkit_argument *argument)
{
	size_t length = strlen(argument->type);

	out_escaped(argument->type, true);
	if (argument->name[0] == '\0')
		return;
	if (length == 0 || argument->type[length - 1] != '*')
		out_char(' ');
	out_escaped(argument->name, false);
}

void table_print_prototype(const struct site *site)
{
	const struct sdtkit_description *description = site->note.description;
	size_t count = description != NULL ? description->argument_count :
					     site->note.operand_count;
	size_t i;

	out_style(OUT_NAME);
	out_escaped(site->note.provider, false);
	out_char(':');
	out_escaped(site->note.probe, false);
	out_style(OUT_PLAIN);
	out_char('(');
	for (i = 0; i < count; i++) {
		if (i > 0)
			out_bytes(", ", 2);
		if (description != NULL)
			print_argument(&description->arguments[i]);
		else
			print_type(&site->note.operands[i]);
	}
	out_char(')');
}

static void print_padded(const char *text, size_t width)
{
	size_t length = strlen(text);

	out_bytes(text, length);
	out_blanks(width > length ? width - length : 0);
}

/* Two blanks behind it, as behind each column. */
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

void table_print_probes(const struct sites *sites, bool with_summaries)
{
	size_t i, run;

	out_text("SITES  SEMAPHORE  PROBE\n");
	for (i = 0; i < sites->count; i += run) {
		const struct site *site = &sites->site[i];

		run = sites_run(sites, i, site_compare_looks);
		out_number(run, SITES_WIDTH);
		out_blanks(2);
		print_semaphore(sites, site);
		table_print_prototype(site);
		out_char('\n');
		if (!with_summaries || site->note.description == NULL ||
		    site->note.description->summary[0] == '\0')
			continue;
		out_blanks(SITES_WIDTH + SEMAPHORE_WIDTH + 8);
		out_escaped(site->note.description->summary, true);
		out_char('\n');
	}
}

/* Places of a row of the other table, in the order of the columns. */
enum { ADDRESS, OFFSET, SEMAPHORE, PLACES };

static const char *const place_titles[PLACES] = {
	[ADDRESS] = "ADDRESS",
	[OFFSET] = "OFFSET",
	[SEMAPHORE] = "SEMAPHORE",
};

struct place {
	uint64_t value;
	/* Not known in this file; there is none. */
	bool unknown;
	bool none;
	/* A number behind it, "=1", or one of the SEMAPHOREs. */
	int32_t traced;
};

static struct place get_place(const struct sites *sites,
			      const struct site *site, size_t which)
{
	const struct sdtkit_site *note = &site->note;
	uint64_t bias = sites->info->bias;
	struct place place = {
		.unknown = sites->info->relocatable,
		.traced = SEMAPHORE_NONE,
	};

	if (which == ADDRESS) {
		place.value = note->address + bias;
	} else if (which == OFFSET) {
		place.value = note->offset;
		place.none = note->offset == SDTKIT_NO_OFFSET;
	} else {
		place.value = note->semaphore + bias;
		place.none = note->semaphore == 0;
		if (sites->process != NULL)
			place.traced = site->traced;
	}
	return place;
}

static size_t decimal_length(int32_t value)
{
	size_t length = 1;

	while ((value /= 10) != 0)
		length++;
	return length;
}

static size_t place_length(const struct place *place)
{
	size_t length = out_hex_length(place->value);

	if (place->unknown || place->none)
		return 1;
	if (place->traced == SEMAPHORE_UNKNOWN)
		return length + 2;
	if (place->traced >= 0)
		return length + 1 + decimal_length(place->traced);
	return length;
}

static void print_place(const struct place *place, size_t width)
{
	size_t length = place_length(place);

	if (place->unknown || place->none) {
		out_char(place->unknown ? '?' : '-');
	} else {
		out_hex(place->value);
		if (place->traced == SEMAPHORE_UNKNOWN) {
			out_bytes("=?", 2);
		} else if (place->traced >= 0) {
			out_char('=');
			out_number((uint64_t)place->traced, 0);
		}
	}
	out_blanks((width > length ? width - length : 0) + 2);
}

static size_t name_length(const struct site *site)
{
	return out_escaped_length(site->note.provider, false) + 1 +
	       out_escaped_length(site->note.probe, false);
}

struct widths {
	size_t name;
	size_t place[PLACES];
};

static void measure(const struct sites *sites, struct widths *widths)
{
	size_t i, j;

	widths->name = sizeof("PROBE") - 1;
	for (j = 0; j < PLACES; j++)
		widths->place[j] = strlen(place_titles[j]);
	for (i = 0; i < sites->count; i++) {
		size_t length = name_length(&sites->site[i]);

		if (length > widths->name)
			widths->name = length;
		for (j = 0; j < PLACES; j++) {
			struct place place = get_place(sites, &sites->site[i],
						       j);

			length = place_length(&place);
			if (length > widths->place[j])
				widths->place[j] = length;
		}
	}
	if (widths->name > NAME_WIDTH_MAX)
		widths->name = NAME_WIDTH_MAX;
}

static void print_site(const struct sites *sites, const struct site *site,
		       const struct widths *widths)
{
	const char *operands = site->note.arguments;
	size_t length, j;

	out_style(OUT_NAME);
	length = out_escaped(site->note.provider, false);
	out_char(':');
	length += 1 + out_escaped(site->note.probe, false);
	out_style(OUT_PLAIN);
	out_blanks((widths->name > length ? widths->name - length : 0) + 2);
	for (j = 0; j < PLACES; j++) {
		struct place place = get_place(sites, site, j);

		if (place.traced > 0)
			out_style(OUT_TRACED);
		print_place(&place, widths->place[j]);
		if (place.traced > 0)
			out_style(OUT_PLAIN);
	}
	out_escaped(operands[0] != '\0' ? operands : "-", true);
	out_char('\n');
}

void table_print_sites(const struct sites *sites)
{
	struct widths widths;
	size_t i;

	measure(sites, &widths);
	print_padded("PROBE", widths.name + 2);
	for (i = 0; i < PLACES; i++)
		print_padded(place_titles[i], widths.place[i] + 2);
	out_text("OPERANDS\n");
	for (i = 0; i < sites->count; i++)
		print_site(sites, &sites->site[i], &widths);
}
