/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages at the end of a trace, see complaints.h. */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "lib/trace/control.h"
#include "trace/complaints.h"
#include "trace/executable.h"
#include "trace/report.h"
#include "trace/tracing.h"

bool tracing_is_overwritten(const struct sdtkit_trace_control *control)
{
	return control->orders.version != SDTKIT_TRACE_VERSION;
}

static unsigned long long load(_Atomic uint64_t *number)
{
	return (unsigned long long)atomic_load(number);
}

static void complain_of_no_probes(const char *command)
{
	tool_complain("%s: neither the program nor its libraries have probes; "
		      "'sdtkit list' lists those of a file", command);
	tool_complain("%s: if it changes to another user or clears its "
		      "environment, sdtkit trace cannot follow it", command);
}

/* What the message at the start has said already is not said twice. */
static void complain_of_no_match(const struct tracing *tracing,
				 struct sdtkit_trace_control *control)
{
	const char *first = sdtkit_trace_told(&control->unmatched, "");
	const char *hint = sdtkit_trace_told(&control->hint, NULL);

	if (!tracing->quiet && hint != NULL && strstr(first, hint) != NULL)
		tool_complain("%s: no probe has matched", tracing->command[0]);
	else
		tool_complain("%s: no probe matches; %s", tracing->command[0],
			      hint != NULL ? hint :
			      "'sdtkit list' lists those of a file");
}

static void complain_of_silence(const struct tracing *tracing,
				struct sdtkit_trace_control *control)
{
	const char *command = tracing->command[0];

	if (load(&control->programs) == 0 && tracing_has_asan(command))
		tool_complain("%s: it is built with AddressSanitizer, "
			      "which refuses to run if another library is "
			      "loaded first: set "
			      "ASAN_OPTIONS=verify_asan_link_order=0 in the "
			      "environment", command);
	else if (load(&control->programs) == 0)
		tool_complain("%s: libsdtkit-trace.so was not loaded: "
			      "did the loader fail, or did something clear "
			      "the environment?", command);
	else if (load(&control->attached) + load(&control->left_out) == 0 &&
		 tracing->patterns.count > 0)
		complain_of_no_match(tracing, control);
	else if (load(&control->attached) + load(&control->left_out) == 0)
		complain_of_no_probes(command);
	else
		tool_complain("%s: none of its probes has fired (%llu site%s "
			      "traced)", command, load(&control->attached),
			      load(&control->attached) == 1 ? " was" : "s were");
}

/* What follows a number of lost hits. */
static const char *was_or_were(const struct tracing *tracing)
{
	return tracing->lost == 1 ? " was" : "s were";
}

void tracing_complain_of_damage(const struct sdtkit_record_info *info)
{
	if (info->damaged > 0)
		tool_complain("the memory of %u thread%s was overwritten by "
			      "the program: hits were lost", info->damaged,
			      tool_plural(info->damaged));
}

void tracing_complain(const struct tracing *tracing,
		      struct sdtkit_trace_control *control,
		      const struct sdtkit_record_info *info)
{
	const char *problem;

	/* No process closes the file while its library is intact. */
	if (tracing_is_overwritten(control) || info->was_closed) {
		tool_complain("%s: the program has overwritten the memory "
			      "that it shares with sdtkit: hits were lost",
			      tracing->command[0]);
		return;
	}
	if (tracing->hits == 0 && tracing_report_error(tracing) == 0)
		complain_of_silence(tracing, control);
	problem = sdtkit_trace_told(&control->problem, NULL);
	if (problem != NULL)
		tool_complain("%llu site%s not traced: %s",
			      load(&control->left_out),
			      load(&control->left_out) == 1 ? " was" : "s were",
			      problem);
	if (load(&control->locked_up) > 0)
		tool_complain("processes that were not traced any more when "
			      "they had restricted their system calls "
			      "(seccomp): %llu", load(&control->locked_up));
	if (tracing->lost > 0 && tracing_report_error(tracing) == 0)
		tool_complain("%llu hit%s lost",
			      (unsigned long long)tracing->lost,
			      was_or_were(tracing));
	tracing_complain_of_damage(info);
}

/*
 * After the failure no hits of COMMAND were recorded, so nobody knows how many
 * there were.
 */
void tracing_complain_of_output(const struct tracing *tracing, int error)
{
	const char *to = tracing_is_reading(tracing) ? "standard output" :
						       "standard error";
	char lost[64] = "";

	if (tracing->path != NULL)
		to = tracing->path;
	if (tracing->ctf != NULL)
		to = tracing->ctf;
	if (tracing->lost > 0)
		snprintf(lost, sizeof(lost), "; at least %llu hit%s lost",
			 (unsigned long long)tracing->lost,
			 was_or_were(tracing));
	tool_complain("cannot write to %s: %s%s",
		      to,
		      error == -EINTR ? "nobody read it until a signal ended "
		      "the trace" : strerror(-error), lost);
}
