/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes sure that the signals that traps raise arrive: SIGTRAP, and on some
 * machines SIGILL. If a program blocks them, as many a thread does at its
 * beginning with sigfillset() and pthread_sigmask(), the kernel would kill it
 * at the next hit. If a program handles them itself, it would see traps that
 * are not its own.
 *
 *	sigaction(SIGTRAP, ...)		what the program wants is noted here,
 *					and done for traps that are its own
 *	pthread_sigmask(SIG_BLOCK, all)	all but SIGTRAP: ../preload/masks.c
 *
 * The functions below replace those of the C library by their names. System
 * calls that are made without the C library are not seen.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#include "../preload/disposition.h"
#include "machine.h"
#include "preload.h"
#include "self.h"

SDTKIT_PRELOAD_NEXT(sigaction)
SDTKIT_PRELOAD_NEXT(signal)
SDTKIT_PRELOAD_NEXT(sysv_signal)
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

	sigemptyset(&action.sa_mask);
	for (i = 0; i < SDTKIT_TAP_SIGNALS; i++) {
		if (sdtkit_tap_machine.signals[i] != 0)
			sdtkit_disposition_take(&wanted[i],
				sdtkit_tap_machine.signals[i], &action,
				next_sigaction());
	}
	next_pthread_sigmask()(SIG_BLOCK, NULL, &blocked);
	take_out(&blocked);
	next_pthread_sigmask()(SIG_SETMASK, &blocked, NULL);
	is_taken = true;
}

/* The index of a signal that the program must not change; -1: it may. */
static int ours(int number)
{
	return is_taken && !sdtkit_preload_inside() ? index_of(number) : -1;
}

const sigset_t *sdtkit_preload_without(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || !is_taken || sdtkit_preload_inside())
		return set;
	*copy = *set;
	take_out(copy);
	return copy;
}

SDTKIT_PRELOAD_REPLACED
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction copy;
	int index = ours(number);

	if (index >= 0) {
		sdtkit_disposition_set(&wanted[index],
				       sdtkit_self_has_memory() ? new : NULL,
				       old);
		return 0;
	}
	if (new == NULL)
		return next_sigaction()(number, new, old);
	copy = *new;
	sdtkit_preload_without(&new->sa_mask, &copy.sa_mask);
	return next_sigaction()(number, &copy, old);
}

/* signal(3) and its variants, for one of our signals. */
static sighandler_t set_handler(int index, sighandler_t handler, int flags)
{
	const struct sigaction new = { .sa_handler = handler,
				       .sa_flags = flags };
	struct sigaction old;

	sdtkit_disposition_set(&wanted[index],
			       sdtkit_self_has_memory() ? &new : NULL, &old);
	return old.sa_handler;
}

SDTKIT_PRELOAD_REPLACED
sighandler_t signal(int number, sighandler_t handler)
{
	int index = ours(number);

	if (index >= 0)
		return set_handler(index, handler, SA_RESTART);
	return next_signal()(number, handler);
}

/* The names of signal() in programs for old and strict standards. */
SDTKIT_PRELOAD_REPLACED
sighandler_t ssignal(int number, sighandler_t handler)
{
	return signal(number, handler);
}

SDTKIT_PRELOAD_REPLACED
sighandler_t sysv_signal(int number, sighandler_t handler)
{
	int index = ours(number);

	if (index >= 0)
		return set_handler(index, handler,
				   (int)SA_RESETHAND | SA_NODEFER);
	return next_sysv_signal()(number, handler);
}

sighandler_t __sysv_signal(int number, sighandler_t handler);
SDTKIT_PRELOAD_REPLACED
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return sysv_signal(number, handler);
}
