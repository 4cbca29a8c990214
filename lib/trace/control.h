/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory by which "sdtkit trace" and the programs that it traces agree:
 * orders in one direction, counts and texts in the other. Hits do not go
 * through it. They go through the file of a recorder (lib/record/file.h), which
 * "sdtkit trace" makes and all traced processes join.
 *
 *	sdtkit trace			traced processes
 *	orders		--control-->	libsdtkit-trace.so
 *	messages	<--control--
 *	reader		<--record---	rings, one for each thread
 *
 * Both are files in memory without a name. The environment of the programs has
 * the path of the control, SDTKIT_TRACE=/proc/4710/fd/5, and its orders say
 * which descriptor beside it is the record.
 *
 * Invariant: the reader believes nothing, since a traced program may write here
 * by mistake.
 */
#ifndef SDTKIT_TRACE_CONTROL_H
#define SDTKIT_TRACE_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SDTKIT_TRACE_PATTERNS = 64 * 1024,
	SDTKIT_TRACE_TEXT = 512,
};

/* The name of the file in memory, and the version of its layout. */
#define SDTKIT_TRACE_NAME	"sdtkit-trace"
#define SDTKIT_TRACE_VERSION	0x7364747472630001

/* What the traced side has to do; set before it starts. */
struct sdtkit_trace_orders {
	/* A library of another version does nothing. */
	uint64_t version;
	/* The descriptor of the record, in the process of this file's path. */
	int32_t record;
	/* How many filters of system calls "sdtkit trace" has: where.h. */
	uint32_t filters;
	/* Longer strings are cut to so many bytes. */
	uint32_t string_limit;
	/* Do not trace children. */
	bool no_children;
	/* With filters: ../record/filter.h. */
	char patterns[SDTKIT_TRACE_PATTERNS];
};

/* A text from the first process that has one. */
struct sdtkit_trace_text {
	/* 1: being written, 2: complete. */
	_Atomic uint32_t state;
	char text[SDTKIT_TRACE_TEXT];
};

struct sdtkit_trace_control {
	struct sdtkit_trace_orders orders;
	/* How many programs were started with the library. */
	_Atomic uint64_t programs;
	/* How many of them have attached to their probes. */
	_Atomic uint64_t ready;
	/*
	 * Probes << 32 | sites, of the first program that has some; 0: none
	 * has.
	 */
	_Atomic uint64_t begun;
	/* How many of these sites have a trap; whose they are, and why. */
	_Atomic uint64_t traps;
	struct sdtkit_trace_text why_trap;
	/* Not 0: the first program itself has no probes. */
	_Atomic uint32_t none_at_first;
	/* How many sites were attached to, and how many could not be. */
	_Atomic uint64_t attached;
	_Atomic uint64_t left_out;
	/*
	 * Why sites could not be attached to; which probes are similar to the
	 * patterns.
	 */
	struct sdtkit_trace_text problem;
	struct sdtkit_trace_text hint;
	/*
	 * Which pattern matches nothing in the first program, and what is
	 * similar.
	 */
	struct sdtkit_trace_text unmatched;
	/*
	 * How many processes restricted their system calls, so that tracing
	 * them ended.
	 */
	_Atomic uint64_t locked_up;
};

void sdtkit_trace_tell(struct sdtkit_trace_text *to, const char *text);

/*
 * For the reader: the text that a program has told, or the other text if none
 * has.
 */
const char *sdtkit_trace_told(struct sdtkit_trace_text *from,
			      const char *other);

#endif /* SDTKIT_TRACE_CONTROL_H */
