/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that a preloaded library replaces by their names:
 *
 *	signals.c	install handlers, but not for the signals of hits
 *	masks.c		block signals, but not those of hits
 *	dlopen.c	attaches to what was opened
 *
 * libsdtkit-trace.so and libsdtkit-recorder.so compile these files and
 * replace.c. Each library defines the last three functions below, which these
 * files call.
 */
#ifndef SDTKIT_PRELOAD_REPLACE_H
#define SDTKIT_PRELOAD_REPLACE_H

#include <signal.h>
#include <stdbool.h>

#include "disposition.h"

#define SDTKIT_PRELOAD_REPLACED __attribute__((visibility("default")))

/*
 * Returns the next function of this name, which is usually the C library's. It
 * is looked up when the library is loaded, since signal handlers may not do
 * that, or by the first caller if that comes earlier.
 *
 *	SDTKIT_PRELOAD_NEXT(signal)	defines next_signal()
 */
typedef void sdtkit_preload_function(void);
sdtkit_preload_function *
sdtkit_preload_next(sdtkit_preload_function **kept, const char *name);

#define SDTKIT_PRELOAD_NEXT(name)					\
	static __typeof__(&name) next_##name(void)			\
	{								\
		static sdtkit_preload_function *kept;			\
									\
		return (__typeof__(&name))				\
			sdtkit_preload_next(&kept, #name);		\
	}								\
									\
	__attribute__((constructor)) static void find_##name(void)	\
	{								\
		next_##name();						\
	}

/*
 * Between these two calls, the functions that the library replaces do for this
 * thread what the C library's do: signals of traps are really changed, and
 * libraries that are opened are not scanned.
 */
void sdtkit_preload_enter(void);
void sdtkit_preload_leave(void);
/* Returns whether this thread is between them. */
bool sdtkit_preload_inside(void);

/* Returns the C library's sigaction(2), since that name is the library's. */
sdtkit_sigaction_function *sdtkit_preload_sigaction(void);

/*
 * Does for a signal that hits raise what the program's sigaction(2) would have
 * done, and leaves the library's handler where it is. Returns false if the
 * signal is another one: then nothing was done.
 */
bool sdtkit_preload_note_action(int number, const struct sigaction *new,
				struct sigaction *old);

/*
 * Copies the set without the signals that a hit may raise, and that the program
 * may not block. Returns what is to be used; NULL stays NULL.
 */
const sigset_t *sdtkit_preload_without(const sigset_t *set, sigset_t *copy);

/*
 * Attaches to libraries that were opened, and forgets those that were closed.
 */
void sdtkit_preload_rescan(void);

#endif /* SDTKIT_PRELOAD_REPLACE_H */
