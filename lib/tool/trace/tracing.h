/* SPDX-License-Identifier: BSD-2-Clause */
/* sdtkit trace: what is wanted, and what has come of it. */
#ifndef SDTKIT_TOOL_TRACING_H
#define SDTKIT_TOOL_TRACING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/patterns.h"

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

#endif /* SDTKIT_TOOL_TRACING_H */
