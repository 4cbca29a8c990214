/* SPDX-License-Identifier: BSD-2-Clause */
/* Guesses what a name was renamed to, or what the user meant to write. */
#ifndef SDTKIT_SIMILAR_H
#define SDTKIT_SIMILAR_H

#include <stdbool.h>

/*
 * Returns the similarity of two names in percent: 100 if they are the same, 0
 * if nobody would confuse them.
 */
unsigned int sdtkit_similar_names(const char *a, const char *b);

/* The similarity from which on it is worth asking. */
enum { SIMILAR_ENOUGH = 60 };

/* The names that are most similar to a pattern which matches none of them. */
struct sdtkit_similar {
	/* The best first; empty ones at the end. */
	struct {
		char name[128];
		unsigned int percent;
	} near[4];
};

/* Considers a name; patterns are a list as in pattern.h. */
void sdtkit_similar_saw(struct sdtkit_similar *similar, const char *patterns,
			const char *provider, const char *probe);

/*
 * Writes "smb2:request_start, smb2:request_done", or ""; the buffer holds 528
 * bytes.
 */
enum { SIMILAR_TEXT = 4 * (128 + 4) };
const char *sdtkit_similar_text(const struct sdtkit_similar *similar,
				char *buffer);

#endif /* SDTKIT_SIMILAR_H */
