/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units of numbers. The last part of the name of an argument is its unit:
 * elapsed_ns, in_bytes. probegen/span_times.py has those of time, too.
 */
#ifndef SDTKIT_TEXT_UNIT_H
#define SDTKIT_TEXT_UNIT_H

#include <stddef.h>
#include <string.h>

struct sdtkit_unit {
	const char *word;
	unsigned int ns;		/* 0: it is no time */
	const char *name;		/* as metrics call it */
};

/* Returns the unit of a word, or NULL. */
static inline const struct sdtkit_unit *sdtkit_unit_find(const char *word,
							 size_t length)
{
	static const struct sdtkit_unit units[] = {
		{ "ns", 1, "nanoseconds" }, { "nsec", 1, "nanoseconds" },
		{ "us", 1000, "microseconds" },
		{ "usec", 1000, "microseconds" },
		{ "ms", 1000000, "milliseconds" },
		{ "msec", 1000000, "milliseconds" },
		{ "s", 1000000000, "seconds" }, { "sec", 1000000000, "seconds" },
		{ "bytes", 0, "bytes" },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strncmp(units[i].word, word, length) == 0 &&
		    units[i].word[length] == '\0')
			return &units[i];
	}
	return NULL;
}

/* Returns the unit of an argument by its name, or NULL. */
static inline const struct sdtkit_unit *sdtkit_unit_of(const char *name)
{
	const char *end = name;

	for (; *name != '\0'; name++)
		end = *name == '_' || *name == '.' ? name + 1 : end;
	return sdtkit_unit_find(end, strlen(end));
}

#endif /* SDTKIT_TEXT_UNIT_H */
