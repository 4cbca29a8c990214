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
 *	pthread_sigmask(SIG_BLOCK, all)	all but SIGTRAP: masks.c
 *
 * The functions below replace those of the C library by their names. System
 * calls that are made without the C library are not seen.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

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
static struct sigaction wanted[SDTKIT_TAP_SIGNALS];

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

/*
 * Ends the program as the signal would have without this library, with the same
 * status.
 */
static void die_of_it(int number)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, number);
	next_sigaction()(number, &action, NULL);
	next_pthread_sigmask()(SIG_UNBLOCK, &only, NULL);
	raise(number);
}

/* Handles a signal that no probe has raised: calls the program's handler. */
static void on_other_trap(int number, siginfo_t *info, void *context)
{
	struct sigaction action = wanted[index_of(number)];
	/*
	 * Sent by a process; otherwise the executed instruction has raised it.
	 */
	bool was_sent = info->si_code <= 0;

	if (action.sa_flags & SA_SIGINFO) {
		action.sa_sigaction(number, info, context);
		return;
	}
	if (action.sa_handler == SIG_IGN && was_sent)
		return;
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
		die_of_it(number);
	else
		action.sa_handler(number);
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
			next_sigaction()(sdtkit_tap_machine.signals[i],
					 &action, &wanted[i]);
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
	struct sigaction copy, before;
	int index = ours(number);

	if (index >= 0) {
		before = wanted[index];
		if (new != NULL && sdtkit_self_has_memory())
			wanted[index] = *new;
		if (old != NULL)
			*old = before;
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
	sighandler_t old = wanted[index].sa_handler;

	if (sdtkit_self_has_memory())
		wanted[index] = (struct sigaction) {
			.sa_handler = handler,
			.sa_flags = flags,
		};
	return old;
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
		return set_handler(index, handler, (int)SA_RESETHAND);
	return next_sysv_signal()(number, handler);
}

sighandler_t __sysv_signal(int number, sighandler_t handler);
SDTKIT_PRELOAD_REPLACED
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return sysv_signal(number, handler);
}
