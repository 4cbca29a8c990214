/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thread that answers requests for the recorder; see attach.h. It is in the
 * process that opened the recorder:
 *
 *	listen.c	begins and ends it; waits for what comes
 *	serve.c		a request -> a snapshot or a session; ends sessions
 *
 * Invariants:
 * 1. The thread blocks all signals and hits no probe that is recorded: it would
 *    wait for itself.
 * 2. It has descriptors of its own. Where that cannot be, the program may close
 *    them and use their numbers: each is looked at before it is used.
 * 3. A session lives as long as its connection.
 */
#ifndef SDTKIT_RECORD_LISTEN_H
#define SDTKIT_RECORD_LISTEN_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/types.h>

#include "descriptor.h"
#include "open_recorder.h"

enum {
	SDTKIT_RECORD_SESSIONS = SDTKIT_RECORD_WRITERS - 1,
};

struct sdtkit_record_session {
	struct sdtkit_record_descriptor connection;
	/* NULL: it is free. */
	struct sdtkit_recorder *recorder;
};

struct sdtkit_record_listener {
	pthread_t thread;
	/* The process that it is a thread of. */
	pid_t process;
	struct sdtkit_recorder *recorder;
	/* Has something to read when the thread shall look at is_over. */
	struct sdtkit_record_descriptor end;
	/* The program's only one: writes to end. */
	struct sdtkit_record_descriptor bell;
	/* The thread's alone, if it has descriptors of its own. */
	struct sdtkit_record_descriptor socket;
	/* The file of the recorder, for those who get it. */
	struct sdtkit_record_descriptor readable;
	struct sdtkit_record_session sessions[SDTKIT_RECORD_SESSIONS];

	/* Posted when the thread listens, or cannot: 0 or -errno. */
	sem_t has_begun;
	int result;
	/* Held while the thread does anything but wait. */
	pthread_mutex_t busy;
	/* The thread has descriptors of its own. */
	bool has_own;
	/* The recorder is closed; who frees this is the thread. */
	bool is_over;
	bool is_detached;
	bool has_ended;
};

/* Answers who has connected. */
void sdtkit_record_serve(struct sdtkit_record_listener *listener);
void sdtkit_record_end_session(struct sdtkit_record_session *session);
/* Opens the file of the recorder so that who gets it cannot write to it. */
void sdtkit_record_open_readable(struct sdtkit_record_listener *listener);

#endif /* SDTKIT_RECORD_LISTEN_H */
