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
 *			enum : u2 { "CREATE" = 5 } _opcode;
 *		} align(8);
 *	};
 *
 * ctf_metadata.c declares the types.
 */
#define _GNU_SOURCE
#include <inttypes.h>
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

/* Whether a number of this form can have the value; *bits as it is stored. */
static bool fits(struct ctf_form form, bool is_signed, int64_t value,
		 uint64_t *bits)
{
	unsigned int unused = 64 - 8 * form.size;
	uint64_t shifted = (uint64_t)value << unused;

	*bits = is_signed ? (uint64_t)((int64_t)shifted >> unused) :
			    shifted >> unused;
	/* -1 may be meant for an unsigned number. */
	return value < 0 || *bits == (uint64_t)value;
}

static bool has_names(struct ctf_form form)
{
	return form.kind == CTF_UNSIGNED || form.kind == CTF_SIGNED ||
	       form.kind == CTF_ARRAY;
}

/* Prints "u2", or "enum : u2 { "CREATE" = 5 }" if its values have names. */
static void print_type(FILE *file, const struct sdtkit_tap_field *field,
		       const char *type, struct ctf_form form)
{
	size_t count = has_names(form) ? field->enumerator_count : 0, i;
	bool is_signed = form.kind == CTF_SIGNED || form.is_signed;
	bool has_begun = false;
	uint64_t bits;

	for (i = 0; i < count; i++) {
		if (!fits(form, is_signed, field->enumerators[i].value, &bits))
			continue;
		if (has_begun)
			fprintf(file, ", ");
		else
			fprintf(file, "enum : %s { ", type);
		has_begun = true;
		ctf_print_string(file, field->enumerators[i].name);
		fprintf(file, is_signed ? " = %" PRId64 : " = %" PRIu64, bits);
	}
	fprintf(file, "%s", has_begun ? " }" : type);
}

/* Prints a field that is neither a record nor nothing. */
static void print_plain(FILE *file, const struct sdtkit_tap_field *field,
			struct ctf_form form, const char *name)
{
	char type[sizeof("bool8")] = "";

	switch (form.kind) {
	case CTF_STRING:
		fprintf(file, "string %s", name);
		break;
	case CTF_ARRAY:
		snprintf(type, sizeof(type), "%s%d", form.is_signed ? "s" : "u",
			 form.size);
		print_type(file, field, type, form);
		fprintf(file, " %s[%d]", name, form.counts[0]);
		if (form.counts[1] > 0)
			fprintf(file, "[%d]", form.counts[1]);
		break;
	default:
		snprintf(type, sizeof(type), "%s%d", type_names[form.kind],
			 form.size);
		print_type(file, field, type, form);
		fprintf(file, " %s", name);
	}
}

static void print_field(FILE *file, const struct sdtkit_tap_field *field,
			const char *name, struct ctf_form form,
			struct ctf_names *names, int depth)
{
	if (form.kind != CTF_NOTHING) {
		indent(file, depth);
		print_plain(file, field, form,
			    ctf_name(names, name, strlen(name), ""));
		fputc(';', file);
		print_type_comment(file, field->type);
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
			print_field(file, &members[i], name, forms[i], &names,
				    depth);
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

/* Prints an argument, which may be a record. */
static void print_argument(FILE *file, const struct sdtkit_tap_field *field,
			   size_t number, const struct ctf_form *forms,
			   struct ctf_names *names)
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
		print_field(file, field, name, *forms, names, 2);
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
	size_t at = 0, i;

	print_summary(file, probe);
	fprintf(file, "event {\n");
	print_name(file, probe);
	fprintf(file, "\tid = %u;\n\tstream_id = %d;\n"
		"\tfields := struct {\n", class_id, CTF_STREAM_CLASS);
	for (i = 0; i < event->value_count; i++) {
		print_argument(file, &probe->fields[i], i, &forms[at], &names);
		at += 1 + forms[at].member_count;
	}
	fprintf(file, "\t} align(8);\n};\n\n");
	ctf_names_free(&names);
}
