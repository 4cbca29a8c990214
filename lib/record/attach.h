/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How "sdtkit trace -p PID" gets the file of a recorder: it asks the process,
 * through the socket on which a thread of it listens.
 *
 *	@sdtkit-recorder-4711	an abstract name
 *	request -->		struct sdtkit_record_request
 *	<-- answer		struct sdtkit_record_answer, and a descriptor
 *
 * Each side checks who the other one is (SO_PEERCRED): the process serves its
 * own user and root only, and the asker believes only PID itself, since any
 * user may take the name of a process that does not listen.
 */
#ifndef SDTKIT_RECORD_ATTACH_H
#define SDTKIT_RECORD_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file.h"

#define SDTKIT_RECORD_SOCKET	"sdtkit-recorder-%d"

enum {
	SDTKIT_RECORD_REQUEST_SNAPSHOT = 1,
	SDTKIT_RECORD_REQUEST_SESSION,
	/* The file of a counting recorder, or a session that is one. */
	SDTKIT_RECORD_REQUEST_COUNT,
	SDTKIT_RECORD_PATTERNS = 1024,
};

struct sdtkit_record_request {
	uint32_t version;
	uint32_t what;
	/* For a session: enum sdtkit_record_mode, not OVERWRITE. */
	uint32_t mode;
	uint32_t string_limit;
	uint64_t size;
	uint64_t ring_size;
	char patterns[SDTKIT_RECORD_PATTERNS];
};

struct sdtkit_record_answer {
	/* 0, or -errno with a text. With 0, the text is "" or a warning. */
	int32_t error;
	char text[252];
};

/*
 * Gets the file of the recorder that the process has, or had when it was
 * forked, for reading. Returns 0 and sets *fd. Errors: -ENOENT (it has none),
 * -EACCES, -EPERM, -ESRCH.
 */
int sdtkit_record_find(pid_t pid, int *fd);

/*
 * Has the process begin a recording of its own for this reader, with a mode that
 * waits for it, in the process that opened a recorder and in its children. The
 * recording ends when *connection is closed. *fd can be written. size,
 * ring_size and string_limit may be 0.
 * If sites are left out, sdtkit_record_error() says why, else it is "".
 * Errors: as above; those of sdtkit_recorder_open().
 */
int sdtkit_record_begin_session(pid_t pid, const char *patterns,
				enum sdtkit_record_mode mode,
				size_t string_limit, int *connection, int *fd);

/*
 * The same for counts (mode COUNT), except that a process which counts already
 * gives that file, for reading. *connection is -1 if it does not listen, as a
 * child of one that does, or refuses: then the file was opened by its name.
 */
int sdtkit_record_find_counts(pid_t pid, const char *patterns,
			      int *connection, int *fd);

/* ended.c: whether no thread of the process is left. */
bool sdtkit_record_has_ended(pid_t pid);

#endif /* SDTKIT_RECORD_ATTACH_H */
