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

/* What the rest of the command needs of the skeleton. */
struct engine {
	int rows;			/* descriptors of maps */
	int few;
	int texts;
	int stats;
	int rates;
	int opens;
	struct top_slot *slots;
	int values;
	int lines;
	int samples;
	int gone;
	unsigned long long *began;	/* 0: the programs do nothing */
	volatile unsigned int *report;
	const volatile unsigned long long *lost_lines;
	const volatile unsigned long long *lost_samples;
	unsigned long long *elsewhere;	/* in opens */
	unsigned long long began_ns;
};

struct engine_options {
	pid_t pid;			/* 0: all processes */
	double slow_ms;			/* 0: no lines */
	unsigned int hertz;		/* of samples; 0: none */
};

/* Loads and attaches them. Returns false after a complaint. */
bool engine_start(struct engine *engine, const struct plan *plan,
		  const struct found *found,
		  const struct engine_options *options);

/* The programs do nothing from now on. */
void engine_stop(struct engine *engine);

unsigned long long engine_now(void);

#endif /* SDTKIT_TOOL_TOP_ENGINE_H */
