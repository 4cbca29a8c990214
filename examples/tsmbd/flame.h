/* SPDX-License-Identifier: BSD-2-Clause */
/* The flame graph: what the CPUs execute for each command. */
#ifndef TSMBD_FLAME_H
#define TSMBD_FLAME_H

#include <bpf/libbpf.h>

#include "symbols.h"
#include "tsmbd.h"

struct tsmbd;	/* the skeleton */

/* A function that was on a stack, and what it had called. */
struct flame {
	const char *name;
	const struct object *object;	/* NULL: the kernel, or nowhere */
	enum frame_kind kind;
	unsigned long long count;	/* samples, with those of children */
	struct flame *child;
	struct flame *next;		/* called by the same one */
};

/* Stacks that end before they reach the start of the program. */
struct flame_cut {
	const struct object *object;	/* where they end; NULL: anywhere */
	unsigned long long count;
};

enum { FLAME_CUTS = 64 };

struct flames {
	struct flame roots[TSMBD_ROOTS];
	unsigned long long samples;
	unsigned long long tracing;	/* of them in the probes */
	unsigned long long cut;
	struct flame_cut cuts[FLAME_CUTS];
	unsigned int hertz;
};

/* Starts taking samples on each CPU. Exits with a message if that fails. */
void flame_attach(struct tsmbd *skel, unsigned int hertz);

/* Adds a sample; a callback for the ring buffer of libbpf. */
int flame_sample(void *context, void *data, size_t size);

/*
 * Writes the picture to a file; lost is the number of samples that did not fit
 * into the ring buffer. On failure it prints a message and returns false.
 */
bool flame_write(const char *path, unsigned long long lost);

/* Draws the flame graph; flame_write() calls it. */
bool flame_draw(const struct flames *flames, const char *path,
		unsigned long long lost);

#endif /* TSMBD_FLAME_H */
