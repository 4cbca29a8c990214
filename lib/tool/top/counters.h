/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Spans that processes count by themselves, with their recorders, as the source
 * of an engine: lib/count. The processes that write to one file are one counter.
 */
#ifndef SDTKIT_TOOL_TOP_COUNTERS_H
#define SDTKIT_TOOL_TOP_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/count/read.h"
#include "top/engine.h"
#include "top/plan.h"

struct counter {
	struct counter *next;		/* that was opened before */
	pid_t pid;			/* the process that led to it first */
	struct sdtkit_count_reader *reader;
	const struct sdtkit_count_counts *counts;
	int span[SDTKIT_COUNT_SPANS];	/* in the plan, or -1 */
	size_t num_spans;		/* of the plan, that it has */
	bool failed;			/* is not read any more */
	unsigned int unused;		/* for the caller */
	/* What was read before: NULL, nothing. */
	struct report *before;
	struct top_stats stats[SDTKIT_COUNT_SPANS];
	unsigned long long lost;
};

/*
 * Asks a process for its counts; if it does not count yet, to count the spans of
 * the plan. Reports have what it has counted from now on, or from its beginning
 * if that was after a time of CLOCK_MONOTONIC, in nanoseconds. Returns the
 * counter, which another process may have led to before, or NULL: then
 * counters_error() says why.
 */
struct counter *counters_open(const struct plan *plan, pid_t pid,
			      unsigned long long since);
const char *counters_error(void);

/* The counter that was opened last, or NULL. */
struct counter *counters_first(void);

/* Closes one that was read a last time: what is under way there has ended. */
void counters_close(const struct plan *plan, struct counter *counter);

/*
 * Makes an engine of the counters. If one cannot be read, that is said; strict:
 * and it ends the command.
 */
void counters_begin(struct engine *engine, bool strict);

/* Hits that were lost, as recorders had no room for the threads. */
unsigned long long counters_lost(void);

#endif /* SDTKIT_TOOL_TOP_COUNTERS_H */
