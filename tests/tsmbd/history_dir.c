/* SPDX-License-Identifier: BSD-2-Clause */
/* history_dir.c - writes and reads histories for tests. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/add.h"
#include "history_dir.h"

void dir_make(char path[DIR_SIZE])
{
	strcpy(path, "/tmp/tsmbd-history-XXXXXX");
	assert_non_null(mkdtemp(path));
}

/* Calls act for each file, with its path. */
static void each(const char *path, void (*act)(const char *file, void *data),
		 void *data)
{
	struct dirent *entry;
	char file[512];
	DIR *dir = opendir(path);

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		act(file, data);
	}
	closedir(dir);
}

static void remove_file(const char *file, void *data)
{
	(void)data;
	unlink(file);
}

void dir_remove(const char *path)
{
	each(path, remove_file, NULL);
	assert_int_equal(rmdir(path), 0);
}

static void add_used(const char *file, void *data)
{
	unsigned long long *sum = data;
	struct stat st;

	assert_int_equal(stat(file, &st), 0);
	*sum += ((unsigned long long)st.st_size + 4095) / 4096 * 4096;
}

unsigned long long dir_used(const char *path)
{
	unsigned long long sum = 0;

	each(path, add_used, &sum);
	return sum;
}

struct history_writer *dir_write(const char *path, unsigned long long size)
{
	const struct history_run run = { .recorded = HISTORY_NAMES,
		.boot = { 1 }, .host = "alpha" };
	struct history_writer *w = history_create(path, size, &run);

	assert_non_null(w);
	return w;
}

void dir_tick(struct history_writer *w, unsigned int second,
	      const struct smbd_report *tick)
{
	const struct history_time time = {
		.wall_ns = BEGIN_NS + second * SECOND_NS,
		.begin_ns = (1000 + second) * SECOND_NS - tick->elapsed_ns,
		.mono_ns = (1000 + second) * SECOND_NS,
		.elapsed_ns = tick->elapsed_ns,
	};

	history_write(w, &time, tick);
}

void dir_sum(const char *path, unsigned int from, unsigned int to,
	     struct smbd_report *sum, unsigned int *ticks)
{
	struct history_tick tick;
	struct history *h;

	h = history_open(path, BEGIN_NS + from * SECOND_NS,
			 BEGIN_NS + to * SECOND_NS);
	assert_non_null(h);
	memset(sum, 0, sizeof(*sum));
	*ticks = 0;
	while (history_next(h, &tick)) {
		smbd_report_add(sum, tick.report);
		(*ticks)++;
	}
	history_close(h);
}
