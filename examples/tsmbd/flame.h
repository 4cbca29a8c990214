/* SPDX-License-Identifier: BSD-2-Clause */
/* The flame graph: what the CPUs execute for each command. */
#ifndef TSMBD_FLAME_H
#define TSMBD_FLAME_H

#include <stdbool.h>
#include <stddef.h>

struct tsmbd;	/* the skeleton */

/* Starts taking samples on each CPU. Exits with a message if that fails. */
void flame_attach(struct tsmbd *skel, unsigned int hertz);

/* Adds a sample; a callback for the ring buffer of libbpf. */
int flame_sample(void *context, void *data, size_t size);

/*
 * Writes the picture to a file; lost is the number of samples that did not fit
 * into the ring buffer. On failure it prints a message and returns false.
 */
bool flame_write(const char *path, unsigned long long lost);

#endif /* TSMBD_FLAME_H */
