/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports a trace in the form that was asked for. */
#include <stddef.h>

#include "lib/base/clock.h"
#include "trace/count.h"
#include "trace/ctf.h"
#include "trace/json.h"
#include "trace/lines.h"
#include "trace/output.h"
#include "trace/report.h"
#include "trace/tracing.h"

uint64_t tracing_now(void)
{
	return sdtkit_nanoseconds(CLOCK_MONOTONIC);
}

bool tracing_open_report(const struct tracing *tracing)
{
	if (tracing->ctf != NULL)
		return tracing_ctf_open(tracing);
	return tracing_open_output(tracing) == 0;
}

void tracing_begin(struct tracing *tracing)
{
	if (tracing->ctf != NULL) {
		tracing_ctf_begin(tracing);
		return;
	}
	if (tracing->path != NULL)
		tracing_empty_output();
	if (tracing->json)
		tracing_json_begin(tracing);
	tracing_flush();
	tracing_forget_unwritten();
}

void tracing_gap(const struct tracing *tracing, uint64_t lost, uint64_t time)
{
	if (tracing_report_error(tracing) != 0 || tracing->count)
		return;
	if (tracing->ctf != NULL) {
		tracing_ctf_gap(lost);
		return;
	}
	if (tracing->json)
		tracing_json_gap(tracing, lost, time);
	else
		tracing_print_gap(tracing, lost, time);
	tracing_line_was_no_hit();
}

void tracing_hit(struct tracing *tracing, const struct sdtkit_tap_event *event)
{
	tracing->hits++;
	if (tracing_report_error(tracing) != 0) {
		tracing->lost++;
		return;
	}
	if (tracing->ctf != NULL)
		tracing_ctf_hit(event);
	else if (tracing->count)
		tracing_count(event);
	else if (tracing->json)
		tracing_json_hit(tracing, event);
	else
		tracing_print_line(tracing, event);
}

void tracing_settle(const struct tracing *tracing)
{
	if (tracing->ctf != NULL)
		tracing_ctf_settle(tracing_now());
	else
		tracing_flush();
}

int tracing_report_error(const struct tracing *tracing)
{
	return tracing->ctf != NULL ? tracing_ctf_error() :
				      tracing_output_error();
}

uint64_t tracing_report_unwritten(const struct tracing *tracing)
{
	return tracing->ctf != NULL ? tracing_ctf_unwritten() :
				      tracing_unwritten();
}

/*
 * What the last packets lose has not been counted yet. A snapshot ends with its
 * last hit, which may be long ago.
 */
static void end_ctf(struct tracing *tracing)
{
	uint64_t before = tracing_ctf_unwritten();

	tracing_ctf_end(tracing->is_snapshot ? tracing->start :
						   tracing_now());
	tracing->lost += tracing_ctf_unwritten() - before;
}

void tracing_end(struct tracing *tracing, const struct tracing_ending *ending)
{
	if (tracing->ctf != NULL) {
		end_ctf(tracing);
		return;
	}
	if (tracing->count)
		tracing_print_counts(tracing);
	if (tracing->json)
		tracing_json_end(tracing, ending);
	tracing_flush();
}
