/* SPDX-License-Identifier: BSD-2-Clause */
/* What tracers can read: facts that were measured, docs/consumers.md. */
#ifndef SDTKIT_TOOL_CONSUMERS_H
#define SDTKIT_TOOL_CONSUMERS_H

#include <stdbool.h>
#include <stddef.h>

#include "sdtkit/notes.h"

enum consumer {
	BPFTRACE,
	PERF,
	GDB,
	STAP,
	DTRACE,
	BCC,
	CONSUMER_COUNT,
};

extern const char *const consumer_names[CONSUMER_COUNT];

/* Sets of them: bit 1 << enum consumer. */
enum { CONSUMERS_ALL = (1 << CONSUMER_COUNT) - 1 };

/* "bpftrace,perf", into the set; returns the word that is none, or NULL. */
const char *consumers_parse(const char *text, unsigned int *set);

/* "bpftrace, perf"; the buffer holds 64. */
enum { CONSUMERS_TEXT = 64 };
const char *consumers_text(unsigned int set, char *buffer);

/*
 * Those for which this is too many arguments: they attach and miss some, or
 * they do not attach.
 */
unsigned int consumers_that_miss(size_t argument_count, unsigned int machine,
				 bool attached);

/* Those that read no arguments at all on a machine, of any form. */
unsigned int consumers_without_machine(unsigned int machine);

/* What is noteworthy about an operand: a row of the table. */
struct trait {
	/* "a constant" */
	const char *text;
	/* Sets of those that do not read it, read it wrongly, may not know. */
	unsigned int unreadable;
	unsigned int misread;
	unsigned int untried;
};

/*
 * The traits of an operand, one by one from *row on, which is 0 at first.
 * NULL at the end.
 */
const struct trait *consumers_next_trait(const struct sdtkit_operand *operand,
					 unsigned int machine, size_t *row);

#endif /* SDTKIT_TOOL_CONSUMERS_H */
