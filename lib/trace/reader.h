/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether the reader of a ring still exists, as its writers can tell it: by a
 * robust futex in the ring, into which the kernel writes when the thread that
 * reads is gone, however it ended.
 *
 *	sdtkit trace			traced processes
 *	ring->reader_futex = 4710
 *	killed: 4710 | OWNER_DIED  -->	sdtkit_reader_is_gone()
 *
 * Process numbers would not do: those of another PID namespace mean other
 * processes, and a number is used again.
 */
#ifndef SDTKIT_TRACE_READER_H
#define SDTKIT_TRACE_READER_H

#include <stdbool.h>

struct sdtkit_ring;

/*
 * Makes the calling thread the reader, before there are writers.  A thread may
 * do this once, and must not hold robust mutexes of pthreads: their list is
 * replaced.  If the kernel refuses robust futexes, the reader never counts as
 * gone, so writers wait for it a second at most.
 */
void sdtkit_reader_begin(struct sdtkit_ring *ring);

/* Fit for signal handlers: a look at memory. */
bool sdtkit_reader_is_gone(struct sdtkit_ring *ring);

#endif /* SDTKIT_TRACE_READER_H */
