/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main REPORT [wait] - fires all probes of store.d once, and writes the
 * arguments that are addresses to the file REPORT, as lines `PROBE INDEX
 * ADDRESS`. With "wait" it prints "ready" first and fires when it gets a line.
 * With STORE_LIBRARY, the name of a library, it loads that, which then has the
 * probes.
 */
#include "store.h"

#include <dlfcn.h>
#include <stdio.h>

static FILE *report;

static void tell(const char *probe, int index, const volatile void *address)
{
	fprintf(report, "%s %d %llu\n", probe, index,
		(unsigned long long)(__UINTPTR_TYPE__)address);
}

#ifdef STORE_LIBRARY
static store_fires *find(void)
{
	void *library = dlopen(STORE_LIBRARY, RTLD_NOW);
	union { void *object; store_fires *function; } found = { NULL };

	if (library != NULL)
		found.object = dlsym(library, "store_fire");
	else
		fprintf(stderr, "%s\n", dlerror());
	return found.function;
}
#else
static store_fires *find(void)
{
	return store_fire;
}
#endif

int main(int argc, char **argv)
{
	store_fires *fire = find();

	report = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (report == NULL || fire == NULL) {
		fputs("usage: main REPORT [wait]\n", stderr);
		return 1;
	}
	if (argc > 2) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	fire(tell);
	return fclose(report) != 0;
}
