/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of sdtkit/recorder.h that open, copy and close a recorder, with
 * all that belongs to one: core.c, listen.c, forks.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "open_recorder.h"
#include "read_parts.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

int sdtkit_record_open_with(const char *patterns,
			    const struct sdtkit_recorder_options *options,
			    const struct sdtkit_record_way *kind, void *user,
			    struct sdtkit_recorder **recorder)
{
	static const struct sdtkit_recorder_options defaults;
	const struct sdtkit_recorder_options *o = options != NULL ? options :
						  &defaults;
	struct sdtkit_record_settings settings = {
		.size = o->size,
		.mode = kind != NULL ? SDTKIT_RECORD_COUNT :
			o->mode == SDTKIT_RECORDER_DISCARD ?
			SDTKIT_RECORD_DISCARD : SDTKIT_RECORD_OVERWRITE,
		.directory = o->directory != NULL ? o->directory :
			     sdtkit_record_directory(),
		.kept = o->keep == 0 ? SDTKIT_RECORD_KEPT :
			o->keep > 0 ? (unsigned int)o->keep : 0,
		.kind = kind,
		.user = user,
	};
	const char *directory = settings.directory;
	struct sdtkit_recorder *r;
	int ret;

	if (o->ring_size > SDTKIT_RECORD_RING_MAX ||
	    o->string_limit > SDTKIT_RECORD_STRING_MAX) {
		if (kind != NULL)
			kind->free(user);
		return sdtkit_record_fail(EINVAL, "rings have at most %d MiB, "
			"strings at most %d bytes",
			SDTKIT_RECORD_RING_MAX >> 20, SDTKIT_RECORD_STRING_MAX);
	}
	settings.ring_size = (uint32_t)o->ring_size;
	if (o->flags & SDTKIT_RECORDER_NO_FILE)
		settings.directory = NULL;
	ret = sdtkit_record_open_recorder(patterns, o->flags, &settings,
					  o->string_limit, &r);
	if (ret < 0)
		return ret;
	/*
	 * Register after the tap did: handlers that run before fork() run
	 * last-registered first, so fork() locks the recorder and then the tap,
	 * as an open does.
	 */
	pthread_once(&once, sdtkit_record_watch_forks);
	snprintf(r->directory, sizeof(r->directory), "%s", directory);
	if (!(o->flags & SDTKIT_RECORDER_NO_LISTEN)) {
		ret = sdtkit_record_listen(r);
		if (ret < 0) {
			sdtkit_recorder_close(r);
			return ret;
		}
	}
	if (sdtkit_recorder_left_out(r) > 0)
		sdtkit_record_fail_left_out(r, 0, false);
	*recorder = r;
	return 0;
}

int sdtkit_recorder_open(const char *patterns,
			 const struct sdtkit_recorder_options *options,
			 struct sdtkit_recorder **recorder)
{
	return sdtkit_record_open_with(patterns, options, NULL, NULL, recorder);
}

int sdtkit_recorder_dump(struct sdtkit_recorder *recorder, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	int ret;

	if (fd < 0)
		return sdtkit_record_fail(errno, "%s: %s", path,
					  strerror(errno));
	ret = sdtkit_record_write_dump(recorder->output.file, fd, 0);
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret == 0)
		return 0;
	unlink(path);
	return sdtkit_record_fail(-ret, "%s: %s", path, strerror(-ret));
}

void sdtkit_recorder_close(struct sdtkit_recorder *recorder)
{
	if (recorder == NULL)
		return;
	sdtkit_record_stop_listening(recorder);
	sdtkit_record_close_recorder(recorder);
}
