/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that the shared library replaces, so that its
 * handlers stay where they are whatever the program does:
 *
 *	sigaction(SIGSEGV, ...)		what the program wants is noted, and
 *					called when a fault is the program's:
 *					../preload/signals.c
 *	pthread_sigmask(SIG_BLOCK, all)	all but the signals of faults and traps:
 *					../preload/masks.c
 *	dlopen()			attaches to the new library's probes
 *
 * Without this, a recorder that lost its handler would have the kernel copy
 * each string, and a thread that blocks SIGTRAP would die of a trap. The static
 * library replaces nothing.
 */
#define _GNU_SOURCE
#include <signal.h>

#include "../preload/replace.h"
#include "open_recorder.h"

void sdtkit_preload_rescan(void)
{
	sdtkit_preload_enter();
	sdtkit_record_rescan_all();
	sdtkit_preload_leave();
}

/* Before the constructor of preload.c, which installs handlers. */
__attribute__((constructor(101)))
static void find_real_sigaction(void)
{
	sdtkit_record_sigaction = sdtkit_preload_sigaction();
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

bool sdtkit_preload_note_action(int number, const struct sigaction *new,
				struct sigaction *old)
{
	return sdtkit_record_note_action(number, new, old);
}
