/* SPDX-License-Identifier: BSD-2-Clause */
/* A picture as a file: SVG that needs neither scripts nor fonts. */
#ifndef TSMBD_PICTURE_H
#define TSMBD_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

struct picture {
	const char *path;
	char *beside;		/* where it is written, until it is complete */
	FILE *file;
};

/*
 * Finds out whether a file can be made there, and leaves none. Exits with a
 * message if not.
 */
void picture_check(const char *path);

/*
 * Begins to write it, beside the file of that name, with a background, a
 * title and a description for those who do not see it. style is CSS for what
 * is in it. Returns false after a message if that fails.
 */
bool picture_begin(struct picture *picture, const char *path, int width,
		   int height, const char *style, const char *title,
		   const char *description);

/* Text with what XML needs; a byte that it cannot hold becomes a '?'. */
void picture_text(struct picture *picture, const char *text);

/*
 * Puts it in the place of the old one. On failure the old one remains, and it
 * returns false after a message.
 */
bool picture_end(struct picture *picture);

#endif /* TSMBD_PICTURE_H */
