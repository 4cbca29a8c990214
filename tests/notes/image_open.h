/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the files that image.h makes, with the functions of notes.h. For
 * cmocka: if something fails that should not, the test that called fails.
 */
#ifndef SDTKIT_TESTS_NOTES_IMAGE_OPEN_H
#define SDTKIT_TESTS_NOTES_IMAGE_OPEN_H

#include "image.h"
#include "sdtkit/notes.h"

/* What tests add to a file between its beginning and its end. */
extern const struct image_note image_note_end;

/*
 * Makes the program that most tests begin with: one site at .text + 4. It is
 * for x86-64 and of type ET_DYN, unless the image says otherwise.
 */
void image_make_program(struct image *image);

/* Opens a temporary file that has the image and is unlinked at once. */
struct sdtkit_notes *image_open(const struct image *image);
/* Returns the next site; there must be one. */
const struct sdtkit_site *image_next_site(struct sdtkit_notes *notes);
/*
 * Checks that the site and its semaphore are where image_make_program() puts
 * them.
 */
void image_check_addresses(const struct image *image,
		       const struct sdtkit_site *site);

/*
 * Opens a file and reads it to the end; returns the first error or the number
 * of sites.
 */
int image_read_all(const char *path);

#endif /* SDTKIT_TESTS_NOTES_IMAGE_OPEN_H */
