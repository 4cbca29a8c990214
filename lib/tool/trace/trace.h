/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit trace, in parts: what is wanted, and what has come of it. */
#ifndef SDTKIT_TOOL_TRACING_H
#define SDTKIT_TOOL_TRACING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/patterns.h"
#include "lib/trace/ring.h"
#include "sdtkit/tap.h"

/* Exit statuses beside those of COMMAND, as those of env(1). */
enum {
	/* Lines were not written. */
	TRACING_NOT_WRITTEN = 1,
	/* sdtkit trace itself has failed. */
	TRACING_TROUBLE = 125,
	/* COMMAND was found, and cannot be executed or cannot be traced. */
	TRACING_CANNOT = 126,
	TRACING_NOT_FOUND = 127,
	TRACING_SIGNAL = 128,
};

enum tracing_time {
	/* Seconds since the start, or since the line before. */
	TIME_START,
	TIME_DELTA,
	/* Of the day, and since 1970. */
	TIME_CLOCK,
	TIME_EPOCH,
	TIME_NONE,
};

struct tracing {
	/* If there are none: all probes but those of the C library. */
	struct patterns patterns;
	/* NULL: standard error. */
	const char *path;
	bool json;
	bool count;
	bool no_children;
	/* Nothing is said before the end. */
	bool quiet;
	enum tracing_time time;
	uint32_t string_limit;
	/* How long a hit waits for a reader that takes nothing; milliseconds. */
	uint32_t patience_ms;
	/* Lines; 0: no limit. */
	uint64_t max;
	/* Ends with NULL. */
	char **command;

	/* When it began, in nanoseconds of CLOCK_MONOTONIC and since 1970. */
	uint64_t start;
	uint64_t start_epoch;
	uint64_t hits;
	uint64_t lost;
};

/*
 * Whether the loader will put a library into this command.  0, or the exit
 * status after telling why not.  A command that is not there passes: whoever
 * executes it will find out.
 */
int tracing_check_command(const char *name);

/* Whether it was built with -fsanitize=address, as far as its file tells. */
bool tracing_has_asan(const char *name);

/* The ring and the environment for it, or NULL after telling why not. */
struct sdtkit_ring *tracing_set_up(const struct tracing *tracing);

/* Runs it.  Returns the exit status. */
int tracing_run(struct tracing *tracing);

/* What one of the programs had to say, or else the other. */
const char *tracing_text_of(struct sdtkit_ring_text *from, const char *other);

/* Says, once it is known, how much is traced, and which pattern is in vain. */
void tracing_say_start(const struct tracing *tracing,
		       struct sdtkit_ring *ring);

/* Notes the children that are there before COMMAND is. */
void tracing_know_strangers(void);

/* No other child is left: to be asked again and again, as one look may err. */
bool tracing_is_left_to_strangers(void);

/* What a thread is at that has not yet completed its record. */
enum sdtkit_ring_writer tracing_writer(uint32_t tid);

/* The place that lines go to. */
int tracing_open_output(const struct tracing *tracing);
void tracing_begin(struct tracing *tracing);
/* Prints or counts a hit, in the order of calls. */
void tracing_hit(struct tracing *tracing,
		 const struct sdtkit_tap_event *event);
/* A line about hits that were lost before the time of the next one. */
void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time);
/* Lines so far become visible. */
void tracing_flush(void);
/* status: that of COMMAND; the counts, if they are wanted. */
void tracing_end(struct tracing *tracing, int status, uint64_t left_out);
/* 0, or the error of the first write that failed; -EINTR: it was given up. */
int tracing_output_error(void);
/* Lines of hits that were to be written, and were not. */
uint64_t tracing_unwritten(void);
/*
 * What is asked at each tick, ten times a second, while the output takes
 * nothing, with the number of ticks so far.  False: the output is given up.
 */
void tracing_while_blocked(bool (*go_on)(void *context, int ticks),
			   void *context);

/* Between these two, a call that blocks is interrupted ten times a second. */
void tracing_ticks_start(void);
void tracing_ticks_stop(void);

/* A line without its end: only whole lines go to the output. */
void tracing_write_line(const char *data, size_t size);

/* The same for programs: docs/trace.schema.json. */
void tracing_json_begin(const struct tracing *tracing);
void tracing_json_hit(const struct tracing *tracing,
		      const struct sdtkit_tap_event *event);
void tracing_json_gap(const struct tracing *tracing, uint64_t lost,
		      uint64_t time);
void tracing_json_count(const char *provider, const char *probe,
			uint64_t hits);
void tracing_json_end(const struct tracing *tracing, int status,
		      uint64_t left_out);

/* Counts a hit; prints the counts, most hits first. */
void tracing_count(const struct sdtkit_tap_event *event);
void tracing_print_counts(const struct tracing *tracing);

#endif /* SDTKIT_TOOL_TRACING_H */
