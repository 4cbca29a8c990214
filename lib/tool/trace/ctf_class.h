/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The classes of events in a trace of the Common Trace Format. A class is what
 * a probe is called and how its values are stored, so a probe has several if
 * its values differ in that: a string that is NULL now and then.
 */
#ifndef SDTKIT_TOOL_CTF_CLASS_H
#define SDTKIT_TOOL_CTF_CLASS_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_form;
struct sdtkit_tap_event;

/*
 * Finds the class of an event. If there is none yet, it is made, and *is_new
 * set. forms are those of the event's values, in the order in which they are
 * stored: members follow the record that they belong to.
 */
uint32_t ctf_class(const struct sdtkit_tap_event *event,
		   const struct ctf_form *forms, bool *is_new);

#endif /* SDTKIT_TOOL_CTF_CLASS_H */
