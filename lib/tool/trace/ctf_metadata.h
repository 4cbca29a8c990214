/* SPDX-License-Identifier: BSD-2-Clause */
/* The metadata of a trace in the Common Trace Format, in TSDL. */
#ifndef SDTKIT_TOOL_CTF_METADATA_H
#define SDTKIT_TOOL_CTF_METADATA_H

#include <stdint.h>

struct ctf_form;
struct sdtkit_tap_event;
struct tracing;

/* Writes what is the same for all events. Returns 0 or -errno. */
int ctf_metadata_begin(const struct tracing *tracing);

/*
 * Adds the class of an event, with the forms of its values as in
 * ctf_fields.h. Returns 0 or -errno.
 */
int ctf_metadata_add(const struct sdtkit_tap_event *event,
		     const struct ctf_form *forms, uint32_t class_id);

#endif /* SDTKIT_TOOL_CTF_METADATA_H */
