/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See reader.h, and Documentation/locking/robust-futexes.rst of Linux: when a
 * thread ends, the kernel goes through a list that the thread has registered,
 * and marks each futex in it that has the thread's number.
 *
 *	head --> entry --> head		in the memory of the reader
 *	entry + futex_offset		&ring->reader_futex, in shared memory
 *
 * The list is not in shared memory, so a traced program that overwrites the
 * ring cannot lead the kernel astray.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reader.h"
#include "ring.h"

enum {
	/*
	 * The longest wait for a reader whose end the kernel does not report.
	 */
	PATIENCE_UNSEEN_MS = 1000,
};

static struct robust_list_head head;
static struct robust_list entry;

void sdtkit_reader_begin(struct sdtkit_ring *ring)
{
	entry.next = &head.list;
	head.list.next = &entry;
	head.futex_offset = (long)((char *)&ring->reader_futex -
				   (char *)&entry);
	if (syscall(SYS_set_robust_list, &head, sizeof(head)) == 0)
		atomic_store(&ring->reader_futex,
			     (uint32_t)syscall(SYS_gettid));
	else if (ring->orders.patience_ms > PATIENCE_UNSEEN_MS)
		ring->orders.patience_ms = PATIENCE_UNSEEN_MS;
}

bool sdtkit_reader_is_gone(struct sdtkit_ring *ring)
{
	return (atomic_load(&ring->reader_futex) & FUTEX_OWNER_DIED) != 0;
}
