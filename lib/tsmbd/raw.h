/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as clients send them. */
#ifndef TSMBD_RAW_H
#define TSMBD_RAW_H

#include <stdbool.h>

#include "tsmbd.h"

enum { TSMBD_TEXT = 2 * TSMBD_FILE };	/* a character of 2 bytes may have 3 */

/*
 * Converts the name of a file to text, whether it came from smbd or from a
 * packet. A name that was cut ends with "...". text has TSMBD_TEXT bytes.
 */
const char *raw_file(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text);

/* Converts text to UTF-16LE; returns its bytes, 0 if it is not UTF-8. */
unsigned int raw_from_text(const char *text, char utf16[TSMBD_FILE]);

/* Returns whether the name was cut. */
bool raw_is_cut(unsigned int raw, const char file[TSMBD_FILE],
		unsigned int length);

/*
 * The name of a share or user, if raw says that it is one; else "". text has
 * TSMBD_TEXT bytes.
 */
const char *raw_name(unsigned int raw, const char file[TSMBD_FILE],
		     unsigned int length, char *text);

/*
 * If the kernel has a name from the packet, puts it where it belongs: into the
 * share or the user of detail, or into text. text gets the name of the file in
 * any case and has TSMBD_TEXT bytes.
 */
void raw_resolve(struct tsmbd_detail *detail, char *text);

#endif /* TSMBD_RAW_H */
