/* SPDX-License-Identifier: BSD-2-Clause */
/* A class of events in the metadata of a Common Trace Format trace. */
#ifndef SDTKIT_TOOL_CTF_FIELDS_H
#define SDTKIT_TOOL_CTF_FIELDS_H

#include <stdint.h>
#include <stdio.h>

struct ctf_form;
struct sdtkit_tap_event;

/*
 * Prints the class of an event. forms are those of its values, in the order in
 * which they are stored: members follow the record that they belong to.
 */
void ctf_print_event(FILE *file, const struct sdtkit_tap_event *event,
		     const struct ctf_form *forms, uint32_t class_id);

#endif /* SDTKIT_TOOL_CTF_FIELDS_H */
