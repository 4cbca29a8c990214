/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When may memory be freed that the signal handler reads without a lock?  After
 * all handlers that could have seen it have returned: epoch-based reclamation.
 *
 *	handler		reader_enter, reads table and hooks, reader_leave
 *	library		unlinks what it will free, readers_wait, frees it
 */
#ifndef SDTKIT_TAP_EPOCH_PRIV_H
#define SDTKIT_TAP_EPOCH_PRIV_H

#include <stdbool.h>
#include <sys/types.h>

/* One run of the handler, from its enter to its leave. */
struct sdtkit_tap_reader {
	unsigned int epoch;
	/* This run has not interrupted another one in its thread. */
	bool is_outermost;
};

/* For the handler in thread tid, around all that it reads. */
void sdtkit_tap_reader_enter(pid_t tid, struct sdtkit_tap_reader *reader);
void sdtkit_tap_reader_leave(const struct sdtkit_tap_reader *reader);

/* Returns when every handler has left that had entered before the call. */
void sdtkit_tap_readers_wait(void);

/* For the child of fork(), which has no thread of its parent but one. */
void sdtkit_tap_readers_forget(void);

#endif /* SDTKIT_TAP_EPOCH_PRIV_H */
