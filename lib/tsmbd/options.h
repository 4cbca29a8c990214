/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of tsmbd: parse.h reads them. */
#ifndef TSMBD_OPTIONS_H
#define TSMBD_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "history/options.h"
#include "http/options.h"
#include "incident/options.h"
#include "metrics/options.h"
#include "page/options.h"
#include "service/options.h"
#include "settings/table.h"
#include "tsmbd.h"

enum { TSMBD_MAX_FILES = 64 };

enum tsmbd_order { TSMBD_BY_REQUESTS = 1, TSMBD_BY_BYTES, TSMBD_BY_TIME,
	TSMBD_BY_ERRORS };

struct options {
	pid_t pid;			/* and its children; 0: all */
	const char *name;		/* of the processes to look for */
	struct texts files;
	unsigned int node;		/* of a cluster, + 1; 0: not given */
	bool calls;			/* a table of all system calls */
	bool distributions;
	unsigned long long interval;	/* nanoseconds, 0: one report */
	unsigned int count;		/* reports, 0: until a signal */
	bool json;
	unsigned int tops;		/* a bit for each enum tsmbd_kind */
	unsigned int sink_tops;		/* likewise; not printed: for sinks */
	bool share_commands;		/* shares by command, for sinks */
	unsigned int top_order;		/* enum tsmbd_order, or 0 */
	unsigned int top_lines;
	bool slow;
	double slow_ms;
	bool errors;
	bool exits;
	bool oplocks;
	/* names, of which only requests are counted; but TSMBD_FILES */
	struct texts filters[TSMBD_KINDS];
	unsigned int commands;		/* a bit for each that is counted */
	const char *heatmap;
	const char *flame;
	unsigned int hertz;		/* of its samples */
	/* what sinks need, and nobody prints: options_need() */
	bool sink_slow;			/* lines of slow requests, */
	double sink_slow_ms;		/* from here on */
	bool sink_waits;		/* who waited for whom */
	bool sink_samples;		/* flame_begin() will be called */
	struct service_options service;
	struct history_options history;
	struct http_options http;
	struct metrics_options metrics;
	struct incident_options incident;
	struct page_options page;
};

/* Whether lines are printed as things happen. */
bool options_lines(const struct options *options);

/* Whether a line of this time is printed: the kernel may send more. */
bool options_prints_slow(const struct options *options,
			 unsigned long long ns);

/* The least time of a request that has a line, in milliseconds; -1: none. */
double options_slow_ms(const void *options);

/* Adds what sinks need. */
struct sink_needs;
void options_need(void *options, const struct sink_needs *needs);

/* The optional tables that are printed: a bit for each enum smbd_table. */
unsigned int options_tables(const void *options);

/* Whether only some requests are counted. */
bool options_filter(const void *options);

/* The names by which requests are counted: a bit for each enum tsmbd_kind. */
unsigned int options_tops(const struct options *options);

/*
 * Returns options as these, with which all that is known is printed; the caller
 * releases them.
 */
void *options_complete(const void *options, bool json);

#endif /* TSMBD_OPTIONS_H */
