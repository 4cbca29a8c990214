/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of a thread that was writing an entry, by its number:
 *
 *	/proc/4711/stat		4711 (server) Z ...	gone
 *				4711 (server) T ...	stopped
 *
 * In a PID namespace with a /proc of its own, threads do not know their numbers
 * outside, and write with the number of this process. Such a thread counts as
 * stopped if it takes a second for what takes microseconds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/writers.h"

enum {
	/* Milliseconds: how long an unknown thread may take ... */
	PATIENCE = 1000,
	/* ... and how long after the last look a new wait begins. */
	GAP_MAX = 200,
};

/* The state as proc_pid_stat(5) has it; 0 if there is no such thread. */
static char state_of(uint32_t tid)
{
	char path[64], text[512];
	const char *state = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	/* 4711 (name) Z ... */
	if (fgets(text, sizeof(text), file) != NULL)
		state = strrchr(text, ')');
	fclose(file);
	return state != NULL && strlen(state) > 2 ? state[2] : 0;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Looks in short succession are for the same entry. */
static enum sdtkit_ring_writer unknown_writer(void)
{
	static uint64_t first, last;
	uint64_t now = now_ms();

	if (now - last > GAP_MAX)
		first = now;
	last = now;
	return now - first > PATIENCE ? SDTKIT_RING_STOPPED :
					SDTKIT_RING_WRITES;
}

enum sdtkit_ring_writer tracing_writer(uint32_t tid)
{
	if (tid == (uint32_t)getpid())
		return unknown_writer();
	if (kill((pid_t)tid, 0) < 0 && errno == ESRCH)
		return SDTKIT_RING_GONE;
	switch (state_of(tid)) {
	case 'Z':
	case 'X':
		/* It is a zombie, so it will not write. */
		return SDTKIT_RING_GONE;
	case 'T':
	case 't':
		return SDTKIT_RING_STOPPED;
	default:
		return SDTKIT_RING_WRITES;
	}
}
