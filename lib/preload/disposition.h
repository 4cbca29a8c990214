/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the program wants to be done with a signal whose handler is ours:
 *
 *	program: sigaction(SIGTRAP, &its, NULL)  -->  set()
 *	kernel:  SIGTRAP  -->  our handler  -->  pass_on()  -->  its handler
 *
 * libsdtkit-tap, libsdtkit-recorder and libsdtkit-trace each have one for every
 * signal that they handle.
 *
 * Invariants:
 * 1. pass_on() does what the kernel would have done: the handler SIG_DFL or
 *    SIG_IGN counts whatever the flags are; SA_RESETHAND, SA_NODEFER and
 *    sa_mask take effect.
 * 2. get() and pass_on() never wait, not even in a handler that interrupts a
 *    set(), and get what one set() gave, whole.
 */
#ifndef SDTKIT_PRELOAD_DISPOSITION_H
#define SDTKIT_PRELOAD_DISPOSITION_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

enum {
	SDTKIT_DISPOSITION_WORDS = sizeof(struct sigaction) / sizeof(long),
};
_Static_assert(sizeof(struct sigaction) % sizeof(long) == 0,
	       "struct sigaction is copied word by word");

/* All zeros: SIG_DFL. */
struct sdtkit_disposition {
	/* The process that is setting it, or 0. */
	_Atomic pid_t setter;
	/* How often it was set; the lowest bit is the copy that is valid. */
	atomic_uint version;
	atomic_ulong copies[2][SDTKIT_DISPOSITION_WORDS];
};

/* sigaction(2), or the C library's where that name is ours. */
typedef int sdtkit_sigaction_function(int number, const struct sigaction *new,
				      struct sigaction *old);

void sdtkit_disposition_get(struct sdtkit_disposition *disposition,
			    struct sigaction *action);

/* As sigaction(2): new or old may be NULL. Async-signal-safe. */
void sdtkit_disposition_set(struct sdtkit_disposition *disposition,
			    const struct sigaction *new, struct sigaction *old);

/*
 * Installs our handler, and sets the disposition to what was there before, even
 * if another thread installs a handler meanwhile. Does nothing if ours is
 * there. Returns whether it was installed.
 */
bool sdtkit_disposition_take(struct sdtkit_disposition *disposition, int number,
			     const struct sigaction *ours,
			     sdtkit_sigaction_function *set);

/*
 * To be called by our handler, with its arguments, for a signal that is not
 * ours. The program's handler runs with the signals blocked that the kernel
 * would have blocked, without those of `open`, which hits raise.
 */
void sdtkit_disposition_pass_on(struct sdtkit_disposition *disposition,
				int number, siginfo_t *info, void *context,
				const sigset_t *open);

#endif /* SDTKIT_PRELOAD_DISPOSITION_H */
