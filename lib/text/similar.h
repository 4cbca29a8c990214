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

struct option;

/*
 * Returns the long option that a misspelt one, "--widht=60", is most similar to,
 * or NULL.
 */
const char *sdtkit_similar_option(const char *word,
				  const struct option *options);

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

/*
 * The end of a message about a name that nothing has:
 *
 *	smb2:end has no argument 'opcod'; did you mean opcode?
 *	smb2:end has no argument 'x'; it has: session, opcode, status
 */
enum { SDTKIT_MEANT_SIZE = 400 };

/* The names that there are; at first all 0. */
struct sdtkit_meant {
	char all[SDTKIT_MEANT_SIZE - 16];
	char best[128];
	unsigned int percent;
};

/*
 * Considers one of the names that there are; wanted is the one that nothing has,
 * which may be only the part of a name behind its last dot.
 */
void sdtkit_meant_saw(struct sdtkit_meant *meant, const char *name,
		      const char *wanted);

/*
 * Writes "did you mean opcode?" if a name is similar, else "it has: " and all
 * names that have room, or "it has none". The buffer holds SDTKIT_MEANT_SIZE
 * bytes and is returned.
 */
const char *sdtkit_meant_text(const struct sdtkit_meant *meant, char *buffer);

#endif /* SDTKIT_SIMILAR_H */
