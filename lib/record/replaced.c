/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that the shared library replaces, so that its
 * handlers stay where they are whatever the program does:
 *
 *	sigaction(SIGSEGV, ...)		what the program wants is noted, and
 *					called when a fault is the program's
 *	pthread_sigmask(SIG_BLOCK, all)	all but the signals of faults and traps:
 *					../preload/masks.c
 *	dlopen()			attaches to the new library's probes
 *
 * Without this, a recorder that lost its handler would have the kernel copy
 * each string, and a thread that blocks SIGTRAP would die of a trap. The static
 * library replaces nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>

#include "../preload/replace.h"
#include "recorder.h"

SDTKIT_PRELOAD_NEXT(sigaction)
SDTKIT_PRELOAD_NEXT(signal)

/* Not 0 while this library itself opens libraries or asks for symbols. */
static _Thread_local int depth __attribute__((tls_model("initial-exec")));

sdtkit_preload_function *
sdtkit_preload_next(sdtkit_preload_function **kept, const char *name)
{
	void *found;

	if (*kept == NULL) {
		found = dlsym(RTLD_NEXT, name);
		memcpy(kept, &found, sizeof(found));
	}
	return *kept;
}

bool sdtkit_preload_inside(void)
{
	return depth > 0;
}

void sdtkit_preload_rescan(void)
{
	depth++;
	sdtkit_record_rescan_all();
	depth--;
}

/* Before the constructor of preload.c, which installs handlers. */
__attribute__((constructor(101)))
static void find_real_sigaction(void)
{
	sdtkit_record_sigaction = next_sigaction();
}

const sigset_t *sdtkit_preload_without(const sigset_t *set, sigset_t *copy)
{
	if (set == NULL || !sdtkit_record_has_handlers())
		return set;
	*copy = *set;
	sigdelset(copy, SIGSEGV);
	sigdelset(copy, SIGBUS);
	if (atomic_load(&sdtkit_record_has_traps))
		sigdelset(copy, SIGTRAP);
	return copy;
}

SDTKIT_PRELOAD_REPLACED
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
	struct sigaction copy;

	if (sdtkit_record_note_action(number, new, old))
		return 0;
	if (new == NULL)
		return next_sigaction()(number, new, old);
	copy = *new;
	sdtkit_preload_without(&new->sa_mask, &copy.sa_mask);
	return next_sigaction()(number, &copy, old);
}

SDTKIT_PRELOAD_REPLACED
sighandler_t signal(int number, sighandler_t handler)
{
	const struct sigaction new = { .sa_handler = handler,
				       .sa_flags = SA_RESTART };
	struct sigaction old;

	if (sdtkit_record_note_action(number, &new, &old))
		return old.sa_handler;
	return next_signal()(number, handler);
}
