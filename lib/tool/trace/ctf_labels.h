/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of values that a field of a class of events has. */
#ifndef SDTKIT_TOOL_CTF_LABELS_H
#define SDTKIT_TOOL_CTF_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct ctf_form;
struct sdtkit_tap_field;

struct ctf_labels {
	struct ctf_label {
		int64_t value;
		char *name;
	} *labels;
	size_t count;
	size_t capacity;
};

/* Adds the names that the field has. Returns whether one of them is new. */
bool ctf_labels_add(struct ctf_labels *labels,
		    const struct sdtkit_tap_field *field);

/*
 * Prints the type of a field, "u2", or "enum : u2 { "CREATE" = 5 }" if its
 * values have names; name is that of the type.
 */
void ctf_labels_print(FILE *file, const struct ctf_labels *labels,
		      const char *name, struct ctf_form form);

#endif /* SDTKIT_TOOL_CTF_LABELS_H */
