/* SPDX-License-Identifier: BSD-2-Clause */
/* What each tracer can read, as it was measured: docs/consumers.md. */
#ifndef SDTKIT_TOOL_TRACERS_H
#define SDTKIT_TOOL_TRACERS_H

#include <stdbool.h>
#include <stddef.h>

#include "sdtkit/notes.h"

enum tracer {
	BPFTRACE,
	PERF,
	GDB,
	STAP,
	DTRACE,
	BCC,
	TRACER_COUNT,
};

extern const char *const tracer_names[TRACER_COUNT];

/* Sets of tracers have bits 1 << enum tracer. */
enum { TRACERS_ALL = (1 << TRACER_COUNT) - 1 };

/*
 * Adds "bpftrace,perf" to the set. Returns the word that is not a tracer, or
 * NULL.
 */
const char *tracers_parse(const char *text, unsigned int *set);

/* Writes "bpftrace, perf"; the buffer holds 64 bytes. */
enum { TRACERS_TEXT = 64 };
const char *tracers_text(unsigned int set, char *buffer);

/*
 * Returns the tracers that cannot read so many arguments: if attached is true,
 * those that attach and miss some; otherwise those that do not attach.
 */
unsigned int tracers_that_miss(size_t argument_count, unsigned int machine,
			       bool attached);

/* Returns the tracers that read no arguments of any form on a machine. */
unsigned int tracers_without_machine(unsigned int machine);

/* A property of operands that some tracers cannot handle. */
struct trait {
	/* "a constant" */
	const char *text;
	/*
	 * Sets of tracers: those that cannot read it, read it wrongly, or may
	 * not know it.
	 */
	unsigned int unreadable;
	unsigned int misread;
	unsigned int untried;
};

/*
 * Returns the traits of an operand one by one; set *row to 0 before the first
 * call. Returns NULL at the end.
 */
const struct trait *tracers_next_trait(const struct sdtkit_operand *operand,
				       unsigned int machine, size_t *row);

#endif /* SDTKIT_TOOL_TRACERS_H */
