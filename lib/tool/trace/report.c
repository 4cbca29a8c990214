/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports a trace in the form that was asked for. */
#include <stddef.h>

#include "trace/count.h"
#include "trace/json.h"
#include "trace/lines.h"
#include "trace/output.h"
#include "trace/report.h"
#include "trace/tracing.h"

void tracing_begin(struct tracing *tracing)
{
	if (tracing->path != NULL)
		tracing_empty_output();
	if (tracing->json)
		tracing_json_begin(tracing);
	tracing_flush();
	tracing_forget_unwritten();
}

void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time)
{
	if (tracing_output_error() != 0 || tracing->count)
		return;
	if (tracing->json)
		tracing_json_gap(tracing, lost, time);
	else
		tracing_print_gap(tracing, lost, time);
	tracing_line_was_no_hit();
}

void tracing_hit(struct tracing *tracing, const struct sdtkit_tap_event *event)
{
	tracing->hits++;
	if (tracing_output_error() != 0) {
		tracing->lost++;
		return;
	}
	if (tracing->count)
		tracing_count(event);
	else if (tracing->json)
		tracing_json_hit(tracing, event);
	else
		tracing_print_line(tracing, event);
}

void tracing_end(struct tracing *tracing, int status, uint64_t left_out)
{
	if (tracing->count)
		tracing_print_counts(tracing);
	if (tracing->json)
		tracing_json_end(tracing, status, left_out);
	tracing_flush();
}
