/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * history_make.c - writes a history of a busy server that ends now.
 *
 *	tsmbd-history-make DIRECTORY SECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "history/add.h"
#include "history/write.h"
#include "random_report.h"

#define SECOND_NS 1000000000ULL

enum { VARIANTS = 64 };

/* Hundreds of minutes at once: they need not survive a loss of power. */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

int fdatasync(int fd)
{
	(void)fd;
	return 0;
}

static unsigned long long clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (unsigned long long)ts.tv_sec * SECOND_NS +
	       (unsigned long long)ts.tv_nsec;
}

static void write_slow(struct history_writer *w,
		       const struct history_time *time, unsigned int second)
{
	static struct tsmbd_request_event e;
	char client[TSMBD_ADDRESS];

	snprintf(client, sizeof(client), "ipv4:192.0.2.%u", second % 250);
	e.event.kind = TSMBD_EVENT_SLOW;
	e.event.time = time->wall_ns;
	e.request.opcode = second % TSMBD_OPS;
	e.request.start = e.event.time - (101 + second % 900) * 1000000ULL;
	snprintf(e.detail.user, TSMBD_NAME, "user%u", second % 100);
	snprintf(e.detail.share, TSMBD_NAME, "data");
	snprintf(e.detail.file, TSMBD_FILE, "slow/letter-%u.odt", second);
	history_write_request(w, time, &e, client);
}

int main(int argc, char **argv)
{
	const struct random_load load = { TSMBD_OPS, 300, 40, 8 };
	const struct history_run run = {
		.recorded = HISTORY_NAMES | HISTORY_WAITS | HISTORY_SLOW,
		.host = "alpha",
	};
	static struct smbd_report variants[VARIANTS];
	struct history_time time = { .elapsed_ns = SECOND_NS };
	unsigned int seconds = argc == 3 ? (unsigned int)atoi(argv[2]) : 0;
	struct history_writer *w;
	unsigned int i;

	if (seconds == 0)
		return 1;
	for (i = 0; i < VARIANTS; i++) {
		random_report(&variants[i], i, &load);
		variants[i].elapsed_ns = SECOND_NS;
	}
	w = history_create(argv[1], 64 << 20, &run);
	if (w == NULL)
		return 1;
	time.wall_ns = clock_ns(CLOCK_REALTIME) - seconds * SECOND_NS;
	time.mono_ns = clock_ns(CLOCK_MONOTONIC) + (1 << 20) * SECOND_NS -
		seconds * SECOND_NS;
	for (i = 0; i < seconds; i++) {
		time.begin_ns = time.mono_ns;
		time.wall_ns += SECOND_NS;
		time.mono_ns += SECOND_NS;
		write_slow(w, &time, i);
		history_write(w, &time, &variants[(i * 2654435761U >> 8) %
						  VARIANTS]);
	}
	return history_finish(w) ? 0 : 1;
}
