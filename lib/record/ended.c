/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a process has ended. A process of which only the main thread has
 * ended, by pthread_exit(), has the state of a zombie as well, but more
 * threads.
 *
 *	/proc/4711/stat		4711 (server) Z 4700 ...	field 20: threads
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach.h"

/* Whether the process has no thread left, but its parent has not waited. */
static bool is_zombie(pid_t pid)
{
	char path[32], text[512], state;
	const char *end;
	int fd, threads;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[size > 0 ? size : 0] = '\0';
	end = strrchr(text, ')');
	if (end == NULL || sscanf(end + 1, " %c %*s %*s %*s %*s %*s %*s %*s "
				  "%*s %*s %*s %*s %*s %*s %*s %*s %*s %d",
				  &state, &threads) != 2)
		return false;
	return (state == 'Z' || state == 'X') && threads <= 1;
}

bool sdtkit_record_has_ended(pid_t pid)
{
	return (kill(pid, 0) < 0 && errno == ESRCH) || is_zombie(pid);
}
