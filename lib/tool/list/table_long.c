/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list --long: a line for each argument, with its comment.
 *
 *	SITES  SEMAPHORE  PROBE
 *	    1  yes        smb2:request_start
 *	                      A request is dispatched
 *	                      uint64_t mid     MessageId of the header
 *	                      uint16_t opcode  command
 *	                        NEGOTIATE=0 SESSION_SETUP=1 CREATE=5
 *
 *
 *	SPAN
 *	smb2:request
 *	    A command, from its dispatch to the queued reply
 *	    start=request_start end=request_end key=req
 *
 * An argument that is a record has a line for each of its members below it, and
 * one whose values have names has these.
 * Names, types, the sentence and the comments come from the file. If a
 * description (--description) has a comment, that one is printed instead.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fold.h"
#include "common/out.h"
#include "common/tool.h"
#include "list/table.h"
#include "list/table_long.h"
#include "probes/interface.h"
#include "probes/members.h"
#include "probes/names.h"
#include "probes/sites.h"

enum {
	/*
	 * A longer type and name pushes its comment to the right, or to the
	 * next line.
	 */
	LEFT_MAX = 32,
	/* What is below the name of a span. */
	SPAN_INDENT = 4,
	/* A list of names that is longer is printed once. */
	NAMES_MAX = 160,
	/* A comment with less space than this begins on the next line. */
	COMMENT_MIN = 24,
};

/* "uint64_t mid", and its comment. */
struct row {
	size_t indent;
	char *text;
	const char *comment;
	/* The names of its values, or NULL. */
	const struct sdtkit_enum *names;
};

/* The rows of a probe; their comments begin in one column. */
struct rows {
	struct row *row;
	size_t count;
	size_t capacity;
	size_t column;
};

static bool is_there(const char *text)
{
	return text != NULL && text[0] != '\0';
}

/*
 * Finds an argument in the declaration: by its name, since the file may be of
 * another version, or by its index if the file has no names.
 */
static const struct sdtkit_argument *
find_declared(const struct site *site, const struct interface_probe *declared,
	      size_t i)
{
	const struct sdtkit_description *own = site->note.description;
	size_t j;

	if (declared == NULL)
		return NULL;
	if (own == NULL)
		return declared->count == site->note.operand_count ?
		       &declared->arguments[i] : NULL;
	for (j = 0; j < declared->count; j++) {
		if (is_there(own->arguments[i].name) &&
		    strcmp(declared->arguments[j].name,
			   own->arguments[i].name) == 0)
			return &declared->arguments[j];
	}
	return NULL;
}

/* Adds a row; text is freed with the rows. */
static void add_row(struct rows *rows, size_t indent, char *text,
		    const char *comment, const struct sdtkit_enum *names)
{
	size_t length = out_escaped_length(text, true);

	TOOL_GROW(rows->row, rows->count, rows->capacity);
	rows->row[rows->count++] = (struct row) {
		.indent = indent,
		.text = text,
		.comment = comment,
		.names = names,
	};
	if (length <= LEFT_MAX && indent + length + 2 > rows->column)
		rows->column = indent + length + 2;
}

static void add_members(struct rows *rows,
			const struct sdtkit_argument *argument)
{
	const struct sdtkit_layout *record = argument->record;
	size_t i;

	for (i = 0; i < record->member_count; i++)
		add_row(rows, TABLE_INDENT + 2,
			members_text(argument->name, &record->members[i]),
			record->members[i].doc, record->members[i].names);
}

static void add_argument(struct rows *rows, const struct site *site,
			 const struct interface_probe *declared, size_t i)
{
	const struct sdtkit_description *own = site->note.description;
	const struct sdtkit_argument *said;
	struct sdtkit_argument argument;
	char wire[SDTKIT_WIRE_TEXT];

	said = find_declared(site, declared, i);
	if (own != NULL) {
		argument = own->arguments[i];
	} else if (said != NULL) {
		argument = *said;
	} else {
		sdtkit_wire_write(&site->note.operands[i], wire);
		argument = (struct sdtkit_argument) {
			.wire = wire, .name = "", .doc = "",
		};
	}
	if (said != NULL && is_there(said->doc))
		argument.doc = said->doc;
	add_row(rows, TABLE_INDENT, interface_argument_text(&argument),
		argument.doc, own != NULL ? own->arguments[i].names : NULL);
	if (own != NULL && own->arguments[i].record != NULL)
		add_members(rows, &own->arguments[i]);
}

