/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fires each probe of site.d with values that reveal a wrong width or sign, as
 * often as the command line says. It prints a line before and waits for one, so
 * that a tracer can attach to the running program first. test_values.py has
 * what each tracer must read.
 */
#include "site.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char who[32];

static void fire(int n)
{
	T_NONE();
	T_PAIR(0xfedcba9876543210u, 0xfffe);
	T_INTS(-1, -2, -3, -4, 0xff, 0xfffe, 0xfffffffd, 0xfffffffffffffffc,
	       'A', true, sizeof(who), -1000000000000);
	T_TEXT(who, NULL, who + 2);
	T_COUNT(n);
	T_A_B(-n);
}

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 1;

	strcpy(who, "jerry");
	puts("ready");
	fflush(stdout);
	if (argc > 2)
		getchar();
	for (int n = 1; n <= times; n++)
		fire(n);
	return 0;
}
