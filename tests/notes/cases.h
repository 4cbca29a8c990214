/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of tests/machines: a file for each machine, whose sections have a
 * row on each line. "#" begins a line that is a comment.
 *
 *	[operands]
 *	8@%r15 = u8 register r15
 */
#ifndef SDTKIT_TESTS_NOTES_CASES_H
#define SDTKIT_TESTS_NOTES_CASES_H

#include <stddef.h>
#include <stdint.h>

struct case_row {
	char key[128];
	char value[128];
};

struct machine_cases {
	/* From [library], which only the files of a second compiler lack. */
	uint16_t elf;
	char name[32];
	size_t registers;
	/* The rows of the section that was asked for. */
	struct case_row rows[128];
	size_t count;
};

/*
 * Reads that section of all files in a directory that have [library], and calls
 * each() for each file. Returns how many there are.
 */
size_t cases_read(const char *directory, const char *section,
		  void (*each)(const struct machine_cases *cases));

#endif /* SDTKIT_TESTS_NOTES_CASES_H */
