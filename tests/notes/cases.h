/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the files of tests/machines. There is one for each machine; its
 * sections have a row on each line, and "#" begins a comment.
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
	/*
	 * The machine of the section [library]. Only a file for a second
	 * compiler of the same machine lacks that section.
	 */
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
