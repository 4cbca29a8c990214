/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit list --json. docs/list.schema.json describes the output:
 *
 *	{"sdtkit_list": 1, "files": [
 *	{"path": "server", "machine": "x86-64", ..., "probes": [
 *	 {"provider": "smb2", "probe": "request_end", "summary": "...",
 *	  "arguments": [{"wire": "u8", "type": "uint64_t", "name": "mid"}],
 *	  "sites": [{"address": "0x1195", "offset": "0x1195",
 *	   "semaphore": {"address": "0x4012", "offset": "0x3012"},
 *	   "operands": [{"text": "8@%rdi", "size": 8, ...}]}]}],
 *	 "spans": [{"provider": "smb2", "span": "request", "summary": "...",
 *	  "properties": [{"name": "start", "value": "request_start"}]}]}
 *	]}
 *
 * Each file is written before the next one is read, so that the listing of a
 * directory takes no more memory than its largest file.
 */
#include <string.h>

#include "common/json.h"
#include "common/out.h"
#include "common/tool.h"
#include "list/json.h"
#include "list/origin.h"
#include "probes/sites.h"

static bool is_first;

void list_json_begin(void)
{
	is_first = true;
	out_text("{\"sdtkit_list\": 1, \"files\": [");
}

void list_json_end(void)
{
	out_text("\n]}\n");
}

static json_t *make_operand(const struct sdtkit_operand *operand)
{
	static const char *const kinds[] = {
		[SDTKIT_OPERAND_UNKNOWN] = "unknown",
		[SDTKIT_OPERAND_REGISTER] = "register",
		[SDTKIT_OPERAND_MEMORY] = "memory",
		[SDTKIT_OPERAND_CONSTANT] = "constant",
		[SDTKIT_OPERAND_OTHER] = "other",
	};

	return json_pack("{s:o, s:s, s:i, s:b, s:b}",
			 "text", json_out_text_n(operand->text,
						 operand->length),
			 "kind", kinds[operand->kind],
			 "size", (int)operand->size,
			 "signed", (int)operand->is_signed,
			 "float", (int)operand->is_float);
}

static json_t *make_operands(const struct sdtkit_site *note)
{
	json_t *operands = json_array();
	size_t i;

	for (i = 0; i < note->operand_count; i++)
		json_array_append_new(operands,
				      make_operand(&note->operands[i]));
	return operands;
}

/* Makes a number, or null if it is not known, as in an object file. */
static json_t *make_address(const struct sites *sites, uint64_t value,
			    bool known)
{
	if (sites->info->relocatable || !known)
		return json_null();
	return json_out_hex(value);
}

static json_t *make_semaphore(const struct sites *sites,
			      const struct site *site)
{
	const struct sdtkit_site *note = &site->note;
	uint64_t offset = note->semaphore_offset;
	json_t *semaphore;

	if (sites->info->relocatable || note->semaphore == 0)
		return json_null();
	semaphore = json_pack("{s:o, s:o}",
			      "address", json_out_hex(note->semaphore),
			      "offset", make_address(sites, offset,
						     offset !=
						     SDTKIT_NO_OFFSET));
	if (sites->process != NULL)
		json_object_set_new(semaphore, "value", site->traced < 0 ?
				    json_null() : json_integer(site->traced));
	return semaphore;
}

static json_t *make_site(const struct sites *sites, const struct site *site)
{
	const struct sdtkit_site *note = &site->note;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "address", make_address(sites, note->address, true),
			 "offset", make_address(sites, note->offset,
						note->offset !=
						SDTKIT_NO_OFFSET),
			 "semaphore", make_semaphore(sites, site),
			 "member", json_out_text(note->member),
			 "operands", make_operands(note));
}

static void add_doc(json_t *json, const char *doc)
{
	if (doc[0] != '\0')
		json_object_set_new(json, "doc", json_out_text(doc));
}

/* The names of the values of an argument or a member, if it has some. */
static void add_names(json_t *json, const struct sdtkit_enum *names)
{
	json_t *values;
	size_t i;

	if (names == NULL)
		return;
	values = json_array();
	for (i = 0; i < names->enumerator_count; i++) {
		const struct sdtkit_enumerator *one = &names->enumerators[i];

		json_array_append_new(values, json_pack("{s:o, s:o}",
				"name", json_out_text(one->name),
				"value", json_out_signed(one->value)));
	}
	json_object_set_new(json, "enum", json_out_text(names->name));
	json_object_set_new(json, "names", values);
}

