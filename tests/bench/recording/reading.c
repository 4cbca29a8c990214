/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reading THREADS HITS - fires so many hits in each of the threads, of two
 * probes in turns: one with a number, one with a string of 12 bytes.
 */
#include <pthread.h>
#include <stdlib.h>

#include "reading.h"

static char text[] = "jerry mouse!";
static long hits;

static void *run(void *argument)
{
	for (long n = 0; n < hits; n += 2) {
		READING_NUMBER(n * 1000);
		READING_TEXT(text);
	}
	return argument;
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? atol(argv[1]) : 1;
	pthread_t all[threads];

	hits = argc > 2 ? atol(argv[2]) : 0;
	for (long i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, run, NULL);
	for (long i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
	return 0;
}
