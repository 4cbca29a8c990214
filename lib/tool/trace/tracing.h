/* SPDX-License-Identifier: BSD-2-Clause */
/* What sdtkit trace was asked for, and what has been traced so far. */
#ifndef SDTKIT_TOOL_TRACING_H
#define SDTKIT_TOOL_TRACING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/options.h"
#include "common/patterns.h"

struct interface;

/* Exit statuses of sdtkit trace itself, as those of env(1). */
enum {
	/* Lines could not be written. */
	TRACING_NOT_WRITTEN = 1,
	/* sdtkit trace itself has failed. */
	TRACING_TROUBLE = 125,
	/* COMMAND was found, but cannot be executed or traced. */
	TRACING_CANNOT = 126,
	TRACING_NOT_FOUND = 127,
	TRACING_SIGNAL = 128,
};

enum tracing_time {
	/* Seconds since the start, or since the line before. */
	TIME_START,
	TIME_DELTA,
	/* Time of day; seconds since 1970. */
	TIME_CLOCK,
	TIME_EPOCH,
	TIME_NONE,
};

struct tracing {
	/* Without filters. None: all probes but those of the C library. */
	struct patterns patterns;
	/* NULL: standard error, or standard output if there is no COMMAND. */
	const char *path;
	/* The directory of a trace in the Common Trace Format, or NULL. */
	const char *ctf;
	bool json;
	bool count;
	bool no_children;
	/* Print nothing at the start. */
	bool quiet;
	enum tracing_time time;
	uint32_t string_limit;
	/* How long a hit waits while the output is blocked; milliseconds. */
	uint32_t patience_ms;
	/* It was given on the command line. */
	bool waits;
	/* Stop after so many hits, and after this time; 0: no limit. */
	unsigned long long max;
	unsigned long long wait_ns;
	bool is_over_time;
	/*
	 * The arguments of COMMAND, or the name of the program that a recording
	 * is of; ends with NULL.
	 */
	char **command;

	/* An option that has a meaning for COMMAND only, or NULL. */
	const char *of_command;

	/*
	 * Instead of COMMAND: the process, or if it is 0 the file, whose
	 * recorder is read; and whether that ends with what it has now.
	 */
	pid_t pid;
	const char *file;
	/* Instead of a process: all that are called so; NULL: none. */
	const char *name;
	/* How the hits of processes that run already are got. */
	enum tool_via via;
	/* Of probes that the files do not describe themselves. */
	struct interface *description;
	size_t description_count;
	size_t description_capacity;
	/* The patterns with their filters; NULL: of a snapshot. */
	char *asked;
	bool is_snapshot;

	/*
	 * The time of the start, in nanoseconds of CLOCK_MONOTONIC and since
	 * 1970.
	 */
	uint64_t start;
	uint64_t start_epoch;
	uint64_t hits;
	uint64_t lost;
};

/* Whether hits of others are read, instead of running a command. */
static inline bool tracing_is_reading(const struct tracing *tracing)
{
	return tracing->pid != 0 || tracing->name != NULL ||
	       tracing->is_snapshot || tracing->via != TOOL_VIA_ANY;
}

/* What the report says of a trace when it is over. */
struct tracing_ending {
	/* The exit status of COMMAND. */
	int status;
	/* How many sites could not be traced. */
	uint64_t left_out;
	/* How many sites have a trap instead of a jump; -1: not known. */
	int64_t traps;
};

#endif /* SDTKIT_TOOL_TRACING_H */
