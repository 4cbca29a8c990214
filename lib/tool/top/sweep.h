/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes spans under way whose processes are gone. */
#ifndef SDTKIT_TOOL_TOP_SWEEP_H
#define SDTKIT_TOOL_TOP_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "top/engine.h"
#include "top/plan.h"

bool sweep_begin(const struct engine *engine);

/* To be polled for input: turn_is_due() has become true. */
int sweep_fd(void);

/* How many of a span were under way and were removed. */
unsigned long long sweep_removed(unsigned int span);

/* Calls for each entry of a map of spans under way, by key. */
void sweep_entries(int map, size_t value_size,
		   void (*each)(const struct top_key *key, const void *value,
				void *context), void *context);

/* To be called a few times a second; now: whatever it costs. */
void sweep(struct engine *engine, const struct plan *plan, bool now);

/* Removes what is under way of spans, a bit for each, that are let go. */
void sweep_spans(struct engine *engine, const struct plan *plan,
		 unsigned long long spans);

#endif /* SDTKIT_TOOL_TOP_SWEEP_H */
