/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes sure that the signals that traps raise arrive: SIGTRAP, and on some
 * machines SIGILL. If a program blocks them, as many a thread does at its
 * beginning with sigfillset() and pthread_sigmask(), the kernel would kill it
 * at the next hit. If a program handles them itself, it would see traps that
 * are not its own.
 *
 *	sigaction(SIGTRAP, ...)		what the program wants is noted here,
 *					and done for traps that are its own:
 *					../preload/signals.c
 *	pthread_sigmask(SIG_BLOCK, all)	all but SIGTRAP: ../preload/masks.c
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#include "../preload/disposition.h"
#include "../record/open_recorder.h"
#include "machine.h"
#include "preload.h"
#include "self.h"

SDTKIT_PRELOAD_NEXT(pthread_sigmask)

static bool is_taken;
/*
 * The program's own handlers, one for each of sdtkit_tap_machine.signals. The
 * child of a vfork() shares them with its parent, and does not change them.
 */
static struct sdtkit_disposition wanted[SDTKIT_TAP_SIGNALS];

/* The index of the signal among those of traps, or -1. */
static int index_of(int number)
{
	int i;

	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (number != 0 && number == sdtkit_tap_machine.signals[i])
			return i;
	}
	return -1;
}

/* Takes the signals of traps out of the set. */
static void take_out(sigset_t *set)
{
	int i;

	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0)
			sigdelset(set, sdtkit_tap_machine.signals[i]);
	}
}

/* Handles a signal that no probe has raised: calls the program's handler. */
static void on_other_trap(int number, siginfo_t *info, void *context)
{
	sigset_t open;
	int i;

	sigemptyset(&open);
	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0)
			sigaddset(&open, sdtkit_tap_machine.signals[i]);
	}
	sdtkit_disposition_pass_on(&wanted[index_of(number)], number, info,
				   context, &open);
}

void sdtkit_preload_take_signals(void)
{
	struct sigaction action = {
		.sa_sigaction = on_other_trap,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	sigset_t blocked;
	int i;

	sdtkit_record_sigaction = sdtkit_preload_sigaction();
	sigemptyset(&action.sa_mask);
	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0)
			sdtkit_disposition_take(&wanted[i],
				sdtkit_tap_machine.signals[i], &action,
				sdtkit_preload_sigaction());
	}
	next_pthread_sigmask()(SIG_BLOCK, NULL, &blocked);
	take_out(&blocked);
	next_pthread_sigmask()(SIG_SETMASK, &blocked, NULL);
	is_taken = true;
}

bool sdtkit_preload_note_action(int number, const struct sigaction *new,
				struct sigaction *old)
{
	int i = index_of(number);

	if (!is_taken || sdtkit_preload_inside())
		return false;
	if (i < 0)
		return sdtkit_record_note_action(number, new, old);
	sdtkit_disposition_set(&wanted[i],
			       sdtkit_self_has_memory() ? new : NULL, old);
	return true;
}

const sigset_t *sdtkit_preload_without(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || !is_taken || sdtkit_preload_inside())
		return set;
	*copy = *set;
	take_out(copy);
	if (sdtkit_record_has_handlers()) {
		sigdelset(copy, SIGSEGV);
		sigdelset(copy, SIGBUS);
	}
	return copy;
}
