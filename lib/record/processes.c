/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which processes have a file, so that the last of them removes it. The process
 * that opened the recorder may end first, as it does when a server goes into
 * the background.
 */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "attach.h"
#include "open_recorder.h"

enum {
	FORK_MS = 50,
};

#define ANY_ENDED	UINT64_MAX

/* This process, as the file has it. */
static uint64_t find_self(void)
{
	struct stat status;

	if (stat("/proc/self/ns/pid", &status) < 0)
		status.st_ino = 0;
	return (uint64_t)status.st_ino << 32 | (uint32_t)getpid();
}

/* A number of another PID namespace means another process here. */
static bool has_ended(uint64_t process, uint64_t self)
{
	return process >> 32 == self >> 32 &&
	       sdtkit_record_has_ended((pid_t)(uint32_t)process);
}

/* Replaces this process, or one that has ended, by another. 0 is free. */
static bool take(struct sdtkit_record_file *file, uint64_t of, uint64_t self,
		 uint64_t by)
{
	int i;

	for (i = 0; i < SDTKIT_RECORD_PROCESSES; i++) {
		uint64_t there = atomic_load(&file->processes[i]);

		if (there != of && (of != ANY_ENDED || !has_ended(there, self)))
			continue;
		if (atomic_compare_exchange_strong(&file->processes[i], &there,
						   by))
			return true;
	}
	return false;
}

/* If all elements are in use, the file stays when all processes have ended. */
void sdtkit_record_add_process(struct sdtkit_record_file *file)
{
	uint64_t self = find_self();

	if (!take(file, 0, self, self))
		take(file, ANY_ENDED, self, self);
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
	uint64_t self = find_self();
	int i;

	wait_for_forks(file);
	if (!take(file, self, self, 0))
		return false;
	for (i = 0; i < SDTKIT_RECORD_PROCESSES; i++) {
		uint64_t there = atomic_load(&file->processes[i]);

		if (there != 0 && !has_ended(there, self))
			return false;
	}
	return true;
}
