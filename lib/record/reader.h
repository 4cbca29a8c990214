/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells those who write to a file that waits (SDTKIT_RECORD_BLOCK) whether its
 * reader still exists. The file contains a robust futex, into which the kernel
 * writes when the thread that reads is gone, however it ended.
 *
 *	the reader			a hit that finds its ring full
 *	file->reader = 4710
 *	killed: 4710 | OWNER_DIED  -->	sdtkit_record_is_over()
 *
 * Process numbers are not sufficient: in another PID namespace they mean other
 * processes, and they are used again.
 */
#ifndef SDTKIT_RECORD_READER_H
#define SDTKIT_RECORD_READER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "file.h"

/*
 * Makes the calling thread the reader of the file. A thread reads one such file
 * at a time, and must not hold robust mutexes of pthreads: their list is
 * replaced. If the kernel refuses robust futexes, the end of the reader is not
 * seen, so hits wait for a second at most.
 */
void sdtkit_record_begin_reading(struct sdtkit_record_file *file);
void sdtkit_record_end_reading(struct sdtkit_record_file *file);

/*
 * Whether no hit is wanted any more: the file was closed, or its reader is gone
 * (FUTEX_OWNER_DIED of <linux/futex.h>). Fit for the path of a hit.
 */
static inline bool sdtkit_record_is_over(struct sdtkit_record_file *file)
{
	return atomic_load(&file->closed) != 0 ||
	       (atomic_load(&file->reader) & 0x40000000) != 0;
}

#endif /* SDTKIT_RECORD_READER_H */
