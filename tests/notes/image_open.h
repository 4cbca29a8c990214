/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that image.h makes, read back through notes.h.  For cmocka's tests:
 * what should have worked and did not is a failure of the test that asked.
 */
#ifndef SDTKIT_TESTS_NOTES_IMAGE_OPEN_H
#define SDTKIT_TESTS_NOTES_IMAGE_OPEN_H

#include "image.h"
#include "sdtkit/notes.h"

/* What tests add to a file between its beginning and its end. */
extern const struct image_note image_note_end;

/*
 * The program that most tests begin with: one site at .text + 4.  It is for
 * x86-64 and of type ET_DYN, unless the image says otherwise.
 */
void image_make_program(struct image *image);

/* An open file, unlinked already. */
struct sdtkit_notes *image_open(const struct image *image);
/* The next site, of which there must be one. */
const struct sdtkit_site *image_next_site(struct sdtkit_notes *notes);
/* That a site is where image_make_program() puts it, and so its semaphore. */
void image_check_addresses(const struct image *image,
		       const struct sdtkit_site *site);

/* Opens, reads to the end, closes: the first error, or the number of sites. */
int image_read_all(const char *path);

#endif /* SDTKIT_TESTS_NOTES_IMAGE_OPEN_H */
