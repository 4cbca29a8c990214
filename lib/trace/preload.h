/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libsdtkit-trace.so: what "sdtkit trace" has the loader put into COMMAND.
 *
 *	LD_PRELOAD=/usr/lib/.../libsdtkit-trace.so SDTKIT_TRACE=/proc/17/fd/5
 *
 *	preload.c	opens the ring, attaches a tap; each hit is a record
 *	self.c		which process that is
 *	signals.c	keeps the signals of traps, whatever the program does
 *	dlopen.c	attaches to libraries that are opened later
 *	seccomp.c	lets go of a process that locks itself up
 *	unmatched.c	tells of patterns that match nothing
 *
 * It stays out of the program's way: no thread, no descriptor, no output, no
 * symbol but those of the functions that it replaces.
 */
#ifndef SDTKIT_TRACE_PRELOAD_H
#define SDTKIT_TRACE_PRELOAD_H

#include <stdbool.h>

#define SDTKIT_PRELOAD_REPLACED __attribute__((visibility("default")))

/*
 * The function that comes next, the C library's mostly.  It is looked up when
 * the library begins, for signal handlers may not do that, or by whoever calls
 * it before.
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
 * Between these two, this thread's calls are the library's own: the signals of
 * traps are really changed, and libraries that are opened are nobody's.
 */
void sdtkit_preload_enter(void);
void sdtkit_preload_leave(void);
bool sdtkit_preload_inside(void);

/* Before the first trap: makes its signals arrive. */
void sdtkit_preload_take_signals(void);

/* Libraries may have come or gone. */
void sdtkit_preload_rescan(void);

/* This process is not traced any more. */
void sdtkit_preload_end(void);

struct sdtkit_ring;
struct sdtkit_tap;

/* Tells of the first of the patterns that matches nothing so far. */
void sdtkit_preload_check_patterns(struct sdtkit_ring *ring,
				   struct sdtkit_tap *tap);

#endif /* SDTKIT_TRACE_PRELOAD_H */
