/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs the tests of one file of this room.
 *
 *	test-notes NAME [ARGUMENT]
 *
 * NAME is that of test_NAME.c, which has a run_NAME(): it runs the tests of the
 * file with the argument, or NULL, and returns an exit status. meson.build lists
 * the names and arguments.
 */
#include <stdio.h>

#include "cmocka_all.h"

#define NOTES_GROUP(name) int run_##name(const char *argument);
NOTES_GROUPS
#undef NOTES_GROUP

#define NOTES_GROUP(name) { #name, run_##name },
static const struct {
	const char *name;
	int (*run)(const char *argument);
} groups[] = { NOTES_GROUPS };
#undef NOTES_GROUP

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < ROWS(groups); i++) {
		if (strcmp(groups[i].name, argv[1]) == 0)
			return groups[i].run(argv[2]);
	}
	fprintf(stderr, "usage: %s NAME [ARGUMENT]\n", argv[0]);
	return 2;
}
