/* SPDX-License-Identifier: BSD-2-Clause */
/* An SVG file that needs neither scripts nor fonts. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct picture {
	const char *path;
	char *beside;		/* where it is written, until it is complete */
	FILE *file;
	bool quiet;		/* prints no message of what fails */
	int error;		/* set it if something is missing in it */
};

/*
 * Checks whether the file that an option names can be created, and leaves none
 * behind. If it cannot, prints a message and returns false. A path of NULL is
 * an option that was not given: true.
 */
bool picture_check(const char *option, const char *path);

/*
 * Opens a temporary file beside path, for any document; mode is that of a file
 * that is created. On failure it prints a message and returns false.
 */
bool picture_open(struct picture *picture, const char *path, mode_t mode);

/*
 * Likewise, without messages of a failure, here or in picture_close(): for a
 * file that is written again and again.
 */
bool picture_open_quietly(struct picture *picture, const char *path,
			  mode_t mode);

/*
 * Begins a picture in a temporary file beside path, with a background, and with
 * a title and a description for screen readers. style is CSS. On failure it
 * prints a message and returns false.
 */
bool picture_begin(struct picture *picture, const char *path, int width,
		   int height, const char *style, const char *title,
		   const char *description);

/* Writes text escaped for XML; a byte that XML cannot hold becomes a '?'. */
void picture_text(struct picture *picture, const char *text);

/*
 * Renames the complete picture over the old one. On failure the old one
 * remains, and it prints a message and returns false.
 */
bool picture_end(struct picture *picture);

/* The same for a document of picture_open(). */
bool picture_close(struct picture *picture);

#endif /* PICTURE_H */
