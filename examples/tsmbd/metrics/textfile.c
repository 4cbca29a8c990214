/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * textfile.c - writes the metrics to a file every ten seconds.
 *
 * It is written beside, and then renamed, so that a reader sees either all of
 * the old one or all of the new one; the old one stays when the disk is full.
 * node_exporter knows the older text format only.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../serve/options.h"
#include "openmetrics.h"
#include "textfile.h"
#include "values.h"

static const unsigned long long EVERY_NS = 10000000000ULL;

/*
 * node_exporter reads *.prom only. The name is always the same, so that a file
 * that was left behind is written again.
 */
static char *name_beside(const char *file)
{
	char *beside;

	if (asprintf(&beside, "%s.new", file) < 0)
		err(1, NULL);
	return beside;
}

/* Returns 0 or an errno. A link that somebody put there is not followed. */
static int write_beside(const char *beside, const char *text, size_t size)
{
	size_t done = 0;
	int error = 0;
	ssize_t ret;
	int fd;

	unlink(beside);
	fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  0644);
	if (fd < 0)
		return errno;
	if (fchmod(fd, 0644) != 0)
		error = errno;
	while (error == 0 && done < size) {
		ret = write(fd, text + done, size - done);
		if (ret < 0)
			error = errno;
		else
			done += (size_t)ret;
	}
	if (close(fd) != 0 && error == 0)
		error = errno;
	return error;
}

static int replace(const char *file, const char *text, size_t size)
{
	char *beside = name_beside(file);
	int error = write_beside(beside, text, size);

	if (error == 0 && rename(beside, file) != 0)
		error = errno;
	if (error != 0)
		unlink(beside);
	free(beside);
	return error;
}

void textfile_open(const char *file)
{
	char what[VALUES_OPTION];
	char *beside = name_beside(file);
	int error = write_beside(beside, "", 0);

	if (error != 0)
		errx(1, "%s=%s: cannot write beside it: %s",
		     values_option(SERVE_textfile, "textfile", what), file,
		     strerror(error));
	unlink(beside);
	free(beside);
}

void textfile_write(const char *file)
{
	static int last_error;
	char *text;
	size_t size;
	int error;

	text = metrics_text(METRICS_PROMETHEUS, &size);
	error = text == NULL ? ENOMEM : replace(file, text, size);
	if (error != 0 && last_error == 0)
		warnx("--textfile=%s: %s: %s", file, access(file, F_OK) == 0 ?
		      "the old file stays" : "it cannot be written",
		      strerror(error));
	if (error == 0 && last_error != 0)
		warnx("--textfile=%s: written again", file);
	last_error = error;
	free(text);
}

void textfile_tick(const char *file, unsigned long long now)
{
	static unsigned long long due;

	if (now < due)
		return;
	textfile_write(file);
	due = now + EVERY_NS;
}
