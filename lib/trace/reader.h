/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells writers of a ring whether its reader still exists. The ring contains a
 * robust futex, into which the kernel writes when the thread that reads is
 * gone, however it ended.
 *
 *	sdtkit trace			traced processes
 *	ring->reader_futex = 4710
 *	killed: 4710 | OWNER_DIED  -->	sdtkit_reader_is_gone()
 *
 * Process numbers are not sufficient: in another PID namespace they mean other
 * processes, and they are used again.
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

/* Async-signal-safe: only reads memory. */
bool sdtkit_reader_is_gone(struct sdtkit_ring *ring);

#endif /* SDTKIT_TRACE_READER_H */
