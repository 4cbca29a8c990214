/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits as lines for people. */
#ifndef SDTKIT_TOOL_LINES_H
#define SDTKIT_TOOL_LINES_H

#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;

void tracing_print_line(const struct tracing *tracing,
			const struct sdtkit_tap_event *event);
void tracing_print_gap(const struct tracing *tracing, uint64_t lost,
		       uint64_t time);

#endif /* SDTKIT_TOOL_LINES_H */
