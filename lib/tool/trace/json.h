/* SPDX-License-Identifier: BSD-2-Clause */
/* Hits as lines for programs: docs/trace.schema.json. */
#ifndef SDTKIT_TOOL_TRACE_JSON_H
#define SDTKIT_TOOL_TRACE_JSON_H

#include <stdint.h>

struct sdtkit_tap_event;
struct tracing;
struct tracing_ending;

void tracing_json_begin(const struct tracing *tracing);
void tracing_json_hit(const struct tracing *tracing,
		      const struct sdtkit_tap_event *event);
void tracing_json_gap(const struct tracing *tracing, uint64_t lost,
		      uint64_t time);
void tracing_json_count(const char *provider, const char *probe,
			uint64_t hits);
void tracing_json_end(const struct tracing *tracing,
		      const struct tracing_ending *ending);

#endif /* SDTKIT_TOOL_TRACE_JSON_H */
