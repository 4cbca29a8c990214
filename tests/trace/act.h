/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The acts of this room's program, each of which does what a real program may
 * do.
 */
#ifndef ACT_H
#define ACT_H

#include "act_probes.h"

/* Files that acts are in: values.c, processes.c, signals.c, limits.c. */
struct act {
	const char *name;
	/*
	 * Gets the argument of the command line, or ""; returns the exit
	 * status.
	 */
	int (*run)(const char *argument);
};

extern const struct act value_acts[];
extern const struct act process_acts[];
extern const struct act signal_acts[];
extern const struct act limit_acts[];

#endif /* ACT_H */
