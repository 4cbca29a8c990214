/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the file of a recorder, and removes it. */
#ifndef SDTKIT_RECORD_CREATE_H
#define SDTKIT_RECORD_CREATE_H

#include <limits.h>
#include <stddef.h>

#include "descriptor.h"
#include "write.h"

/* What a recorder is opened with; 0 and NULL stand for the default. */
struct sdtkit_record_settings {
	uint64_t size;
	uint32_t ring_size;
	enum sdtkit_record_mode mode;
	/* Bytes of a string that are shown. */
	uint32_t string_limit;
	/* In mode BLOCK: how long a hit waits; 0: it does not. */
	uint32_t patience_ms;
	enum sdtkit_record_content content;
	/* See struct sdtkit_record_file. */
	uint64_t pid_namespace;
	/* NULL: a file in memory that has no name. */
	const char *directory;
	/* How many files that this program has left there stay. */
	unsigned int kept;
	const char *patterns;
	/* open_recorder.h: what hits do, NULL for a recorder; and for whom. */
	const struct sdtkit_record_way *kind;
	void *user;
};

/*
 * A file, mapped for writing, and the numbers of its header that were checked:
 * those in the file may be changed at any time, by a process of lower rights.
 */
struct sdtkit_record_output {
	struct sdtkit_record_file *file;
	size_t size;
	struct sdtkit_record_slot *slots;
	char *texts;
	struct sdtkit_record_ring *rings;
	unsigned char *data;
	uint64_t texts_size;
	uint32_t slot_count;
	uint32_t ring_count;
	uint32_t ring_size;
	struct sdtkit_record_descriptor descriptor;
	/* "" without a name. */
	char path[PATH_MAX];
};

enum {
	SDTKIT_RECORD_SIZE = 64 << 20,
	SDTKIT_RECORD_RING = 256 << 10,
	SDTKIT_RECORD_KEPT = 4,
};

/*
 * Errors, with a text in sdtkit_record_error(): -EINVAL (a size), those of
 * open(2); -ENOSPC.
 */
int sdtkit_record_create(const struct sdtkit_record_settings *settings,
			 struct sdtkit_record_output *output);
/*
 * Maps a file that another process has made, which stays its own: the
 * descriptor is the caller's. Errors: as sdtkit_record_open().
 */
int sdtkit_record_join_file(int fd, struct sdtkit_record_output *output);
/*
 * Makes the file that large; -EFBIG, and not a signal, if it may not be. Fit
 * for signal handlers.
 */
int sdtkit_record_resize(int fd, uint64_t size);
/*
 * left.c: removes files of recorders in the directory that ended processes of
 * this program and user have left, except for so many, the youngest ones.
 */
void sdtkit_record_remove_left(const char *path, const char *program,
			       unsigned int kept);
/* Where files are if nobody says it. */
const char *sdtkit_record_directory(void);
/* Unmaps it; the file stays. */
void sdtkit_record_release(struct sdtkit_record_output *output);
/* Leaves it mapped, for a hit that does not return. */
void sdtkit_record_abandon(struct sdtkit_record_output *output);

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t sdtkit_record_monotonic(void);
/* Sets up what the path of a hit needs, to write to the file. */
void sdtkit_record_writer_init(struct sdtkit_record_writer *writer,
			       const struct sdtkit_record_output *output,
			       uint32_t index, _Atomic uint64_t *generation);

#endif /* SDTKIT_RECORD_CREATE_H */
