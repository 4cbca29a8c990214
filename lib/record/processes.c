/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which processes have a file, so that the last of them removes it. The process
 * that opened the recorder may end first, as it does when a server goes into
 * the background.
 */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "attach.h"
#include "recorder.h"

enum {
	FORK_MS = 50,
};

/* Replaces this process number, or one that has ended, by pid. 0 is free. */
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

/* If all elements are in use, the file stays when all processes have ended. */
void sdtkit_record_add_process(struct sdtkit_record_file *file)
{
	uint32_t pid = (uint32_t)getpid();

	if (!take(file, 0, pid))
		take(file, UINT32_MAX, pid);
}

static void end_forks(struct sdtkit_record_file *file, uint32_t count)
{
	uint32_t forks = atomic_load(&file->forks), left;

	do
		left = forks > count ? forks - count : 0;
	while (!atomic_compare_exchange_weak(&file->forks, &forks, left));
}

void sdtkit_record_end_fork(struct sdtkit_record_file *file)
{
	end_forks(file, 1);
}

/*
 * Children may be on their way. If some do not come in all that time, they were
 * killed, or the fork() has failed, which its caller does not tell.
 */
static void wait_for_forks(struct sdtkit_record_file *file)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	uint32_t least = UINT32_MAX, forks;
	int i;

	for (i = 0; i < FORK_MS; i++) {
		forks = atomic_load(&file->forks);
		if (forks == 0)
			return;
		if (forks < least)
			least = forks;
		nanosleep(&pause, NULL);
	}
	end_forks(file, least);
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
