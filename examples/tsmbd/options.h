/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of tsmbd. */
#ifndef TSMBD_OPTIONS_H
#define TSMBD_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

enum { TSMBD_MAX_FILES = 64 };

enum tsmbd_order { TSMBD_BY_REQUESTS, TSMBD_BY_BYTES, TSMBD_BY_TIME };

struct options {
	pid_t pid;			/* and its children; 0: all */
	const char *name;		/* of the processes to look for */
	const char *files[TSMBD_MAX_FILES];
	int num_files;
	bool calls;			/* a table of all system calls */
	bool distributions;
	unsigned int interval;		/* seconds, 0: one report */
	unsigned int count;		/* reports, 0: until a signal */
	bool json;
	unsigned int top_by;		/* enum tsmbd_top */
	bool ordered;
	unsigned int top_order;		/* enum tsmbd_order */
	unsigned int top_lines;
	bool slow;
	double slow_ms;
	bool exits;
	bool oplocks;
	const char *heatmap;
	const char *flame;
	unsigned int hertz;		/* of its samples */
};

/* Exits with a message if they make no sense. */
void options_parse(int argc, char **argv, struct options *options);

#endif /* TSMBD_OPTIONS_H */