static void print_row(const struct row *row, size_t column)
{
	size_t limit = fold_width(), end;
	struct fold fold;

	out_blanks(row->indent);
	end = row->indent + out_escaped(row->text, true);
	if (!is_there(row->comment)) {
		out_char('\n');
		return;
	}
	if (limit > 0 && column + COMMENT_MIN > limit) {
		fold = fold_from(0, row->indent + 4);
		fold.column = fold.indent;
		out_char('\n');
		out_blanks(fold.indent);
	} else {
		fold = fold_from(end, column);
		fold.blanks = column > end + 2 ? column - end : 2;
	}
	fold_words(&fold, row->comment);
	out_char('\n');
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Whether a text was not printed before; it is kept then. */
static bool is_new(char *text)
{
	static void *printed;
	void *const *found = tsearch(text, &printed, compare_texts);

	if (found == NULL)
		tool_no_memory();
	return *found == text;
}

/* A long list of names is printed once, below the first who has it. */
static void print_names(const struct row *row)
{
	struct fold fold = fold_from(0, row->indent + 2);
	char *text = names_text(row->names), *reference;
	bool is_known = strlen(text) > NAMES_MAX && !is_new(text);

	fold.column = fold.indent;
	out_blanks(fold.indent);
	if (is_known) {
		reference = tool_format("names of enum %s, see above",
					row->names->name);
		fold_words(&fold, reference);
		free(reference);
	} else {
		fold_words(&fold, text);
	}
	out_char('\n');
	if (is_known || strlen(text) <= NAMES_MAX)
		free(text);
}

static void print_arguments(const struct site *site,
			    const struct interface_probe *declared)
{
	size_t count = table_argument_count(site), i;
	struct rows rows = { .column = TABLE_INDENT };

	for (i = 0; i < count; i++)
		add_argument(&rows, site, declared, i);
	for (i = 0; i < rows.count; i++) {
		print_row(&rows.row[i], rows.column);
		if (rows.row[i].names != NULL)
			print_names(&rows.row[i]);
		free(rows.row[i].text);
	}
	free(rows.row);
}

static void print_probe(const struct site *site,
			const struct interface_probe *declared)
{
	const struct sdtkit_description *own = site->note.description;

	table_print_name(site);
	out_char('\n');
	if (own != NULL && is_there(own->summary))
		table_print_summary(own->summary);
	else if (declared != NULL && is_there(declared->doc))
		table_print_summary(declared->doc);
	print_arguments(site, declared);
}

/* The names of the values of an argument of that name, or NULL. */
static const struct sdtkit_enum *
find_names(const struct sdtkit_description *own, const char *name,
	   size_t length)
{
	size_t i;

	for (i = 0; own != NULL && i < own->argument_count; i++) {
		if (strncmp(own->arguments[i].name, name, length) == 0 &&
		    own->arguments[i].name[length] == '\0')
			return own->arguments[i].names;
	}
	return NULL;
}

/* Of the argument "status" in "error=status", "error=end.status<0". */
static const struct sdtkit_enum *error_names(const struct sites *sites,
					     const struct sdtkit_span *span)
{
	const char *name = span_value(span, "error"), *dot;
	const struct sdtkit_enum *names = NULL;
	size_t i;

	dot = name != NULL ? strrchr(name, '.') : NULL;
	name = dot != NULL ? dot + 1 : name;
	for (i = 0; name != NULL && names == NULL && i < sites->count; i++) {
		const struct sdtkit_site *note = &sites->site[i].note;

		if (span_has_probe(span, note->provider, note->probe))
			names = find_names(note->description, name,
					   strcspn(name, "<"));
	}
	return names;
}

/* "OK,REPLAY" for "0,3", to be freed. */
static char *named_values(const struct sdtkit_enum *names, const char *values)
{
	char *text, *end;
	FILE *file = tool_open_text(&text);

	while (*values != '\0') {
		size_t length = strcspn(values, ",");
		const struct sdtkit_enumerator *found =
			names_find_value(names, strtoll(values, &end, 0));

		if (found != NULL && end == values + length)
			fputs(found->name, file);
		else
			fprintf(file, "%.*s", (int)length, values);
		values += length;
		if (*values == ',')
			fputc(*values++, file);
	}
	tool_close_text(file);
	return text;
}

/* "ok=OK,REPLAY", to be freed; the file has the numbers. */
static char *property_text(const struct sdtkit_span_property *property,
			   const struct sdtkit_enum *errors)
{
	char *text, *named = NULL;

	if (errors != NULL && strcmp(property->name, "ok") == 0)
		named = named_values(errors, property->value);
	text = tool_format("%s=%s", property->name,
			   named != NULL ? named : property->value);
	free(named);
	return text;
}

/* "smb2:request", its sentence, and "start=request_start end=request_end" */
static void print_span(const struct sites *sites,
		       const struct sdtkit_span *span)
{
	const struct sdtkit_enum *errors = error_names(sites, span);
	struct fold fold = fold_from(SPAN_INDENT, SPAN_INDENT);
	size_t i;

	out_style(OUT_NAME);
	out_escaped(span->provider, false);
	out_char(':');
	out_escaped(span->name, false);
	out_style(OUT_PLAIN);
	out_char('\n');
	if (is_there(span->summary)) {
		out_blanks(SPAN_INDENT);
		fold_words(&fold, span->summary);
		out_char('\n');
	}
	fold = fold_from(SPAN_INDENT, SPAN_INDENT);
	out_blanks(SPAN_INDENT);
	for (i = 0; i < span->property_count; i++) {
		char *text = property_text(&span->properties[i], errors);

		fold.blanks = i > 0;
		fold_words(&fold, text);
		free(text);
	}
	out_char('\n');
}

static void print_spans(const struct sites *sites)
{
	bool first = true;
	size_t i;

	for (i = 0; i < sites->spans.count; i++) {
		if (!sites_have_span(sites, &sites->spans.kept[i]))
			continue;
		if (first)
			out_text("\nSPAN\n");
		first = false;
		print_span(sites, sites->spans.kept[i].span);
	}
}

void table_print_long(const struct sites *sites,
		      const struct interface *descriptions, size_t count)
{
	size_t i, run;

	out_text("SITES  SEMAPHORE  PROBE\n");
	for (i = 0; i < sites->count; i += run) {
		const struct site *site = &sites->site[i];

		run = sites_run(sites, i, site_compare_looks);
		table_print_row(sites, site, run);
		print_probe(site, interface_find_any(descriptions, count,
						     site->note.provider,
						     site->note.probe));
	}
	print_spans(sites);
}
