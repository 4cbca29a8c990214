/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main REPORT [wait] - fires the probe of sites.d once at each of 600 sites.
 * The arguments of the command line are as in main.c, so that the same tracers
 * can run it.
 */
#include "form_probes.h"

#include <stdio.h>

#define TEN(use)	use use use use use use use use use use
#define SIX(use)	use use use use use use
#define USE		FORM_MANY(n++, text);

static char text[] = "many";

int main(int argc, char **argv)
{
	FILE *report = argc > 1 ? fopen(argv[1], "w") : NULL;
	volatile int n = 0;

	if (!report)
		return 1;
	fprintf(report, "many 1 %llu\n",
		(unsigned long long)(unsigned long)text);
	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	SIX(TEN(TEN(USE)))
	return fclose(report) != 0;
}
