/* SPDX-License-Identifier: BSD-2-Clause */
/* main.c - runs the tests of a room: test-report ROOM */
#include "../cmocka_all.h"

int main(int argc, char **argv)
{
	return tests_run(argv[1], NULL, NULL);
}
