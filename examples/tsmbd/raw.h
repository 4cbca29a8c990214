/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as clients send them. */
#ifndef TSMBD_RAW_H
#define TSMBD_RAW_H

#include <stdbool.h>

#include "tsmbd.h"

enum { TSMBD_TEXT = 2 * TSMBD_FILE };	/* a character of 2 bytes may have 3 */

/*
 * The name of a file, and its share: as text, whatever the kernel has found.
 * A name that did not fit ends with "...". text has TSMBD_TEXT bytes.
 */
const char *raw_file(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text);

/* text as a packet has it; returns how many bytes, 0 if it is not UTF-8. */
unsigned int raw_from_text(const char *text, char utf16[TSMBD_FILE]);

/* It has not all of the name. */
bool raw_is_cut(unsigned int raw, const char file[TSMBD_FILE],
		unsigned int length);

/*
 * The name of a share or user, if raw says that it is one; else "". text has
 * TSMBD_TEXT bytes.
 */
const char *raw_name(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text);

/*
 * Puts what the client asked for in the place of what is not known: a file, a
 * share or a user. text has TSMBD_TEXT bytes, and has the name of the file.
 */
void raw_resolve(struct tsmbd_detail *detail, char *text);

#endif /* TSMBD_RAW_H */
