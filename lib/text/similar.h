/* SPDX-License-Identifier: BSD-2-Clause */
/* Guessing what something was renamed to, or what somebody meant to write. */
#ifndef SDTKIT_SIMILAR_H
#define SDTKIT_SIMILAR_H

#include <stdbool.h>

/*
 * How much of two names is the same, in percent: 100 for the same name, and 0
 * for names that nobody would take for one another.
 */
unsigned int sdtkit_similar_names(const char *a, const char *b);

/* From this on, it is worth asking. */
enum { SIMILAR_ENOUGH = 60 };

/* The names that are most like a pattern which matches none of them. */
struct sdtkit_similar {
	/* The best first; empty ones at the end. */
	struct {
		char name[128];
		unsigned int percent;
	} near[4];
};

/* Looks at a name; patterns are a list as in pattern.h. */
void sdtkit_similar_saw(struct sdtkit_similar *similar, const char *patterns,
			const char *provider, const char *probe);

/* "smb2:request_start, smb2:request_done", or ""; the buffer holds 528. */
enum { SIMILAR_TEXT = 4 * (128 + 4) };
const char *sdtkit_similar_text(const struct sdtkit_similar *similar,
				char *buffer);

#endif /* SDTKIT_SIMILAR_H */
