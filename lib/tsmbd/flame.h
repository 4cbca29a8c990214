/* SPDX-License-Identifier: BSD-2-Clause */
/* The flame graph: what the CPUs execute for each command. */
#ifndef TSMBD_FLAME_H
#define TSMBD_FLAME_H

#include <stdbool.h>
#include <stddef.h>

struct flamegraph;
struct tsmbd;	/* the skeleton */

enum { FLAME_GRAPHS = 4 };		/* of flame_begin() */

/*
 * Takes samples on each CPU, now or between flame_begin() and flame_end() only.
 * Exits with a message if that fails.
 */
void flame_attach(struct tsmbd *skel, unsigned int hertz, bool now);

/*
 * Begins another flame graph, of the samples from now on; returns NULL if there
 * are too many.
 */
struct flamegraph *flame_begin(void);

/* Releases it. */
void flame_end(struct flamegraph *graph);

/* Adds a sample; a callback for the ring buffer of libbpf. */
int flame_sample(void *context, void *data, size_t size);

/*
 * Writes the picture to a file; lost is the number of samples that did not fit
 * into the ring buffer. On failure it prints a message and returns false.
 */
bool flame_write(const char *path, unsigned long long lost);

/* What the samples have made so far. */
const struct flamegraph *flame_graph(void);

#endif /* TSMBD_FLAME_H */
