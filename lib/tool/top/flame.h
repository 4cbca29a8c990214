/* SPDX-License-Identifier: BSD-2-Clause */
/* The flame graph of --flame: what the CPUs execute, by span. */
#ifndef SDTKIT_TOOL_TOP_FLAME_H
#define SDTKIT_TOOL_TOP_FLAME_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/uprobe/find.h"
#include "top/engine.h"
#include "top/hit.h"
#include "top/plan.h"

/*
 * Begins the picture, before the first sample. All arguments have to remain.
 * Without names, all spans of a kind are one.
 */
void flame_begin(const struct engine *engine, const struct plan *plan,
		 const struct found *found, unsigned int hertz, bool names);

/* Adds a sample of the kernel; a callback for the ring buffer of libbpf. */
int flame_add(void *context, void *data, size_t size);

/* Forgets mappings that may be outdated: to be called now and then. */
void flame_refresh(void);

/* Returns what the samples have made since the last flame_forget(). */
const struct flamegraph *flame_since(void);
void flame_forget(void);

/*
 * Writes the picture to a file; lost is the number of samples that did not fit
 * into the ring buffer. Returns false after a complaint.
 */
bool flame_write(const char *path, unsigned long long lost);

#endif /* SDTKIT_TOOL_TOP_FLAME_H */
