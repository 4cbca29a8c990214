/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program of a hit at the sites of a plan. Spans that share a site are one
 * part, which is attached or let go as a whole; all probes without a span are
 * one.
 */
#ifndef SDTKIT_TOOL_TOP_ATTACH_H
#define SDTKIT_TOOL_TOP_ATTACH_H

#include <stdbool.h>

#include "lib/uprobe/find.h"
#include "top/plan.h"

struct bpf_program;

/* A part has the number of one of its spans; the last one has the probes. */
enum { ATTACH_PROBES = TOP_SPANS, ATTACH_PARTS };

/*
 * To be called before the program is loaded. Without parts, all spans are one.
 * What is passed has to remain.
 */
void attach_begin(struct bpf_program *hit, const struct plan *plan,
		  const struct found *found, bool parts);

/* The part of a span, or of ATTACH_PROBES. */
unsigned int attach_part_of(unsigned int span);

/* The spans of a part, a bit for each. */
unsigned long long attach_spans(unsigned int part);

/* These return false after a complaint. Links remain, unless they are let go. */
bool attach_all(void);
bool attach_part(unsigned int part);

/* Returns when the program does not run for the part any more. */
void attach_let_go(unsigned int part);

/*
 * Measures what a hit costs without what the program does: nanoseconds. The
 * program must do nothing yet. Returns 0 if that is not possible.
 */
double attach_price(void);

#endif /* SDTKIT_TOOL_TOP_ATTACH_H */
