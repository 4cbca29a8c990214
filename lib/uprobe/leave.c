/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leave.c - detaches the probes, as the end of the process would, but faster.
 *
 * For each link the kernel waits until no CPU can still be in its handler,
 * which takes a twentieth of a second or more. If several threads close links,
 * they wait at the same time: 30 links of multi.c take as long as two. Links of
 * perf events mostly wait one after the other even then.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "leave.h"

enum { MAX_THREADS = 32, FIRST = 3 };

/* Returns the greatest descriptor that is open. */
static int last_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int last = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (atoi(entry->d_name) > last)
			last = atoi(entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	return last;
}

struct share {
	int first;
	int last;
};

static void *close_share(void *data)
{
	const struct share *share = data;
	int fd;

	for (fd = share->first; fd <= share->last; fd += MAX_THREADS)
		close(fd);
	return NULL;
}

/* Descriptors for which no thread can be made are closed by exit(). */
void leave(void)
{
	static struct share shares[MAX_THREADS];
	pthread_t threads[MAX_THREADS];
	int last = last_open();
	int count = 0;
	int i;

	for (i = 0; i < MAX_THREADS && FIRST + i <= last; i++) {
		shares[i] = (struct share){ FIRST + i, last };
		if (pthread_create(&threads[count], NULL, close_share,
				   &shares[i]) == 0)
			count++;
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}
