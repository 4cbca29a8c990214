/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A probe that fired, as it crosses from the process where it did to "sdtkit
 * trace": all that is to be printed, so that the reader keeps nothing about
 * the processes that write.
 *
 *	struct sdtkit_record	time, process, number of values
 *	struct sdtkit_record_value for each argument, and then for each member
 *				of the records that they are addresses of
 *	"smb2\0" "create_start\0"
 *	"uint64_t\0" "mid\0" "char *\0" "name\0" "dir\\a.txt\0"
 *	 \_ type, name, of a string its text; for each argument, and behind it
 *	    for each of its members
 */
#ifndef SDTKIT_TRACE_RECORD_H
#define SDTKIT_TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/tap.h"

/* Flags of a value. */
enum {
	SDTKIT_RECORD_TEXT = 1 << 0,
	SDTKIT_RECORD_CUT = 1 << 1,
	/* Instead of a text there is a sentence about why there is none. */
	SDTKIT_RECORD_WHY = 1 << 2,
	/* An array of numbers with a sign. */
	SDTKIT_RECORD_SIGNED = 1 << 3,
	/* The address of a record, whose members are there, be it none. */
	SDTKIT_RECORD_MEMBERS = 1 << 4,
};

struct sdtkit_record_value {
	uint64_t bits;
	/* Bytes of what is behind the name, without its NUL. */
	uint32_t length;
	uint16_t member_count;
	/* How many elements an array has in each dimension. */
	uint16_t counts[2];
	uint8_t kind;
	uint8_t size;
	uint8_t flags;
	uint8_t unused[3];
};

struct sdtkit_record {
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	/* Bytes of all of it. */
	uint32_t size;
	uint16_t value_count;
	/* Whether the file describes the probe. */
	uint16_t described;
	/* Hits that had been lost when this one was recorded, of all processes. */
	uint64_t lost;
	struct sdtkit_record_value values[];
};

/* What it takes to write an event, with strings of so many bytes at most. */
size_t sdtkit_record_size(const struct sdtkit_tap_event *event,
			  size_t string_limit, bool name_only);

/* Writes it: async-signal-safe, as the one above. */
void sdtkit_record_write(const struct sdtkit_tap_event *event,
			 size_t string_limit, bool name_only, size_t size,
			 void *record);

/* An event again; its strings are those of the record. */
struct sdtkit_record_event {
	struct sdtkit_tap_event event;
	struct sdtkit_tap_probe probe;
	struct sdtkit_tap_field fields[SDTKIT_TAP_ARGUMENTS_MAX];
	/* The members of all arguments, in their order. */
	struct sdtkit_tap_field member_fields[SDTKIT_TAP_MEMBERS_MAX];
	struct sdtkit_tap_value members[SDTKIT_TAP_MEMBERS_MAX];
	uint64_t lost;
};

/* False if those bytes are no record. */
bool sdtkit_record_read(const void *record, size_t size,
			struct sdtkit_record_event *to);

#endif /* SDTKIT_TRACE_RECORD_H */
