/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that fire probes with all types of arguments, and many times. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act.h"

ACT(types)
{
	ACT_TYPES(255, -128, 65535, -32768, 4294967295U, INT32_MIN, UINT64_MAX,
		  INT64_MIN, 1.5f, -0.1, (void *)0x1a, "a\"b\\c\n\x01");
	ACT_TYPES(0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0 / 3, NULL, NULL);
	return 0;
}

/*
 * Strings with all kinds of bytes, long strings, and addresses that are not
 * those of strings.
 */
ACT(text)
{
	static char large[10000];
	char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	memset(large, 'x', sizeof(large) - 1);
	ACT_TEXT("");
	ACT_TEXT("gr\303\274n");
	ACT_TEXT("\377\033[31m");
	ACT_TEXT(large);
	ACT_TEXT(page);
	ACT_TEXT((char *)1);
	ACT_TEXT(NULL);
	return 0;
}

/* Fires once, and much later again with a line longer than the first. */
ACT(late)
{
	static char large[1100];

	memset(large, '\377', sizeof(large) - 1);
	ACT_TEXT("");
	usleep(50000);
	ACT_TEXT(large);
	return 0;
}

ACT(steps)
{
	int count = atoi(argument), i;

	for (i = 1; i <= count; i++)
		ACT_STEP(i);
	puts("done");
	return 0;
}

enum { THREADS = 8 };
static int per_thread;

static void *work(void *number)
{
	static const char *const texts[] = { "a", "longer", "the longest" };
	int thread = (int)(intptr_t)number, i;

	for (i = 0; i < per_thread; i++)
		ACT_WORK(thread, i, texts[i % 3]);
	return NULL;
}

ACT(threads)
{
	pthread_t thread[THREADS];
	intptr_t i;

	per_thread = atoi(argument);
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

/* Stops the tracer before the threads fire; the test lets it go on. */
ACT(starve)
{
	kill(getppid(), SIGSTOP);
	return threads(argument);
}
