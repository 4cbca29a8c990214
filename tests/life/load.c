/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * load.c - a program under load whose probes are switched on and off.
 *
 *	load LIBRARY
 *
 * 16 threads hit the probes beat0 to beat7, each thread one of them, without a
 * pause. Meanwhile, until the input ends, the main thread loads the library,
 * hits the probe round in it and unloads it, and forks children that hit all of
 * beat0 to beat7. Each thread numbers its hits. At the end the program prints
 *
 *	HITS CHILDREN OPENS SEMAPHORES
 *
 * which are the hits of the threads, how many children ended with success, how
 * often the library was loaded, and the sum of all semaphores of the program
 * and of the library.
 */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include HEADER

#include "work.h"

enum {
	NUM_PROBES = 8,
	NUM_THREADS = 16,
	CHILD_HITS = 500,	/* of each probe */
	GUEST_HITS = 500,
};

static volatile sig_atomic_t stop;

#define BEAT(n)								\
	static long beat##n(long number, long end)			\
	{								\
		for (; number < end && !stop; number++)			\
			LIFE_BEAT##n(number);				\
		return number;						\
	}
BEAT(0)
BEAT(1)
BEAT(2)
BEAT(3)
BEAT(4)
BEAT(5)
BEAT(6)
BEAT(7)

static long (*const beats[NUM_PROBES])(long number, long end) = {
	beat0, beat1, beat2, beat3, beat4, beat5, beat6, beat7,
};

static volatile unsigned short *const semaphores[NUM_PROBES] = {
	&life_beat0_semaphore, &life_beat1_semaphore, &life_beat2_semaphore,
	&life_beat3_semaphore, &life_beat4_semaphore, &life_beat5_semaphore,
	&life_beat6_semaphore, &life_beat7_semaphore,
};

/* data has the number of the thread, and then the number of its hits. */
static void *thread(void *data)
{
	long *number = data;

	*number = beats[*number % NUM_PROBES](0, 1L << 60);
	return NULL;
}

static bool run_child(void)
{
	int status = 1;
	pid_t pid;
	int i;

	pid = fork();
	if (pid == 0) {
		for (i = 0; i < NUM_PROBES; i++)
			beats[i](0, CHILD_HITS);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	return status == 0;
}

/* Loads the library, runs it and adds its semaphore to the sum. */
static bool run_library(const char *file, long *number, int *semaphore)
{
	void *library = dlopen(file, RTLD_NOW);
	guest_semaphore_t *value;
	guest_work_t *guest_work;
	int i;

	if (library == NULL)
		return false;
	guest_work = (guest_work_t *)dlsym(library, "guest_work");
	value = (guest_semaphore_t *)dlsym(library, "guest_semaphore");
	/* a single round is always at the same site */
	for (i = 0; i < GUEST_HITS; i++)
		guest_work(1, number);
	*semaphore = value();
	return dlclose(library) == 0;
}

static bool input_ended(void)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&input, 1, 0) != 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[NUM_THREADS];
	long numbers[NUM_THREADS];
	long children = 0, opens = 0, hits = 0, number = 0;
	int semaphore, sum, i;

	if (argc != 2)
		return 2;
	for (i = 0; i < NUM_THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, thread, &numbers[i]) != 0)
			return 1;
	}
	puts("running");
	fflush(stdout);
	do {
		if (!run_child() || !run_library(argv[1], &number, &semaphore))
			return 1;
		children++;
		opens++;
	} while (!input_ended());
	stop = 1;
	for (i = 0; i < NUM_THREADS; i++) {
		pthread_join(threads[i], NULL);
		hits += numbers[i];
	}
	/*
	 * The library may have been closed before the last tracer had let go of
	 * its semaphore.
	 */
	if (!run_library(argv[1], &number, &semaphore))
		return 1;
	sum = semaphore;
	for (i = 0; i < NUM_PROBES; i++)
		sum += *semaphores[i];
	printf("%ld %ld %ld %d\n", hits, children, opens, sum);
	return 0;
}
