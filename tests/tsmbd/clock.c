/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.c - for LD_PRELOAD: a time of day that a test sets.
 *
 * The file of CLOCK_FILE has the seconds that are added to it, as a long. The
 * clock that nobody sets, CLOCK_MONOTONIC, stays as it is.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const volatile long *added;

__attribute__((constructor)) static void begin(void)
{
	int fd = open(getenv("CLOCK_FILE"), O_RDONLY | O_CLOEXEC);

	added = mmap(NULL, sizeof(*added), PROT_READ, MAP_SHARED, fd, 0);
	if (added == MAP_FAILED)
		abort();
	close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int ret = (int)syscall(SYS_clock_gettime, clock, ts);

	/* constructors of other libraries come before ours */
	if (clock == CLOCK_REALTIME && added != NULL)
		ts->tv_sec += *added;
	return ret;
}

time_t time(time_t *seconds)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (seconds != NULL)
		*seconds = ts.tv_sec;
	return ts.tv_sec;
}
