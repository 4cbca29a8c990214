/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit on its way from the traced process to "sdtkit trace". It contains all
 * that is printed of the hit, so that the reader keeps nothing about the
 * processes that write.
 *
 *	struct sdtkit_entry	time, process, number of values
 *	struct sdtkit_entry_value for each argument, and then for each member
 *				of the records that they are addresses of
 *	"smb2\0" "create_start\0" "A file is about to be opened.\0"
 *	"uint64_t\0" "mid\0" "char *\0" "name\0" "dir\\a.txt\0"
 *	"uint16_t\0" "opcode\0" "CREATE\0"
 *	 \_ type, name, of a string its text, of a number the name that its
 *	    value has, if any; for each argument, and behind it for each of its
 *	    members
 */
#ifndef SDTKIT_TRACE_ENTRY_H
#define SDTKIT_TRACE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdtkit/tap.h"

/* Flags of a value. */
enum {
	SDTKIT_ENTRY_TEXT = 1 << 0,
	SDTKIT_ENTRY_CUT = 1 << 1,
	/* There is no text, but a sentence that says why. */
	SDTKIT_ENTRY_WHY = 1 << 2,
	/* The numbers of the array are signed. */
	SDTKIT_ENTRY_SIGNED = 1 << 3,
	/*
	 * The value is the address of a record, whose members follow, even if
	 * there are none.
	 */
	SDTKIT_ENTRY_MEMBERS = 1 << 4,
	/* The value of the number has a name, which follows. */
	SDTKIT_ENTRY_NAMED = 1 << 5,
};

struct sdtkit_entry_value {
	uint64_t bits;
	/* The length of the text after the name, without its NUL. */
	uint32_t length;
	uint16_t member_count;
	/* How many elements an array has in each dimension. */
	uint16_t counts[2];
	uint8_t kind;
	uint8_t size;
	uint8_t flags;
	uint8_t unused[3];
};

struct sdtkit_entry {
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	/* The size of the whole entry. */
	uint32_t size;
	uint16_t value_count;
	/* Whether the file describes the probe. */
	uint16_t described;
	/*
	 * How many hits of all processes had been lost when this one was
	 * recorded.
	 */
	uint64_t lost;
	struct sdtkit_entry_value values[];
};

/*
 * The number of bytes that an event needs, if strings are cut to string_limit
 * bytes. Async-signal-safe.
 */
size_t sdtkit_entry_size(const struct sdtkit_tap_event *event,
			 size_t string_limit, bool name_only);

/* Writes the event to an entry of that size. Async-signal-safe. */
void sdtkit_entry_write(const struct sdtkit_tap_event *event,
			size_t string_limit, bool name_only, size_t size,
			void *entry);

/* The event that was read from an entry; its strings are those of the entry. */
struct sdtkit_entry_event {
	struct sdtkit_tap_event event;
	struct sdtkit_tap_probe probe;
	struct sdtkit_tap_field fields[SDTKIT_TAP_ARGUMENTS_MAX];
	/* The members of all arguments, in their order. */
	struct sdtkit_tap_field member_fields[SDTKIT_TAP_MEMBERS_MAX];
	struct sdtkit_tap_value members[SDTKIT_TAP_MEMBERS_MAX];
	/*
	 * The names of the values of arguments and of members.  A field has no
	 * other enumerator than that of its value, and of an array none.
	 */
	struct sdtkit_tap_enumerator names[SDTKIT_TAP_ARGUMENTS_MAX];
	struct sdtkit_tap_enumerator member_names[SDTKIT_TAP_MEMBERS_MAX];
	uint64_t lost;
};

/* Returns false if the bytes are not an entry. */
bool sdtkit_entry_read(const void *entry, size_t size,
		       struct sdtkit_entry_event *to);

#endif /* SDTKIT_TRACE_ENTRY_H */
