/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show FILE | show -p PID: prints what a recorder has written, a line for each
 * event, and the sums at the end.
 * show -s PID PATTERNS SECONDS: begins a session that blocks, and prints what
 * comes in that time.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach.h"
#include "read.h"

static void print(struct sdtkit_record_reader *reader)
{
	struct sdtkit_record_item item;
	char line[8192];

	while (sdtkit_record_next(reader, &item) > 0) {
		if (item.event == NULL) {
			printf("lost %lu\n", (unsigned long)item.lost);
			continue;
		}
		sdtkit_tap_format(item.event, line, sizeof(line));
		printf("%d/%d %s %s\n", (int)item.pid, (int)item.tid,
		       item.name, line);
	}
}

static void print_sums(struct sdtkit_record_reader *reader)
{
	struct sdtkit_record_info info;
	size_t probes = 0;

	while (sdtkit_record_probe_at(reader, probes) != NULL)
		probes++;
	sdtkit_record_info(reader, &info);
	printf("mode=%s events=%lu overwritten=%lu lost=%lu no_ring=%lu "
	       "damaged=%u rings=%u signal=%d dumped_by=%d opener=%d probes=%zu\n",
	       info.mode, (unsigned long)info.events,
	       (unsigned long)info.overwritten, (unsigned long)info.lost,
	       (unsigned long)info.no_ring, info.damaged, info.rings_used,
	       info.dump_signal, (int)info.dump_pid, (int)info.pid, probes);
}

static struct sdtkit_record_reader *open_reader(int fd, unsigned int flags)
{
	struct sdtkit_record_reader *reader;

	if (sdtkit_record_open(fd, flags, &reader) < 0)
		errx(1, "%s", sdtkit_record_error());
	return reader;
}

static void session(pid_t pid, const char *patterns, double seconds)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct sdtkit_record_reader *reader;
	int connection, fd, i;

	if (sdtkit_record_begin_session(pid, patterns, SDTKIT_RECORD_BLOCK, 0,
					&connection, &fd) < 0)
		errx(1, "%s", sdtkit_record_error());
	reader = open_reader(fd, SDTKIT_RECORD_FOLLOW);
	puts("attached");
	fflush(stdout);
	for (i = 0; i < (int)(seconds * 1000) &&
	     !sdtkit_record_is_closed(reader); i++) {
		print(reader);
		nanosleep(&pause, NULL);
	}
	print(reader);
	close(connection);
	print_sums(reader);
	sdtkit_record_close(reader);
}

int main(int argc, char **argv)
{
	struct sdtkit_record_reader *reader;
	int fd = -1;

	if (argc == 5 && strcmp(argv[1], "-s") == 0) {
		session(atoi(argv[2]), argv[3], atof(argv[4]));
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "-p") == 0) {
		if (sdtkit_record_find(atoi(argv[2]), &fd) < 0)
			errx(1, "%s", sdtkit_record_error());
	} else if (argc == 2) {
		fd = open(argv[1], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			err(1, "%s", argv[1]);
	} else {
		return 2;
	}
	reader = open_reader(fd, 0);
	print(reader);
	print_sums(reader);
	sdtkit_record_close(reader);
	return 0;
}
