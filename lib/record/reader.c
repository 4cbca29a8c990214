/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See reader.h, and Documentation/locking/robust-futexes.rst of Linux: when a
 * thread ends, the kernel goes through a list that the thread has registered,
 * and marks each futex in it that has the thread's number.
 *
 *	head --> entry --> head		in the memory of the reader
 *	entry + futex_offset		&file->reader, in shared memory
 *
 * The list is not in shared memory, so a program that overwrites the file
 * cannot lead the kernel astray.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reader.h"

enum {
	/*
	 * The longest wait for a reader whose end the kernel does not report.
	 */
	PATIENCE_UNSEEN_MS = 1000,
};

static _Thread_local struct robust_list_head head;
static _Thread_local struct robust_list entry;

void sdtkit_record_begin_reading(struct sdtkit_record_file *file)
{
	entry.next = &head.list;
	head.list.next = &entry;
	head.futex_offset = (long)((char *)&file->reader - (char *)&entry);
	if (syscall(SYS_set_robust_list, &head, sizeof(head)) == 0)
		atomic_store(&file->reader, (uint32_t)syscall(SYS_gettid));
	else if (file->patience_ms > PATIENCE_UNSEEN_MS)
		file->patience_ms = PATIENCE_UNSEEN_MS;
}

void sdtkit_record_end_reading(struct sdtkit_record_file *file)
{
	head.list.next = &head.list;
	atomic_store(&file->reader, FUTEX_OWNER_DIED);
}
