/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * churn.c - does what the lines of its standard input say, and answers each.
 *
 *	queries COUNT		in two threads, some 5000 in a second, each with
 *				another number
 *	loads COUNT		one after another, each of another path, with two
 *				sums: its number, and a thousand times its number
 *	begin, end		one query that lasts from one line to the other, and
 *				one that is a span of the thread
 *	work RATE STEPS MS	for some time: so many queries in a second, each
 *				with so many steps; RATE 0: as many as it can
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/base/clock.h"
#include "churn_probes.h"

enum { THREADS = 2 };

struct thread {
	pthread_t thread;
	unsigned long number;
	unsigned long count;
};

static uint64_t now_ns(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

static void *query(void *data)
{
	static _Atomic unsigned long last;
	const struct thread *t = data;
	char text[64];
	unsigned long i;

	for (i = 0; i < t->count; i++) {
		snprintf(text, sizeof(text), "select %lu", ++last);
		CHURN_QUERY_START(t->number, text);
		CHURN_QUERY_DONE(t->number);
		if (i % 8 != 0)
			continue;
		CHURN_QUERY_START(t->number, "select hot");
		CHURN_QUERY_DONE(t->number);
		usleep(3000);
	}
	return NULL;
}

static void query_all(unsigned long count)
{
	struct thread threads[THREADS];
	unsigned long i;

	for (i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){ .number = i + 1,
			.count = count / THREADS };
		pthread_create(&threads[i].thread, NULL, query, &threads[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].thread, NULL);
}

static void load_all(unsigned long count)
{
	char path[64];
	unsigned long i;

	for (i = 1; i <= count; i++) {
		snprintf(path, sizeof(path), "/path/%lu", i);
		CHURN_LOAD_START(i, path);
		CHURN_LOAD_DONE(i, i, 1000 * i);
	}
}

/* Some milliseconds of the processor: hits of a query are little beside it. */
static void compute(void)
{
	volatile unsigned int sum = 0;
	unsigned int i;

	for (i = 0; i < 2000000; i++)
		sum += i;
}

static unsigned long work(unsigned long rate, unsigned long steps,
			  unsigned long ms)
{
	uint64_t start = now_ns();
	uint64_t end = start + ms * 1000000;
	unsigned long count, i;
	uint64_t due;

	for (count = 0; now_ns() < end; count++) {
		CHURN_QUERY_START(1, "select work");
		compute();
		for (i = 0; i < steps; i++) {
			CHURN_STEP_START(i);
			CHURN_STEP_DONE(i);
		}
		CHURN_QUERY_DONE(1);
		due = rate == 0 ? 0 : start + (count + 1) * 1000000000 / rate;
		while (rate != 0 && now_ns() < due)
			usleep((useconds_t)((due - now_ns()) / 1000 + 1));
	}
	return count;
}

static void begin(void)
{
	CHURN_QUERY_START(99, "select from afar");
	CHURN_CALL_START("call from afar");
}

static void end(void)
{
	CHURN_CALL_DONE();
	CHURN_QUERY_DONE(99);
}

int main(void)
{
	unsigned long count = 0, rate, steps, ms;
	char line[128];

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (sscanf(line, "queries %lu", &count) == 1)
			query_all(count);
		else if (sscanf(line, "loads %lu", &count) == 1)
			load_all(count);
		else if (sscanf(line, "work %lu %lu %lu", &rate, &steps,
				&ms) == 3)
			count = work(rate, steps, ms);
		else if (strcmp(line, "begin\n") == 0)
			begin();
		else if (strcmp(line, "end\n") == 0)
			end();
		printf("%lu\n", count);
		fflush(stdout);
	}
	return 0;
}
