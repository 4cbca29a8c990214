/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that clients have chosen, for lines, terminals and JSON. */
#ifndef TSMBD_TEXT_H
#define TSMBD_TEXT_H

#include <stddef.h>

#include <jansson.h>

/*
 * Prints it. What is not UTF-8 or would disturb a line or a terminal becomes
 * a '?' for each byte, as does what is in also. Nothing becomes a '-', and a
 * name that is a '-' is printed in quotes.
 */
void text_print(const char *text, const char *also);

/* Prints it in quotes, of which it has no other ones then. */
void text_quote(const char *text);

/* A file of a share as share/file, or the name alone if share is "". */
void text_path(const char *share, const char *name);

/* The same in quotes. */
void text_quote_path(const char *share, const char *name);

/* text as one word, which may be in buffer, with up to size - 1 bytes. */
const char *text_word(const char *text, char *buffer, size_t size);

/* As it is; a byte that is not UTF-8 becomes U+FFFD. */
json_t *text_json(const char *text);

#endif /* TSMBD_TEXT_H */
