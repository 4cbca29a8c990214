/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the C library that a preloaded library replaces by their names:
 *
 *	masks.c		those that block signals: not those that hits raise
 *	dlopen.c	attaches to what was opened
 *
 * libsdtkit-trace.so and libsdtkit-recorder.so compile both files. What they
 * need, each library has in its own way: the functions below.
 */
#ifndef SDTKIT_PRELOAD_REPLACE_H
#define SDTKIT_PRELOAD_REPLACE_H

#include <signal.h>
#include <stdbool.h>

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
 * Returns whether this thread is in the library itself: then the functions that
 * it replaces do what the C library's do.
 */
bool sdtkit_preload_inside(void);

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
