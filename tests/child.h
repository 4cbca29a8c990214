/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - runs something in a process or in a thread, and waits for its end. */
#ifndef CHILD_H
#define CHILD_H

#include <errno.h>
#include <pthread.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns how the child has ended, as wait(2) does; 0: by itself, with 0. */
static inline int status_of(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Returns how a process of its own has ended, whose exit status is the result. */
static inline int in_child(int (*function)(void))
{
	pid_t child = fork();

	if (child == 0)
		_exit(function());
	return status_of(child);
}

static inline void *in_thread(void *(*function)(void *argument), void *argument)
{
	pthread_t thread;
	void *result = NULL;

	if (pthread_create(&thread, NULL, function, argument) == 0)
		pthread_join(thread, &result);
	return result;
}

#endif
