/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the record that an argument is the address of, member by member. */
#ifndef SDTKIT_TAP_RECORD_VALUE_PRIV_H
#define SDTKIT_TAP_RECORD_VALUE_PRIV_H

#include "value.h"

/* How the members of a record are read. */
struct sdtkit_tap_record {
	size_t size;
	size_t count;
	struct sdtkit_tap_member {
		struct sdtkit_tap_form form;
		/* In bytes; size is 0 if the wire type is not known. */
		uint32_t offset;
		uint32_t size;
		/* The dimensions of an array, else 0. */
		uint32_t counts[2];
		/* The member is text that lies in the record itself. */
		bool is_inline;
	} members[];
};

/* Allocates it, to be freed by the caller; NULL if there is no memory. */
struct sdtkit_tap_record *
sdtkit_tap_new_record(const struct sdtkit_layout *layout);

/*
 * Copies the record that value is the address of, and makes the values of its
 * members.  It may be called in signal handlers.
 */
void sdtkit_tap_copy_record(const struct sdtkit_tap_record *record, pid_t pid,
			    struct sdtkit_tap_value *value,
			    struct sdtkit_tap_space *space);

#endif /* SDTKIT_TAP_RECORD_VALUE_PRIV_H */
