/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * textfile.c - writes the metrics to a file every ten seconds.
 *
 * lib/picture writes it beside and renames it, so that a reader sees either all
 * of the old one or all of the new one; the old one stays when the disk is full.
 * node_exporter knows the older text format only, and reads *.prom only.
 */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "settings/values.h"
#include "picture.h"
#include "textfile.h"

static const unsigned long long EVERY_NS = 10000000000ULL;

/*
 * Returns 0 or an errno. Whatever the umask is, others may read the file: so
 * does node_exporter.
 */
static int replace(const char *file, const char *text, size_t size)
{
	struct picture beside;

	if (!picture_open_quietly(&beside, file, 0644))
		return errno;
	if ((beside.beside != NULL &&
	     fchmod(fileno(beside.file), 0644) != 0) ||
	    fwrite(text, 1, size, beside.file) != size)
		beside.error = errno;
	return picture_close(&beside) ? 0 : beside.error;
}

void textfile_open(const char *file)
{
	char what[VALUES_OPTION];
	struct picture beside;

	if (!picture_open_quietly(&beside, file, 0644))
		errx(1, "%s=%s: cannot write beside it: %s",
		     values_option("textfile", what), file,
		     strerror(errno));
	/* it is removed, since nothing is written yet */
	beside.error = ECANCELED;
	picture_close(&beside);
}

bool textfile_is_due(unsigned long long now)
{
	static unsigned long long due;

	if (now < due)
		return false;
	due = now + EVERY_NS;
	return true;
}

void textfile_write(const char *file, const char *text, size_t size)
{
	static int last_error;
	int error = text == NULL ? ENOMEM : replace(file, text, size);

	if (error != 0 && last_error == 0)
		warnx("--textfile=%s: %s: %s", file, access(file, F_OK) == 0 ?
		      "the old file stays" : "it cannot be written",
		      strerror(error));
	if (error == 0 && last_error != 0)
		warnx("--textfile=%s: written again", file);
	last_error = error;
}
