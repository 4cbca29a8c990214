/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a hit waits for the reader of a full ring. */
#ifndef SDTKIT_TRACE_PATIENCE_H
#define SDTKIT_TRACE_PATIENCE_H

#include <stddef.h>
#include <stdint.h>

struct sdtkit_ring;

/*
 * Reserves an entry of the ring, which was full, as sdtkit_ring_reserve() does.
 * While the reader gets on, however slowly, this waits, so that a busy machine
 * loses nothing.  If the reader takes nothing because its output is blocked,
 * this waits as long as the user wants.  If the reader is gone, or the program
 * is to end, it returns NULL: the hit is lost.
 */
void *sdtkit_patience_reserve(struct sdtkit_ring *ring, size_t size,
			      uint32_t tid);

#endif /* SDTKIT_TRACE_PATIENCE_H */
