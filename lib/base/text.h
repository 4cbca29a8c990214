/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes names that clients have chosen safe for terminals and JSON. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

/*
 * Prints a name. Each byte that is not UTF-8, that would change the line or the
 * terminal, or that is in also is printed as a '?'. An empty name is printed as
 * a '-', and a name that is a '-' in quotes.
 */
void text_print(FILE *out, const char *text, const char *also);

/* Prints a name in quotes; quotes within it are replaced. */
void text_quote(FILE *out, const char *text);

/* Prints a file as share/file, or the name alone if share is "". */
void text_path(FILE *out, const char *share, const char *name);

/* Prints the same in quotes. */
void text_quote_path(FILE *out, const char *share, const char *name);

/* Returns text as one word of up to size - 1 bytes; buffer may hold it. */
const char *text_word(const char *text, char *buffer, size_t size);

/* The same, but blanks and quotes stay. */
const char *text_plain(const char *text, char *buffer, size_t size);

/* Returns a JSON string; each byte that is not UTF-8 becomes U+FFFD. */
json_t *text_json(const char *text);

#endif /* BASE_TEXT_H */
