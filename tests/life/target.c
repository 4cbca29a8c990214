/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.c - a program that is traced. It carries out commands, which are lines
 * of its input or its arguments:
 *
 *	batch N		N hits, half of them in each of its two files
 *	spin		hits in one loop until SIGUSR1; answers at once
 *	open FILE	loads the library with dlopen()
 *	guest N		N hits in the library
 *	close		unloads it
 *	fork		from now on a child obeys, and the program waits for it
 *	exit		ends the child, or the program
 *
 * It answers each with "SEEN SEMAPHORE": in how many rounds the probe was
 * enabled, and the value of the semaphore now (of the library's, after guest).
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SDT_BEFORE
#include <sys/sdt.h>
#endif
#include HEADER
#ifdef SDT_AFTER
#include <sys/sdt.h>
#endif

#include "work.h"

static volatile sig_atomic_t stop;
static long number;
static void *library;

static void stop_handler(int signum)
{
	(void)signum;
	stop = 1;
}

static long batch(long rounds)
{
	long seen = 0;
	long i;

	for (i = 0; i < rounds / 2; i++) {
		seen += LIFE_ROUND_ENABLED() != 0;
		LIFE_ROUND(number);
		number++;
	}
	return seen + work(rounds - rounds / 2, &stop, &number);
}

static long spin(void)
{
	long seen;

	stop = 0;
	puts("spinning");
	fflush(stdout);
	seen = work(LONG_MAX, &stop, &number);
	stop = 0;
	return seen;
}

static void *symbol(const char *name)
{
	void *address = library == NULL ? NULL : dlsym(library, name);

	if (address == NULL) {
		fprintf(stderr, "%s: %s\n", name, dlerror());
		exit(1);
	}
	return address;
}

static long guest(long rounds, int *semaphore)
{
	guest_work_t *guest_work = (guest_work_t *)symbol("guest_work");
	guest_semaphore_t *value =
		(guest_semaphore_t *)symbol("guest_semaphore");
	long seen = guest_work(rounds, &number);

	*semaphore = value();
	return seen;
}

/* Returns at once in the child, and in the parent when the child has ended. */
static void fork_child(void)
{
	int status = 1;
	pid_t pid = fork();

	if (pid > 0)
		waitpid(pid, &status, 0);
	if (pid != 0 && status != 0)
		fprintf(stderr, "the child ended with %#x\n", status);
}

static bool obey(const char *line)
{
	int semaphore = -1;
	char file[4096];
	long seen = 0;
	long rounds;

	if (sscanf(line, "batch%*1[ =]%ld", &rounds) == 1) {
		seen = batch(rounds);
	} else if (strcmp(line, "spin") == 0) {
		seen = spin();
	} else if (sscanf(line, "open %4095s", file) == 1) {
		library = dlopen(file, RTLD_NOW);
		if (library == NULL)
			fprintf(stderr, "%s\n", dlerror());
	} else if (sscanf(line, "guest %ld", &rounds) == 1) {
		seen = guest(rounds, &semaphore);
	} else if (strcmp(line, "close") == 0) {
		dlclose(library);
	} else if (strcmp(line, "fork") == 0) {
		fork_child();
	} else if (strcmp(line, "exit") == 0) {
		exit(0);
	} else {
		fprintf(stderr, "what is '%s'?\n", line);
		return false;
	}
	if (semaphore < 0)
		semaphore = life_round_semaphore;
	printf("%ld %d\n", seen, semaphore);
	fflush(stdout);
	return true;
}

int main(int argc, char **argv)
{
	char line[4200];
	int i;

	signal(SIGUSR1, stop_handler);
	for (i = 1; i < argc; i++) {
		if (!obey(argv[i]))
			return 2;
	}
	while (argc == 1 && fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (!obey(line))
			return 2;
	}
	return 0;
}
