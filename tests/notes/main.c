/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs the tests of one file of this room.
 *
 *	test-notes NAME [ARGUMENT]
 *
 * NAME is that of test_NAME.c. meson.build lists the names and arguments.
 */
#include <stdio.h>

#include "../cmocka_all.h"

int main(int argc, char **argv)
{
	char file[64];

	if (argc < 2) {
		fprintf(stderr, "usage: %s NAME [ARGUMENT]\n", argv[0]);
		return 2;
	}
	snprintf(file, sizeof(file), "test_%s.c", argv[1]);
	test_argument = argv[2];
	return tests_run(file, NULL, NULL);
}
