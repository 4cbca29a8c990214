/* SPDX-License-Identifier: BSD-2-Clause */
/* See jump_hit.h: what is left to do, with vector registers saved. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "deliver.h"
#include "inside.h"
#include "jump_hit.h"
#include "trap.h"

/* Blocks the signals that the handler of a trap blocks too, see trap.c. */
static void block_signals(sigset_t *before)
{
	sigset_t blocked;

	sdtkit_tap_blocked_signals(&blocked);
	pthread_sigmask(SIG_BLOCK, &blocked, before);
}

static void deliver_events(const struct sdtkit_tap_place *place,
			   struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_visitor visitor;
	sigset_t before;

	block_signals(&before);
	thread->pid = getpid();
	sdtkit_tap_visitor_enter(thread->tid, &visitor);
	sdtkit_tap_deliver_events(place, thread);
	sdtkit_tap_visitor_leave(&visitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/*
 * Signals are blocked meanwhile. If a handler left this function by
 * siglongjmp(), a close would wait for the hit without end.
 */
static void deliver_raw(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread)
{
	struct sdtkit_tap_visitor visitor;
	sigset_t before;

	block_signals(&before);
	sdtkit_tap_visitor_enter(thread->tid, &visitor);
	sdtkit_tap_deliver_raw(place, thread->registers);
	sdtkit_tap_visitor_leave(&visitor);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* From the first hit on, if there is one, the thread has a record. */
static void deliver_all(const struct sdtkit_tap_place *place,
			const struct sdtkit_tap_thread *thread)
{
	sdtkit_tap_inside_join(thread->tid);
	if (sdtkit_tap_on_jump(place, thread->registers) == SDTKIT_TAP_ALL)
		deliver_raw(place, thread);
}

void sdtkit_tap_on_jump_rest(const struct sdtkit_tap_place *place,
			     const uint64_t *registers, const void *vectors,
			     enum sdtkit_tap_rest rest)
{
	int error = errno;
	struct sdtkit_tap_thread thread = {
		.tid = (pid_t)syscall(SYS_gettid),
		.registers = registers,
		.vectors = vectors,
	};

	if (rest == SDTKIT_TAP_ALL)
		deliver_all(place, &thread);
	deliver_events(place, &thread);
	errno = error;
}
