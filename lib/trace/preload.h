/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libsdtkit-trace.so: what "sdtkit trace" has the loader put into COMMAND.
 *
 *	LD_PRELOAD=/usr/lib/.../libsdtkit-trace.so SDTKIT_TRACE=/proc/17/fd/5
 *
 *	preload.c	opens a recorder that writes what "sdtkit trace" reads
 *	self.c		whether this process has a memory of its own
 *	signals.c	keeps the signals of traps, whatever the program does
 *	exec.c		keeps the library from programs that cannot have it
 *	seccomp.c	lets go of a process that locks itself up
 *	unmatched.c	tells of patterns that match nothing
 *
 * ../preload has what it shares with libsdtkit-recorder.so: functions that
 * handle and block signals, and dlopen().
 *
 * It leaves no traces in the program: no thread, no descriptor, no output, and
 * no symbol but those of the functions that it replaces.
 */
#ifndef SDTKIT_TRACE_PRELOAD_H
#define SDTKIT_TRACE_PRELOAD_H

#include "../preload/replace.h"

/*
 * Unblocks the signals of traps and remembers the program's handlers; to be
 * called before the first trap.
 */
void sdtkit_preload_take_signals(void);

/* Stops tracing this process for good. */
void sdtkit_preload_end(void);

struct sdtkit_trace_control;
struct sdtkit_recorder;

/* Tells the reader the first pattern that matches nothing so far. */
void sdtkit_preload_check_patterns(struct sdtkit_trace_control *control,
				   const struct sdtkit_recorder *recorder);

#endif /* SDTKIT_TRACE_PRELOAD_H */
