/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads hits and reports them, in the same way wherever they come from: a
 * command, a process, a snapshot or a dump.
 */
#ifndef SDTKIT_TOOL_TRACE_FOLLOW_H
#define SDTKIT_TOOL_TRACE_FOLLOW_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct sdtkit_record_item;
struct sdtkit_record_reader;
struct tracing;
struct tracing_source;

/* What differs; a function may be NULL. */
struct tracing_source_kind {
	/* Takes one of the signals that are waited for. */
	void (*take_signal)(struct tracing_source *source,
			    const siginfo_t *info);
	/* Called before each look at the rings, sets is_over. Not NULL. */
	void (*look)(struct tracing_source *source);
	/* Called before the first hits are reported, and often after that. */
	void (*say)(struct tracing_source *source);
	bool (*is_wanted)(struct tracing_source *source,
			  const struct sdtkit_record_item *item);
};

struct tracing_source {
	const struct tracing_source_kind *kind;
	struct tracing *tracing;
	struct sdtkit_record_reader *reader;
	/* The signals that are waited for; they are blocked. */
	sigset_t signals;
	/*
	 * The file is that of a recorder which goes on: what was written last
	 * and what was lost in it is not asked for.
	 */
	bool is_shared;
	/* There will be no more hits. */
	bool is_over;
	/* A signal has ended the trace. */
	bool told_to_end;
	int ticks_before;	/* of a blocked output, before that */
	/* Why the reader has ended, which was said; 0: it has not. */
	int error;
	/* How many lost hits have been reported where they are missing. */
	uint64_t marked;
};

/* The signals that end a trace. */
void tracing_ending_signals(sigset_t *signals);

/* Takes the signals that are there. */
void tracing_take_signals(struct tracing_source *source);

/* Whether no more hits are to be reported: the output failed, or -n. */
bool tracing_is_full(const struct tracing *tracing);

/* From the beginning of the report until all hits are in it. */
void tracing_follow(struct tracing_source *source);

#endif /* SDTKIT_TOOL_TRACE_FOLLOW_H */
