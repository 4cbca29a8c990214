/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that install handlers of signals. Those that hits
 * raise are handled by the library, whatever the program does:
 *
 *	sigaction(SIGTRAP, ...)		what the program wants is noted
 *	signal(SIGTRAP, ...)
 *
 * These functions replace the C library's by their names. System calls that are
 * made without the C library are not seen.
 */
#define _GNU_SOURCE
#include <signal.h>

#include "replace.h"

SDTKIT_PRELOAD_NEXT(sigaction)
SDTKIT_PRELOAD_NEXT(signal)
SDTKIT_PRELOAD_NEXT(sysv_signal)

sdtkit_sigaction_function *sdtkit_preload_sigaction(void)
{
	return next_sigaction();
}

SDTKIT_PRELOAD_REPLACED
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction copy;

	if (sdtkit_preload_note_action(number, new, old))
		return 0;
	if (new == NULL)
		return next_sigaction()(number, new, old);
	copy = *new;
	sdtkit_preload_without(&new->sa_mask, &copy.sa_mask);
	return next_sigaction()(number, &copy, old);
}

/* signal(3) and its variants, of which `next` is one. */
static sighandler_t set_handler(int number, sighandler_t handler, int flags,
				__typeof__(&signal) next)
{
	const struct sigaction new = { .sa_handler = handler,
				       .sa_flags = flags };
	struct sigaction old;

	if (sdtkit_preload_note_action(number, &new, &old))
		return old.sa_handler;
	return next(number, handler);
}

SDTKIT_PRELOAD_REPLACED
sighandler_t signal(int number, sighandler_t handler)
{
	return set_handler(number, handler, SA_RESTART, next_signal());
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
	return set_handler(number, handler, (int)SA_RESETHAND | SA_NODEFER,
			   next_sysv_signal());
}

sighandler_t __sysv_signal(int number, sighandler_t handler);
SDTKIT_PRELOAD_REPLACED
sighandler_t __sysv_signal(int number, sighandler_t handler)
{
	return sysv_signal(number, handler);
}
