/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processes that have a file, so that the last one removes it: the one that
 * opened the recorder may end first, as that of a server that goes into the
 * background.
 */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "attach.h"
#include "recorder.h"

enum {
	FORK_MS = 50,
};

/* Takes a place of this process number; 0: a free one. */
static bool take(struct sdtkit_record_file *file, uint32_t of, uint32_t pid)
{
	int i;

	for (i = 0; i < SDTKIT_RECORD_PROCESSES; i++) {
		uint32_t there = atomic_load(&file->processes[i]);

		if (there != of && (of != UINT32_MAX ||
				    !sdtkit_record_has_ended((pid_t)there)))
			continue;
		if (atomic_compare_exchange_strong(&file->processes[i], &there,
						   pid))
			return true;
	}
	return false;
}

/* If there is no place, the file stays when all have ended. */
void sdtkit_record_add_process(struct sdtkit_record_file *file)
{
	uint32_t pid = (uint32_t)getpid();

	if (!take(file, 0, pid))
		take(file, UINT32_MAX, pid);
}

/* A child may be on its way; one that was killed there is not waited for. */
static void wait_for_forks(struct sdtkit_record_file *file)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < FORK_MS && atomic_load(&file->forks) > 0; i++)
		nanosleep(&pause, NULL);
}

bool sdtkit_record_remove_process(struct sdtkit_record_file *file)
{
	uint32_t pid = (uint32_t)getpid();
	int i;

	wait_for_forks(file);
	if (!take(file, pid, 0))
		return false;
	for (i = 0; i < SDTKIT_RECORD_PROCESSES; i++) {
		uint32_t there = atomic_load(&file->processes[i]);

		if (there != 0 && !sdtkit_record_has_ended((pid_t)there))
			return false;
	}
	return true;
}
