/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Core dumps for the tests, made byte by byte as image.h does it.  A dump is of
 * a process that had mapped a program, which has one site, and a file of data:
 *
 *	BIAS + 0x1000  r-x  the program, from its first page on
 *	BIAS + 0x3000  rw-  the same page, with the semaphore: VALUE
 *	BIAS + 0x9000  r--  the data
 *
 * Its program headers are in this order, behind that of the notes.
 */
#ifndef SDTKIT_TESTS_NOTES_DUMP_IMAGE_H
#define SDTKIT_TESTS_NOTES_DUMP_IMAGE_H

#include "image.h"

enum {
	DUMP_BIAS = 0x40000,
	DUMP_PAGE = 0x1000,
	DUMP_VALUE = 0x0102,
};

struct dump_image {
	struct image image;
	/* File offsets of the parts that tests damage. */
	size_t note;
	size_t count;
	size_t strings;
	char program[64];
	char path[64];
	/* The path of the program in the dump. */
	char name[80];
};

/*
 * name is the path of the program in the dump; %s in it stands for the real
 * one.
 */
void dump_image_make_named(struct dump_image *dump, unsigned int bits,
			   bool big_endian, const char *name);
void dump_image_make(struct dump_image *dump, unsigned int bits,
		     bool big_endian);
/* Frees the image and removes the file of the program. */
void dump_image_free(struct dump_image *dump);

#endif /* SDTKIT_TESTS_NOTES_DUMP_IMAGE_H */
