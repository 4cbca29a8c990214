/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What has become of a thread that was writing a record, by its number:
 *
 *	/proc/4711/stat		4711 (server) Z ...	gone
 *				4711 (server) T ...	stopped
 *
 * Threads whose numbers nobody knows, in a PID namespace with a /proc of its
 * own, write with the number of this process.  They count as stopped when they
 * have taken a second for what takes microseconds.
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
	/* Milliseconds: what an unknown thread may take at most ... */
	PATIENCE = 1000,
	/* ... and between two looks, or else this process was stopped. */
	GAP_MAX = 200,
};

/* The letter of proc_pid_stat(5); 0: there is none. */
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

/* Looks that follow each other are for the same record. */
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
		/* Its parent has not waited for it, but it will not write. */
		return SDTKIT_RING_GONE;
	case 'T':
	case 't':
		return SDTKIT_RING_STOPPED;
	default:
		return SDTKIT_RING_WRITES;
	}
}
