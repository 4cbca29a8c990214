/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of sdtkit top. */
#ifndef SDTKIT_TOOL_TOP_OPTIONS_H
#define SDTKIT_TOOL_TOP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/options.h"

struct options {
	pid_t pid;			/* 0: not given */
	const char *name;		/* of processes, or NULL */
	const char *file;		/* or NULL */
	const char *by;			/* or NULL */
	unsigned long long interval_ns;	/* 0: only one report */
	unsigned long long count;	/* of reports; 0: no limit */
	unsigned long long wait_ns;	/* 0: until a signal comes */
	const char *heatmap;		/* or NULL */
	const char *flame;		/* or NULL */
	enum tool_via via;
	unsigned int hertz;		/* of its samples; 0: there are none */
	double slow_ms;			/* 0: no lines */
	bool histograms;
	bool json;
	bool quiet;			/* not to say that it begins */
	bool plain;			/* not the screen */
	char **words;			/* names of spans, patterns of probes */
	size_t num_words;
};

/*
 * Reads the command line; spans of --span go to the catalogue. Returns what
 * tool_option() returns: -1, or TOOL_HELPED or TOOL_MISUSED.
 */
int options_read(int argc, char **argv, struct options *options);

#endif /* SDTKIT_TOOL_TOP_OPTIONS_H */
