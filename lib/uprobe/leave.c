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
#include <stdbool.h>
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
	const int *fds;			/* or NULL: first is the first one */
	int first;
	int last;
};

static void *close_share(void *data)
{
	const struct share *share = data;
	int i;

	for (i = share->first; i <= share->last; i += MAX_THREADS)
		close(share->fds != NULL ? share->fds[i] : i);
	return NULL;
}

/* Those for which no thread can be made are left out, or closed here. */
static void close_all(const int *fds, int first, int last, bool here)
{
	struct share shares[MAX_THREADS];
	pthread_t threads[MAX_THREADS];
	int count = 0;
	int i;

	for (i = 0; i < MAX_THREADS && first + i <= last; i++) {
		shares[i] = (struct share){ fds, first + i, last };
		if (pthread_create(&threads[count], NULL, close_share,
				   &shares[i]) == 0)
			count++;
		else if (here)
			close_share(&shares[i]);
	}
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

void leave_some(const int *fds, int count)
{
	close_all(fds, 0, count - 1, true);
}

/* exit() closes those that are left out. */
void leave(void)
{
	close_all(NULL, FIRST, last_open(), false);
}
