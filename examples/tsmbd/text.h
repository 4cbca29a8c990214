/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that clients have chosen, for lines, terminals and JSON. */
#ifndef TSMBD_TEXT_H
#define TSMBD_TEXT_H

#include <stddef.h>

#include <jansson.h>

/*
 * Prints it. What is not UTF-8 or would disturb a line or a terminal becomes
 * a '?' for each byte, as does what is in also; nothing becomes a '-'.
 */
void text_print(const char *text, const char *also);

/* Prints it in quotes, of which it has no other ones then. */
void text_quote(const char *text);

/* The same as one word, up to size - 1 bytes in buffer. */
const char *text_word(const char *text, char *buffer, size_t size);

/* As it is; a byte that is not UTF-8 becomes U+FFFD. */
json_t *text_json(const char *text);

#endif /* TSMBD_TEXT_H */
