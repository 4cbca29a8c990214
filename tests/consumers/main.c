/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main REPORT [wait] - fires all probes of form.d, and writes the arguments
 * that are addresses to the file REPORT, as lines `PROBE INDEX ADDRESS`. With
 * "wait" it prints "ready" first, and fires when it gets a line.
 */
#include "form.h"

#include <stdio.h>

volatile long form_zero;

static FILE *report;

void form_told(const char *probe, int index, const volatile void *address)
{
	fprintf(report, "%s %d %llu\n", probe, index,
		(unsigned long long)(uintptr_t)address);
}

void form_told_text(const char *probe, int index, const char *text)
{
	*(const volatile char *)text;
	form_told(probe, index, text);
}

int main(int argc, char **argv)
{
	report = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!report) {
		fputs("usage: main REPORT [wait]\n", stderr);
		return 1;
	}
	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	form_integers();
	form_pointers();
	form_functions();
	form_counts();
#ifdef __cplusplus
	form_classes();
#endif
	return fclose(report) != 0;
}
