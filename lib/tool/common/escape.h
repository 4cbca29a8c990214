/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text from a file, which may be hostile, for a terminal: each byte that could
 * drive it is written as "\x1b".  All output and messages of the command go
 * through here; values of arguments are quoted by libsdtkit-tap, and strings in
 * JSON by libjansson.
 */
#ifndef SDTKIT_TOOL_ESCAPE_H
#define SDTKIT_TOOL_ESCAPE_H

#include <stddef.h>

/* Which characters are written as they are. Control characters never are. */
enum escape {
	/* Names of probes, cells of a table: ASCII without blank or "\". */
	ESCAPE_NAME,
	/* Sentences of a description: blanks too. */
	ESCAPE_TEXT,
	/* Paths and messages, which users have to recognise: all of UTF-8. */
	ESCAPE_PATH,
};

/* Calls put for each piece of the result; returns how many bytes it has. */
size_t escape(const char *text, enum escape how,
	      void (*put)(void *to, const char *data, size_t size), void *to);

size_t escape_length(const char *text, enum escape how);

/* Writes what fits into a buffer, and a NUL; returns the length. */
size_t escape_into(char *buffer, size_t size, const char *text,
		   enum escape how);

/* A put function for a FILE. */
void escape_to_file(void *file, const char *data, size_t size);

#endif /* SDTKIT_TOOL_ESCAPE_H */
