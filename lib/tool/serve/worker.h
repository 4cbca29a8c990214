/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A worker counts the spans of one program, in a process of its own, by what
 * sdtkit top has: programs in the kernel, or the recorders of all processes of
 * the program. If the program is broken or hostile, only its worker suffers.
 */
#ifndef SDTKIT_TOOL_SERVE_WORKER_H
#define SDTKIT_TOOL_SERVE_WORKER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/options.h"
#include "lib/settings/table.h"
#include "serve/discover.h"

/* What a worker is to count. */
struct worker_job {
	const struct discover *discover;
	const struct discover_group *group;	/* the program, its files */
	const char *by;			/* as --by of sdtkit top, or NULL */
	const char *word[SETTING_MAX_TEXTS];	/* spans, patterns; none: all */
	size_t num_words;
	const char *span[SETTING_MAX_TEXTS];	/* as --span */
	size_t num_spans;
	enum tool_via via;
	bool kernel;			/* lets this service trace */
	unsigned long long since;	/* as for counters_open() */
	double slow_ms;			/* 0: no slow spans */
	bool needs_slow;		/* they were asked for */
	unsigned int budget;		/* percent; 0: no limit */
	bool samples;			/* may be asked for */
	int loading;			/* a worker locks it to load */
	bool names;			/* of spans, in flame graphs */
};

enum { WORKER_PIDS = 512 };		/* the most that are asked */

struct worker_order {
	unsigned long long cpu_ns;	/* of the program, since the last one */
	bool looked;			/* that is known, and its processes: */
	unsigned int num_pids;
	pid_t pid[WORKER_PIDS];
	bool samples;			/* are to be taken from now on */
};

/*
 * To be called in a child process. Sends reports and rows of SERVE_SLOW to fd,
 * as lib/service/link.h has them, and a flame graph of each second in which
 * samples are taken, until the other side closes it. That side sends struct
 * worker_order. Returns the exit status.
 */
int worker(const struct worker_job *job, int fd);

#endif /* SDTKIT_TOOL_SERVE_WORKER_H */
