/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names of values, see ctf_labels.h. An event that comes through the ring
 * has only the name of its own value, so they are collected; one that comes out
 * of a recording has all names.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/tool.h"
#include "sdtkit/tap.h"
#include "trace/ctf_form.h"
#include "trace/ctf_labels.h"
#include "trace/ctf_names.h"

static bool has(const struct ctf_labels *labels,
		const struct sdtkit_tap_enumerator *one)
{
	size_t i;

	for (i = 0; i < labels->count; i++) {
		if (labels->labels[i].value == one->value &&
		    strcmp(labels->labels[i].name, one->name) == 0)
			return true;
	}
	return false;
}

static void add(struct ctf_labels *labels,
		const struct sdtkit_tap_enumerator *one)
{
	char *name = strdup(one->name);

	if (name == NULL)
		tool_no_memory();
	labels->labels = tool_grow(labels->labels, labels->count,
				   &labels->capacity,
				   sizeof(labels->labels[0]));
	labels->labels[labels->count++] = (struct ctf_label) {
		.value = one->value,
		.name = name,
	};
}

bool ctf_labels_add(struct ctf_labels *labels,
		    const struct sdtkit_tap_field *field)
{
	size_t before = labels->count, i;

	/* All names are there; it is not necessary to look at each. */
	if (field->enumerator_count > 1 && before >= field->enumerator_count)
		return false;
	for (i = 0; i < field->enumerator_count; i++) {
		if (!has(labels, &field->enumerators[i]))
			add(labels, &field->enumerators[i]);
	}
	return labels->count > before;
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

void ctf_labels_print(FILE *file, const struct ctf_labels *labels,
		      const char *name, struct ctf_form form)
{
	bool is_signed = form.kind == CTF_SIGNED || form.is_signed;
	bool has_begun = false;
	uint64_t bits;
	size_t i;

	for (i = 0; i < labels->count; i++) {
		if (!fits(form, is_signed, labels->labels[i].value, &bits))
			continue;
		if (has_begun)
			fprintf(file, ", ");
		else
			fprintf(file, "enum : %s { ", name);
		has_begun = true;
		ctf_print_string(file, labels->labels[i].name);
		fprintf(file, is_signed ? " = %" PRId64 : " = %" PRIu64, bits);
	}
	fprintf(file, "%s", has_begun ? " }" : name);
}
