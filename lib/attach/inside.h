/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which threads are inside a hit that came by a jump.  Such a hit must not pay
 * for shared counters, as those of epoch.h are: each thread has a record of its
 * own, and who wants to free hooks makes all processors agree on what is in it
 * (membarrier(2)).
 *
 *	hit		inside += 1, reads hooks, inside as before
 *	library		unlinks a hook, membarrier, waits for each record that is
 *			inside, frees the hook
 *
 * Invariants:
 * 1. only its thread writes a record, and handlers of signals leave it as they
 *    found it, so that no store has to be atomic;
 * 2. the records of a child process, however it was made, are empty: its
 *    threads take new ones;
 * 3. a thread that has no record (there are too many threads; it is the child
 *    of a vfork(), whose parent has none) counts with epoch.h.
 */
#ifndef SDTKIT_TAP_INSIDE_PRIV_H
#define SDTKIT_TAP_INSIDE_PRIV_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* One thread's, in a cache line of its own. */
struct sdtkit_tap_inside {
	_Alignas(64) _Atomic pid_t tid;
	/* How many of its hits have not returned. */
	atomic_uint depth;
	/* How many hits there were that interrupted no other one. */
	atomic_uint round;
};

/* This thread's, or NULL; it may be empty (tid 0). */
extern _Thread_local __attribute__((tls_model("initial-exec")))
struct sdtkit_tap_inside *sdtkit_tap_self;

/*
 * Makes the records, and asks the kernel for what it is to do.  NULL, or why
 * there can be none.
 */
const char *sdtkit_tap_inside_prepare(void);

/* For the child of fork(), before it makes children by vfork(). */
void sdtkit_tap_inside_note(void);

/* Gives a record to the calling thread, if there is one. */
void sdtkit_tap_inside_join(pid_t tid);

/*
 * Returns when all hits have returned that were inside at the call.  False: it
 * has waited for a second and one has not; it may never, if a handler of a
 * signal left it by longjmp().
 */
bool sdtkit_tap_inside_wait(void);

/*
 * A number that tells this process from its parent, whose memory it may share.
 */
unsigned int sdtkit_tap_inside_generation(void);

/* Has all processors execute what was written to the code. */
void sdtkit_tap_inside_sync_code(void);

#endif /* SDTKIT_TAP_INSIDE_PRIV_H */
