/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libsdtkit-trace.so: what "sdtkit trace" has the loader put into COMMAND.
 *
 *	LD_PRELOAD=/usr/lib/.../libsdtkit-trace.so SDTKIT_TRACE=/proc/17/fd/5
 *
 *	preload.c	opens the ring, attaches a tap; each hit is an entry
 *	patience.c	waits for the reader if the ring is full
 *	self.c		which process that is
 *	signals.c	keeps the signals of traps, whatever the program does
 *	masks.c		does not let it block them
 *	dlopen.c	attaches to libraries that are opened later
 *	seccomp.c	lets go of a process that locks itself up
 *	unmatched.c	tells of patterns that match nothing
 *
 * It leaves no traces in the program: no thread, no descriptor, no output, and
 * no symbol but those of the functions that it replaces.
 */
#ifndef SDTKIT_TRACE_PRELOAD_H
#define SDTKIT_TRACE_PRELOAD_H

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
 * Between these two calls, the functions that this library replaces do for this
 * thread what the C library's do: signals of traps are really changed, and
 * libraries that are opened are not scanned.
 */
void sdtkit_preload_enter(void);
void sdtkit_preload_leave(void);
bool sdtkit_preload_inside(void);

/*
 * Copies the set without the signals that a hit may raise, and that the program
 * may not block. Returns what is to be used; NULL stays NULL.
 */
const sigset_t *sdtkit_preload_without(const sigset_t *set, sigset_t *copy);

/*
 * Unblocks the signals of traps and remembers the program's handlers; to be
 * called before the first trap.
 */
void sdtkit_preload_take_signals(void);

/*
 * Attaches to libraries that were opened, and forgets those that were closed.
 */
void sdtkit_preload_rescan(void);

/* Stops tracing this process for good. */
void sdtkit_preload_end(void);

struct sdtkit_ring;
struct sdtkit_tap;

/* Tells the reader the first pattern that matches nothing so far. */
void sdtkit_preload_check_patterns(struct sdtkit_ring *ring,
				   struct sdtkit_tap *tap);

#endif /* SDTKIT_TRACE_PRELOAD_H */
