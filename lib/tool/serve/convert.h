/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of sdtkit top as rows of sdtkit serve. */
#ifndef SDTKIT_TOOL_SERVE_CONVERT_H
#define SDTKIT_TOOL_SERVE_CONVERT_H

#include "serve/rows.h"
#include "top/engine.h"
#include "top/plan.h"
#include "top/rows.h"

/* Adds a row of a span to the report of a second. */
void convert_span(const struct plan *plan, const struct serve_place *at,
		  const struct span_row *row, struct report *report);

/* Adds all else that sample_take() has returned, when all spans are there. */
void convert_report(const struct plan *plan, const struct serve_place *at,
		    const struct report *sample, struct report *report);

/* Fills a row of SERVE_SLOW. */
void convert_line(const struct engine *engine, const struct plan *plan,
		  const struct serve_place *at, const struct top_line *line,
		  struct slow_span *slow);

#endif /* SDTKIT_TOOL_SERVE_CONVERT_H */
