/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of sdtkit serve. */
#ifndef SDTKIT_TOOL_SERVE_OPTIONS_H
#define SDTKIT_TOOL_SERVE_OPTIONS_H

#include <stdbool.h>

#include "common/options.h"
#include "lib/history/options.h"
#include "lib/http/options.h"
#include "lib/incident/options.h"
#include "lib/metrics/options.h"
#include "lib/page/options.h"
#include "lib/service/options.h"
#include "lib/settings/config.h"

enum { SERVE_DISABLED = 1 };		/* the first choice of "no|yes" */
enum { SERVE_LINES = 20 };		/* of tables of names */

/* A section of the file: what is particular to a program. */
struct serve_section {
	const char *name;		/* of the program */
	const char *file;		/* with its probes; NULL: is found */
	const char *description;	/* a file, or the manifest of one */
	struct texts spans;		/* names, patterns and declarations */
	const char *by;
	unsigned int via;		/* enum tool_via; 0: that of all */
	double slow_ms;			/* 0: that of all */
	unsigned int budget;		/* percent; likewise */
	unsigned int enable;
};

/* What replay and merge print: serve/replay.h. */
struct serve_printed {
	bool json;
	bool distribution;
	bool quiet;			/* no messages about the recording */
	const char *output;		/* a file, or NULL */
	unsigned int color;		/* a word of --color */
	const char *sort;		/* a column, or "name"; NULL: by time */
	unsigned int lines;		/* of tables of names */
	unsigned int width;		/* of tables; 0: no limit */
	const char *columns;		/* that are printed; NULL: all */
	unsigned long long interval;
	unsigned int count;
	double slow_ms;
	const char *heatmap;
	char *const *words;		/* that choose rows; NULL: all */
};

struct serve_options {
	struct texts only;		/* names of programs; none: all */
	double slow_ms;
	unsigned int via;		/* enum tool_via */
	bool kernel;			/* lets this service trace */
	unsigned int budget;		/* percent; 0: no limit */
	struct sections sections;	/* struct serve_section */
	struct serve_printed printed;	/* also of incidents */
	bool sink_slow;			/* what sinks need: options_need() */
	double sink_slow_ms;
	bool sink_samples;
	struct service_options service;
	struct history_options history;
	struct http_options http;
	struct metrics_options metrics;
	struct incident_options incident;
	struct page_options page;
};

extern const struct settings serve_settings[];

bool serve_options_load(int argc, char **argv, struct config *config);
void serve_options_parse(int argc, char **argv, struct config *config,
			 void *options);

/*
 * Whether a span of a section is a declaration, "NAME: START..END key=ARG", and
 * no word.
 */
bool serve_options_declares(const char *span);

/* The least time of a slow span in milliseconds; 0: nobody asks for them. */
double serve_options_slow_ms(const void *options);

/* Returns the section of a program, or NULL. */
const struct serve_section *
serve_options_section(const struct serve_options *options,
		      const char *program);

#endif /* SDTKIT_TOOL_SERVE_OPTIONS_H */
