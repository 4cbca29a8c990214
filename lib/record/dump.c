/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies the file of a recorder while threads write it. The copy has the same
 * layout; what is not used is a hole.
 *
 * Invariant: of a ring, head is read before its data are copied and limit after
 * that, so that a reader of the copy sees what it would have seen (file.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "open_recorder.h"

static int put(int to, const void *from, uint64_t size, uint64_t at)
{
	const char *bytes = from;

	while (size > 0) {
		ssize_t done = pwrite(to, bytes, size, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		bytes += done;
		at += (uint64_t)done;
		size -= (uint64_t)done;
	}
	return 0;
}

static int put_ring(struct sdtkit_record_file *file, int to, uint32_t i)
{
	uint64_t ring_at = file->rings_at +
			   i * sizeof(struct sdtkit_record_ring);
	uint64_t data_at = file->data_at + (uint64_t)i * file->ring_size;
	struct sdtkit_record_ring *ring = (struct sdtkit_record_ring *)
		(void *)((char *)file + ring_at);
	uint64_t head = atomic_load(&ring->head), size = head;
	int ret;

	if (file->mode == SDTKIT_RECORD_COUNT)
		size = ring->backed;
	if (size == 0)
		return 0;
	if (size > file->ring_size)
		size = file->ring_size;
	ret = put(to, (char *)file + data_at, size, data_at);
	if (ret == 0)
		ret = put(to, ring, sizeof(*ring), ring_at);
	if (ret == 0)
		ret = put(to, &head, sizeof(head), ring_at +
			  offsetof(struct sdtkit_record_ring, head));
	return ret;
}

static int put_header(struct sdtkit_record_file *file, int to, uint32_t signal)
{
	struct sdtkit_record_dump dump = {
		.time = sdtkit_nanoseconds(CLOCK_MONOTONIC),
		.signal = signal,
		.pid = (uint32_t)getpid(),
	};
	uint64_t used = atomic_load(&file->texts_used);
	int ret;

	if (used > file->texts_size)
		used = file->texts_size;
	/* Header, slots and texts are adjacent. */
	ret = put(to, file, file->texts_at + used, 0);
	if (ret == 0)
		ret = put(to, &dump, sizeof(dump),
			  offsetof(struct sdtkit_record_file, dump));
	return ret;
}

int sdtkit_record_write_dump(struct sdtkit_record_file *file, int to,
			     uint32_t signal)
{
	uint32_t used = atomic_load(&file->rings_used), i;
	int ret = sdtkit_record_resize(to, file->size);

	for (i = 0; ret == 0 && i < used && i < file->ring_count; i++)
		ret = put_ring(file, to, i);
	/* Behind the rings, whose events it describes. */
	return ret == 0 ? put_header(file, to, signal) : ret;
}
