/* SPDX-License-Identifier: BSD-2-Clause */
/* See table_columns.h. All columns but the last one are padded. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/out.h"
#include "common/tool.h"
#include "list/table_columns.h"
#include "probes/declare.h"
#include "probes/sites.h"

static const char *const titles[TABLE_COLUMNS] = {
	[TABLE_SITES] = "SITES",
	[TABLE_SEMAPHORE] = "SEMAPHORE",
	[TABLE_PROBE] = "PROBE",
	[TABLE_ARGUMENTS] = "ARGUMENTS",
	[TABLE_ADDRESS] = "ADDRESS",
	[TABLE_OFFSET] = "OFFSET",
	[TABLE_OPERANDS] = "OPERANDS",
};

static bool add_column(struct table_columns *columns, const char *name,
		       size_t length)
{
	size_t i;

	if (columns->count == TABLE_COLUMNS) {
		tool_complain("--columns: there are %d columns, and more were "
			      "named", TABLE_COLUMNS);
		return false;
	}
	for (i = 0; i < TABLE_COLUMNS; i++) {
		if (strlen(titles[i]) != length ||
		    strncasecmp(titles[i], name, length) != 0)
			continue;
		columns->column[columns->count++] = (enum table_column)i;
		return true;
	}
	tool_complain("invalid value '%.*s' for --columns: use sites, semaphore, "
		      "probe, arguments, address, offset, or operands",
		      (int)length, name);
	return false;
}

bool table_choose(struct table_columns *columns, const char *list)
{
	columns->count = 0;
	for (;; list++) {
		size_t length = strcspn(list, ",");

		if (!add_column(columns, list, length))
			return false;
		list += length;
		if (*list == '\0')
			return true;
	}
}

bool table_has_sites(const struct table_columns *columns)
{
	size_t i;

	for (i = 0; i < columns->count; i++) {
		if (columns->column[i] >= TABLE_ADDRESS)
			return true;
	}
	return false;
}

static void write_arguments(FILE *to, const struct site *site)
{
	const struct sdtkit_description *d = site->note.description;
	size_t count = d != NULL ? d->argument_count : site->note.operand_count;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sdtkit_operand *o = &site->note.operands[i];
		char *text = d == NULL ? NULL :
			declare(d->arguments[i].type, d->arguments[i].name);

		fputs(i > 0 ? ", " : "", to);
		if (text != NULL)
			fputs(text, to);
		else if (o->size == 0)
			fputc('?', to);
		else
			fprintf(to, "%c%d", o->is_float ? 'f' : o->is_signed ?
				's' : 'u', o->size * 8);
		free(text);
	}
	fputs(count == 0 ? "-" : "", to);
}

static void write_semaphore(FILE *to, const struct sites *sites,
			    const struct site *site)
{
	if (sites->info->relocatable)
		fputc('?', to);
	else if (site->note.semaphore == 0 || sites->process == NULL)
		fputs(site->note.semaphore == 0 ? "no" : "yes", to);
	else if (site->traced < 0)
		fputc('?', to);
	else
		fprintf(to, "%d", site->traced);
}

/* Returns the text of a cell, to be freed. */
static char *cell_text(const struct sites *sites, const struct site *site,
		       size_t run, enum table_column column)
{
	const struct sdtkit_site *note = &site->note;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (to == NULL)
		tool_no_memory();
	if (column == TABLE_SITES)
		fprintf(to, "%zu", run);
	else if (column == TABLE_SEMAPHORE)
		write_semaphore(to, sites, site);
	else if (column == TABLE_PROBE)
		fprintf(to, "%s:%s", note->provider, note->probe);
	else if (column == TABLE_ARGUMENTS)
		write_arguments(to, site);
	else if (column == TABLE_OPERANDS)
		fputs(note->arguments[0] != '\0' ? note->arguments : "-", to);
	else if (sites->info->relocatable ||
		 (column == TABLE_OFFSET && note->offset == SDTKIT_NO_OFFSET))
		fputc(sites->info->relocatable ? '?' : '-', to);
	else
		fprintf(to, "%#" PRIx64, column == TABLE_OFFSET ?
			note->offset : note->address + sites->info->bias);
	if (fclose(to) != 0)
		tool_no_memory();
	return text;
}

static void print_cell(char *text, enum table_column column, size_t width)
{
	size_t length = out_escaped(text, column != TABLE_PROBE);

	out_blanks(width > length ? width - length + 2 : width > 0 ? 2 : 0);
	free(text);
}

static size_t run_from(const struct table_columns *columns,
		       const struct sites *sites, size_t i)
{
	return table_has_sites(columns) ? 1 :
	       sites_run(sites, i, site_compare_looks);
}

static size_t width_of(const struct table_columns *columns,
		       const struct sites *sites, enum table_column column)
{
	size_t width = strlen(titles[column]), i, run, length;
	char *text;

	for (i = 0; i < sites->count; i += run) {
		run = run_from(columns, sites, i);
		text = cell_text(sites, &sites->site[i], run, column);
		length = out_escaped_length(text, column != TABLE_PROBE);
		width = length > width ? length : width;
		free(text);
	}
	return width;
}

void table_print_columns(const struct table_columns *columns,
			 const struct sites *sites)
{
	size_t width[TABLE_COLUMNS] = { 0 }, i, j, run;

	for (j = 0; j + 1 < columns->count; j++)
		width[j] = width_of(columns, sites, columns->column[j]);
	for (j = 0; j < columns->count; j++)
		print_cell(tool_format("%s", titles[columns->column[j]]),
			   columns->column[j], width[j]);
	out_char('\n');
	for (i = 0; i < sites->count; i += run) {
		run = run_from(columns, sites, i);
		for (j = 0; j < columns->count; j++)
			print_cell(cell_text(sites, &sites->site[i], run,
					     columns->column[j]),
				   columns->column[j], width[j]);
		out_char('\n');
	}
}
