/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring for a new thread, or for a new process. See write.h for the rules.
 *
 * A thread does not give its ring back. Who needs one takes, of those whose
 * thread is gone, the one that was written to longest ago; its contents stay
 * until they are overwritten. So it does not matter how a thread ends.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <time.h>

#include "system.h"
#include "write.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23
#endif

static long call(long number, long a, long b, long c)
{
	return sdtkit_record_system(number, a, b, c, 0, 0, 0);
}

bool sdtkit_record_is_alive(const struct sdtkit_record_writer *writer,
			    struct sdtkit_record_ring *ring)
{
	uint64_t namespace = atomic_load((_Atomic uint64_t *)
					 (uintptr_t)&writer->pid_namespace);

	/* Numbers of another PID namespace mean other threads here. */
	if (namespace == 0 || ring->pid_namespace != namespace)
		return true;
	return call(SYS_tgkill, (long)atomic_load(&ring->pid),
		    (long)atomic_load(&ring->tid), 0) != -ESRCH;
}

bool sdtkit_record_back(unsigned char *data, size_t size)
{
	long ret = call(SYS_madvise, (long)data, (long)size,
			MADV_POPULATE_WRITE);
	size_t i;

	if (ret != -EINVAL)
		return ret == 0;
	/* Before Linux 5.14: the kernel writes into each page, or fails. */
	for (i = 0; i < size; i += SDTKIT_RECORD_PAGE) {
		uint64_t *words = (void *)(data + i);

		if (call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)words, 0)
		    != 0)
			return false;
		words[0] = words[1] = 0;
	}
	return true;
}

static struct sdtkit_record_ring *
take_new(const struct sdtkit_record_writer *writer)
{
	struct sdtkit_record_file *file = writer->file;
	uint32_t i, used;

	for (i = atomic_load(&file->rings_used); i < writer->ring_count; i++) {
		uint32_t state = SDTKIT_RECORD_FREE;

		if (!atomic_compare_exchange_strong(&writer->rings[i].state,
						    &state,
						    SDTKIT_RECORD_TAKEN))
			continue;
		if (!sdtkit_record_back(writer->data +
					(uint64_t)i * writer->ring_size,
					writer->ring_size)) {
			atomic_store(&writer->rings[i].state,
				     SDTKIT_RECORD_FREE);
			return NULL;
		}
		used = atomic_load(&file->rings_used);
		while (used <= i && !atomic_compare_exchange_weak(
				&file->rings_used, &used, i + 1))
			;
		return &writer->rings[i];
	}
	return NULL;
}

/* An earlier thread may have had the numbers of this one. */
static bool is_mine(const struct sdtkit_record_writer *writer,
		    struct sdtkit_record_ring *ring, uint32_t pid, uint32_t tid,
		    uint32_t level)
{
	uint64_t namespace = atomic_load((_Atomic uint64_t *)
					 (uintptr_t)&writer->pid_namespace);

	return namespace != 0 && ring->pid_namespace == namespace &&
	       ring->level == level && atomic_load(&ring->pid) == pid &&
	       atomic_load(&ring->tid) == tid;
}

/* The dead ring that was written to longest ago, or NULL. */
static struct sdtkit_record_ring *
find_dead(const struct sdtkit_record_writer *writer, uint32_t pid, uint32_t tid,
	  uint32_t level)
{
	uint32_t used = atomic_load(&writer->file->rings_used), i;
	struct sdtkit_record_ring *oldest = NULL;

	for (i = 0; i < used && i < writer->ring_count; i++) {
		struct sdtkit_record_ring *ring = &writer->rings[i];

		if (atomic_load(&ring->state) != SDTKIT_RECORD_USED ||
		    (oldest != NULL &&
		     atomic_load(&ring->last) >= atomic_load(&oldest->last)) ||
		    (!is_mine(writer, ring, pid, tid, level) &&
		     sdtkit_record_is_alive(writer, ring)))
			continue;
		oldest = ring;
	}
	return oldest;
}

static struct sdtkit_record_ring *
take_dead(const struct sdtkit_record_writer *writer, uint32_t pid, uint32_t tid,
	  uint32_t level)
{
	struct sdtkit_record_ring *ring;

	while ((ring = find_dead(writer, pid, tid, level)) != NULL) {
		uint32_t state = SDTKIT_RECORD_USED;

		if (!atomic_compare_exchange_strong(&ring->state, &state,
						    SDTKIT_RECORD_TAKEN))
			continue;
		/* Another thread may have taken it since it was found. */
		if (is_mine(writer, ring, pid, tid, level) ||
		    !sdtkit_record_is_alive(writer, ring))
			return ring;
		atomic_store(&ring->state, SDTKIT_RECORD_USED);
	}
	return NULL;
}

/* A process that begins: it has no lanes yet. */
static void begin_process(struct sdtkit_record_writer *writer)
{
	static _Atomic uint64_t generations = 1;
	uint64_t none = 0;
	struct stat status;

	if (atomic_load(writer->generation) != 0)
		return;
	status.st_ino = 0;
#if SDTKIT_RECORD_CALLS_KERNEL
	sdtkit_record_system(SYS_newfstatat, AT_FDCWD,
			     (long)"/proc/self/ns/pid", (long)&status, 0, 0, 0);
#else
	stat("/proc/self/ns/pid", &status);
#endif
	atomic_store(&writer->pid_namespace, status.st_ino);
	atomic_compare_exchange_strong(writer->generation, &none,
				       atomic_fetch_add(&generations, 1));
}

static bool claim(struct sdtkit_record_writer *writer,
		  struct sdtkit_record_thread *thread, uint32_t level)
{
	struct sdtkit_record_lane *lane =
		&thread->lanes[writer->index][level];
	uint32_t pid = (uint32_t)call(SYS_getpid, 0, 0, 0);
	uint32_t tid = (uint32_t)call(SYS_gettid, 0, 0, 0);
	struct sdtkit_record_ring *ring;

	begin_process(writer);
	thread->is_careful = sdtkit_record_is_careful();
	ring = take_new(writer);
	if (ring == NULL)
		ring = take_dead(writer, pid, tid, level);
	if (ring == NULL)
		return false;
	atomic_store(&ring->pid, pid);
	atomic_store(&ring->tid, tid);
	ring->level = level;
	ring->pid_namespace = atomic_load(&writer->pid_namespace);
	call(SYS_prctl, PR_GET_NAME, (long)ring->name, 0);
	lane->ring = ring;
	lane->data = writer->data + (uint64_t)(ring - writer->rings) *
				    writer->ring_size;
	lane->head = atomic_load(&ring->head);
	lane->end = 0;
	lane->events = atomic_load(&ring->events);
	atomic_store(&ring->state, SDTKIT_RECORD_USED);
	sdtkit_record_tell_owner(writer, lane);
	lane->generation = ~atomic_load(writer->generation);
	return true;
}

/* To look for a ring takes long, so not every hit does it in vain. */
bool sdtkit_record_claim(struct sdtkit_record_writer *writer,
			 struct sdtkit_record_thread *thread, uint32_t level)
{
	struct sdtkit_record_lane *lane =
		&thread->lanes[writer->index][level];
	uint64_t now = sdtkit_record_now(writer);

	if (atomic_load(&writer->file->closed))
		return false;
	if (now >= lane->again && claim(writer, thread, level))
		return true;
	if (now >= lane->again)
		lane->again = now + writer->clock_period_max / 16;
	atomic_fetch_add(&writer->file->no_ring, 1);
	return false;
}
