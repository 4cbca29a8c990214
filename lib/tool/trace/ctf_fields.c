/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A class of events in TSDL, with a comment for its documentation and behind
 * each field one for its type in C:
 *
 *	event {
 *		name = "smb2:request_start";
 *		id = 0;
 *		stream_id = 0;
 *		fields := struct {
 *			u8 _mid;
 *			struct {
 *				string _host;
 *				u2 _port;
 *			} align(8) _peer;
 *			string _name;
 *			bool1 _name_cut;
 *		} align(8);
 *	};
 *
 * ctf_metadata.c declares the types.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/ctf_fields.h"
#include "trace/ctf_form.h"
#include "trace/ctf_names.h"
#include "trace/ctf_stream.h"

enum {
	/* Structures within structures. */
	DEPTH_MAX = 16,
};

/* How the names of types begin; the size follows. */
static const char *const type_names[] = {
	[CTF_UNSIGNED] = "u",
	[CTF_SIGNED] = "s",
	[CTF_BOOL] = "bool",
	[CTF_ADDRESS] = "x",
	[CTF_FLOAT] = "f",
};

static void indent(FILE *file, int depth)
{
	for (; depth > 0; depth--)
		fputc('\t', file);
}

static void print_type_comment(FILE *file, const char *type)
{
	if (type[0] == '\0')
		return;
	fprintf(file, "\t/* ");
	ctf_print_comment(file, type);
	fprintf(file, " */");
}

static void print_extras(FILE *file, struct ctf_form form, const char *name,
			 struct ctf_names *names, int depth)
{
	static const struct {
		enum ctf_extra extra;
		const char *type;
		const char *ending;
	} rows[] = {
		{ CTF_TEXT, "string", "_text" },
		{ CTF_CUT, "bool1", "_cut" },
		{ CTF_WHY, "string", "_why" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((form.extras & rows[i].extra) == 0)
			continue;
		indent(file, depth);
		fprintf(file, "%s %s;\n", rows[i].type,
			ctf_name(names, name, strlen(name), rows[i].ending));
	}
}

/* Prints a field that is neither a record nor nothing. */
static void print_plain(FILE *file, struct ctf_form form, const char *name)
{
	switch (form.kind) {
	case CTF_STRING:
		fprintf(file, "string %s", name);
		break;
	case CTF_ARRAY:
		fprintf(file, "%s%d %s[%d]", form.is_signed ? "s" : "u",
			form.size, name, form.counts[0]);
		if (form.counts[1] > 0)
			fprintf(file, "[%d]", form.counts[1]);
		break;
	default:
		fprintf(file, "%s%d %s", type_names[form.kind], form.size,
			name);
	}
}

static void print_field(FILE *file, const char *name, const char *type,
			struct ctf_form form, struct ctf_names *names,
			int depth)
{
	if (form.kind != CTF_NOTHING) {
		indent(file, depth);
		print_plain(file, form, ctf_name(names, name, strlen(name),
						 ""));
		fputc(';', file);
		print_type_comment(file, type);
		fputc('\n', file);
	}
	print_extras(file, form, name, names, depth);
}

/*
 * How many members from the first on belong to the same inner record: those
 * whose names continue alike up to a dot. 0: the first one belongs to none.
 */
static size_t inner_count(const struct sdtkit_tap_field *members, size_t count,
			  size_t skip, size_t *length)
{
	const char *first = members[0].name + skip;
	const char *dot = strchr(first, '.');
	size_t i;

	if (dot == NULL)
		return 0;
	*length = (size_t)(dot - first);
	for (i = 1; i < count; i++) {
		if (strncmp(members[i].name, members[0].name,
			    skip + *length + 1) != 0)
			break;
	}
	return i;
}

/* Prints a structure of members; skip: what is the same in all their names. */
static void print_members(FILE *file, const struct sdtkit_tap_field *members,
			  const struct ctf_form *forms, size_t count,
			  size_t skip, int depth)
{
	struct ctf_names names = { .count = 0 };
	size_t i, inner, length;

	for (i = 0; i < count; i += inner > 0 ? inner : 1) {
		const char *name = members[i].name + skip;

		inner = depth < DEPTH_MAX ? inner_count(&members[i], count - i,
							skip, &length) : 0;
		if (inner == 0) {
			print_field(file, name, members[i].type, forms[i],
				    &names, depth);
			continue;
		}
		indent(file, depth);
		fprintf(file, "struct {\n");
		print_members(file, &members[i], &forms[i], inner,
			      skip + length + 1, depth + 1);
		indent(file, depth);
		fprintf(file, "} align(8) %s;\n",
			ctf_name(&names, name, length, ""));
	}
	ctf_names_free(&names);
}

static void print_record(FILE *file, const struct sdtkit_tap_field *field,
			 const char *name, const struct ctf_form *forms,
			 struct ctf_names *names)
{
	indent(file, 2);
	fprintf(file, "struct {\n");
	print_members(file, field->members, forms + 1, forms->member_count, 0,
		      3);
	indent(file, 2);
	fprintf(file, "} align(8) %s;", ctf_name(names, name, strlen(name),
						 ""));
	print_type_comment(file, field->type);
	fputc('\n', file);
	print_extras(file, *forms, name, names, 2);
}

/* Prints an argument, and returns the forms behind it. */
static const struct ctf_form *
print_argument(FILE *file, const struct sdtkit_tap_field *field, size_t number,
	       const struct ctf_form *forms, struct ctf_names *names)
{
	char numbered[sizeof("arg18446744073709551615")];
	const char *name = field->name;

	/* As tracers call it that do not know its name. */
	if (name[0] == '\0') {
		snprintf(numbered, sizeof(numbered), "arg%zu", number);
		name = numbered;
	}
	if (forms->kind == CTF_RECORD)
		print_record(file, field, name, forms, names);
	else
		print_field(file, name, field->type, *forms, names, 2);
	return forms + 1 + forms->member_count;
}

/* Prints "smb2:request_start: A request was parsed." as a comment. */
static void print_summary(FILE *file, const struct sdtkit_tap_probe *probe)
{
	if (probe->summary[0] == '\0')
		return;
	fprintf(file, "/* ");
	ctf_print_comment(file, probe->provider);
	fprintf(file, ":");
	ctf_print_comment(file, probe->probe);
	fprintf(file, ": ");
	ctf_print_comment(file, probe->summary);
	fprintf(file, " */\n");
}

static void print_name(FILE *file, const struct sdtkit_tap_probe *probe)
{
	char *name;

	if (asprintf(&name, "%s:%s", probe->provider, probe->probe) < 0)
		tool_no_memory();
	fprintf(file, "\tname = ");
	ctf_print_string(file, name);
	fprintf(file, ";\n");
	free(name);
}

void ctf_print_event(FILE *file, const struct sdtkit_tap_event *event,
		     const struct ctf_form *forms, uint32_t class_id)
{
	const struct sdtkit_tap_probe *probe = event->probe;
	struct ctf_names names = { .count = 0 };
	size_t i;

	print_summary(file, probe);
	fprintf(file, "event {\n");
	print_name(file, probe);
	fprintf(file, "\tid = %u;\n\tstream_id = %d;\n"
		"\tfields := struct {\n", class_id, CTF_STREAM_CLASS);
	for (i = 0; i < event->value_count; i++)
		forms = print_argument(file, &probe->fields[i], i, forms,
				       &names);
	fprintf(file, "\t} align(8);\n};\n\n");
	ctf_names_free(&names);
}
