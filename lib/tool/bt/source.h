/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of a script, from a file or from one or more -e, and complaints that
 * point at a word of it:
 *
 *	sdtkit bt: -e:1:20: smb2:end has no argument 'opcod'; did you mean
 *	args.opcode?
 *	  smb2:end /args.opcod == 5/ { @ = count(); }
 *	            ^~~~~~~~~~
 */
#ifndef SDTKIT_TOOL_BT_SOURCE_H
#define SDTKIT_TOOL_BT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct source_part;

struct source {
	/* Ends in a NUL, which is not counted, and has no other. */
	char *text;
	size_t size;
	struct source_part *part;
	size_t part_count;
	size_t part_capacity;
	/* Where complaints have pointed: each position is named once. */
	size_t *complained;
	size_t complained_count;
	size_t complained_capacity;
};

/* Adds the text of an -e, which begins a line. */
void source_add(struct source *source, const char *text);

/* Reads a file; "-" is standard input. Returns false after a complaint. */
bool source_read(struct source *source, const char *path);

void source_free(struct source *source);

/* Points at length bytes from the offset on. */
__attribute__((format(printf, 4, 5)))
void source_complain(struct source *source, size_t at, size_t length,
		     const char *format, ...);

/* So many complaints that further ones would help nobody. */
bool source_is_hopeless(const struct source *source);

#endif /* SDTKIT_TOOL_BT_SOURCE_H */
