/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The acts of this room's program, each of which does what a real program may
 * do: values.c, processes.c, signals.c, limits.c.
 */
#ifndef ACT_H
#define ACT_H

#include "act_probes.h"

struct act {
	const char *name;
	int (*run)(const char *argument);
	const struct act *next;
};

extern const struct act *acts;

/*
 * An act: gets the argument of the command line, or ""; returns the exit
 * status.
 */
#define ACT(name)							\
static int name(const char *argument);					\
__attribute__((constructor))						\
static void add_##name(void)						\
{									\
	static struct act act = { #name, name, 0 };			\
									\
	act.next = acts;						\
	acts = &act;							\
}									\
static int name(const char *argument)

#endif /* ACT_H */
