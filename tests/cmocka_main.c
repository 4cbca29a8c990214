/* SPDX-License-Identifier: BSD-2-Clause */
/* See cmocka_all.h. */
#include <stdio.h>

#include "cmocka_all.h"

enum {
	MOST = 256,
};

const char *test_argument;

static const char *files[MOST];
/* cmocka passes over elements that are empty. */
static struct CMUnitTest tests[MOST];
static size_t count;

void add_test(const char *file, struct CMUnitTest test)
{
	if (count == MOST)
		abort();
	files[count] = file;
	tests[count++] = test;
}

/* Whether a path is of a file, or of a room: "../tests/page/test_store.c". */
static int is_of(const char *path, const char *name)
{
	const char *found = strstr(path, name);
	size_t length = strlen(name);

	for (; found != NULL; found = strstr(found + 1, name)) {
		if (found > path && found[-1] == '/' &&
		    (found[length] == '/' || found[length] == '\0'))
			return 1;
	}
	return 0;
}

int tests_run(const char *name, CMFixtureFunction set_up,
	      CMFixtureFunction tear_down)
{
	size_t left = count, i;

	for (i = 0; name != NULL && i < count; i++) {
		if (is_of(files[i], name))
			continue;
		tests[i] = (struct CMUnitTest) { 0 };
		left--;
	}
	if (left == 0) {
		fprintf(stderr, "there is no test\n");
		return 2;
	}
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

__attribute__((weak)) int main(int argc, char **argv)
{
	test_argument = argv[1];
	return tests_run(NULL, NULL, NULL);
}
