/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of hit.bpf.c, loaded and attached. */
#ifndef SDTKIT_TOOL_TOP_ENGINE_H
#define SDTKIT_TOOL_TOP_ENGINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/uprobe/find.h"
#include "top/hit.h"
#include "top/plan.h"

struct bpf_map;
struct report;

enum { ENGINE_TEXTS = 3 };

/* What has counted instead of the programs in the kernel. */
struct engine_source {
	/*
	 * Adds what is new since the last call to rows of spans, and appends to
	 * totals those of all spans of the plan, since the beginning.
	 */
	void (*read)(const struct plan *plan, struct report *spans,
		     struct report *totals);
	/* Sets a text of a name by its hash; false: it is not kept. */
	bool (*text)(unsigned long long hash, struct top_text *text);
};

/* What the rest of the command needs of the skeleton. */
struct engine {
	const struct engine_source *source;	/* NULL: the kernel; counters.h */
	int rows;			/* descriptors of maps */
	int rows_now;			/* has the one above */
	int few;
	int texts[ENGINE_TEXTS];	/* the present one, and older ones */
	int texts_now;
	int stats;
	int rates;
	int opens;
	struct top_slot *slots;
	struct top_values *slot_values;	/* NULL without --slow */
	int values;
	int lines;
	int samples;
	int gone;
	int costs;
	unsigned long long *began;	/* 0: the programs do nothing */
	volatile unsigned int *sampling;
	volatile unsigned int *report;
	const volatile unsigned long long *lost_lines;
	const volatile unsigned long long *lost_strings;
	const volatile unsigned long long *lost_samples;
	unsigned long long *elsewhere;	/* in opens */
	volatile unsigned int *gone_unknown;	/* see sweep.c */
	volatile unsigned int *epochs;	/* of stacks: when all is forgotten */
	double trap_ns;			/* of a hit, see attach.h */
	unsigned int *rows_used;	/* entries; see turn.h */
	unsigned int *texts_used;
	size_t num_spans;
	bool turns;			/* names leave it, see turn.h */
	unsigned long long began_ns;
};

struct engine_options {
	pid_t pid;			/* 0: all processes */
	double slow_ms;			/* 0: no lines */
	unsigned int hertz;		/* of samples; 0: none */
	bool samples_later;		/* not before engine_sample() */
	/* Only processes that are in one of these mount namespaces, */
	const unsigned int *mounts;
	size_t num_mounts;		/* at most TOP_MOUNTS; 0: in any */
	bool without_mounts;		/* or in none of them */
	bool parts;			/* spans may be let go, see attach.h */
};

/* Loads and attaches them. Returns false after a complaint. */
bool engine_start(struct engine *engine, const struct plan *plan,
		  const struct found *found,
		  const struct engine_options *options);

/* Adds the rows for names that do not fit. Returns 0 or -errno. */
int engine_add_others(int rows, size_t num_spans);

/* Samples are taken from now on, or none. */
void engine_sample(struct engine *engine, bool wanted);

/* The programs do nothing from now on. */
void engine_stop(struct engine *engine);

unsigned long long engine_now(void);

#endif /* SDTKIT_TOOL_TOP_ENGINE_H */