static json_t *make_member(const struct sdtkit_layout_member *member)
{
	json_t *json = json_pack("{s:i, s:o, s:o, s:o}",
				 "offset", (int)member->offset,
				 "wire", json_out_text(member->wire),
				 "type", json_out_text(member->type),
				 "name", json_out_text(member->name));

	add_doc(json, member->doc);
	add_names(json, member->names);
	return json;
}

/* The members of a record, under the names that scripts use. */
static json_t *make_members(const struct sdtkit_layout *record)
{
	json_t *members = json_array();
	size_t i;

	for (i = 0; i < record->member_count; i++)
		json_array_append_new(members,
				      make_member(&record->members[i]));
	return members;
}

static json_t *make_argument(const struct sdtkit_argument *argument)
{
	json_t *json = json_pack("{s:o, s:o, s:o}",
				 "wire", json_out_text(argument->wire),
				 "type", json_out_text(argument->type),
				 "name", json_out_text(argument->name));

	add_doc(json, argument->doc);
	add_names(json, argument->names);
	if (argument->record == NULL)
		return json;
	json_object_set_new(json, "size", json_integer(
				    (json_int_t)argument->record->size));
	json_object_set_new(json, "members", make_members(argument->record));
	return json;
}

static json_t *make_arguments(const struct sdtkit_description *description)
{
	json_t *arguments;
	size_t i;

	if (description == NULL)
		return json_null();
	arguments = json_array();
	for (i = 0; i < description->argument_count; i++)
		json_array_append_new(arguments,
				make_argument(&description->arguments[i]));
	return arguments;
}

/* Makes a probe of run sites with the same name. */
static json_t *make_probe(const struct sites *sites, size_t first, size_t run)
{
	const struct sdtkit_site *note = &sites->site[first].note;
	const struct sdtkit_description *description = note->description;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < run; i++)
		json_array_append_new(list, make_site(sites,
						      &sites->site[first + i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "provider", json_out_text(note->provider),
			 "probe", json_out_text(note->probe),
			 "summary", json_out_text(description != NULL ?
						  description->summary : NULL),
			 "arguments", make_arguments(description),
			 "sites", list);
}

static json_t *make_span(const struct sdtkit_span *span)
{
	json_t *properties = json_array();
	size_t i;

	for (i = 0; i < span->property_count; i++)
		json_array_append_new(properties, json_pack("{s:o, s:o}",
				"name", json_out_text(span->properties[i].name),
				"value",
				json_out_text(span->properties[i].value)));
	return json_pack("{s:o, s:o, s:o, s:o}",
			 "provider", json_out_text(span->provider),
			 "span", json_out_text(span->name),
			 "summary", json_out_text(span->summary),
			 "properties", properties);
}

/* The spans of the probes that are listed. */
static json_t *make_spans(const struct sites *sites)
{
	json_t *spans = json_array();
	size_t i;

	for (i = 0; i < sites->spans.count; i++) {
		const struct kept_span *kept = &sites->spans.kept[i];

		if (sites_have_span(sites, kept))
			json_array_append_new(spans, make_span(kept->span));
	}
	return spans;
}

static const char *kind_of(const struct sdtkit_notes_info *info)
{
	if (info->archive)
		return "archive";
	if (info->relocatable)
		return "object";
	return info->debug_only ? "debug" : "linked";
}

static json_t *make_file(const struct list_origin *origin,
			 const struct sites *sites)
{
	const struct sdtkit_notes_info *info = sites->info;
	json_t *file = json_pack("{s:o, s:s, s:o, s:i, s:s, s:o}",
		"path", json_out_text(origin->path),
		"kind", kind_of(info),
		"machine", json_out_text(info->machine_name),
		"bits", (int)info->bits,
		"byte_order", info->big_endian ? "big" : "little",
		"errors", json_integer((json_int_t)sites->errors));

	if (origin->process == NULL)
		return file;
	json_object_set_new(file, "pid", origin->pid == 0 ? json_null() :
			    json_integer(origin->pid));
	json_object_set_new(file, "command", json_out_text(origin->command));
	json_object_set_new(file, "bias", json_out_hex(info->bias));
	return file;
}

void list_json_file(const struct list_origin *origin,
		    const struct sites *sites)
{
	json_t *file = make_file(origin, sites), *probes = json_array();
	size_t i, run;

	for (i = 0; i < sites->count; i += run) {
		run = sites_run(sites, i, site_compare_names);
		json_array_append_new(probes, make_probe(sites, i, run));
	}
	json_object_set_new(file, "probes", probes);
	json_object_set_new(file, "spans", make_spans(sites));
	out_text(is_first ? "\n" : ",\n");
	is_first = false;
	json_out_print(file);
}
