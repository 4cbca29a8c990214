/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sdtkit trace says when COMMAND begins, on standard error:
 *
 *	sdtkit trace: ./server: tracing 3 probes at 5 sites
 *	sdtkit trace: ./server: tracing 3 probes at 5 sites; 2 sites by trap,
 *	of libstdcxx: REASON
 *	sdtkit trace: ./server: no probe matches 'helo:*' so far; similar
 *	ones: hello:greet; ...
 *
 * A shell, or a server whose probes are in a plugin, has no probes at first.
 * Then the first line comes when there are some.
 */
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/trace/control.h"
#include "trace/start.h"
#include "trace/tracing.h"

static const char later[] = "libraries that it opens and programs that it "
			    "starts may have some";

static void say_count(const struct tracing *tracing, struct sdtkit_trace_control *control)
{
	uint64_t begun = atomic_load(&control->begun);
	unsigned long probes = (unsigned long)(begun >> 32);
	unsigned long sites = (unsigned long)(begun & UINT32_MAX);
	unsigned long traps = (unsigned long)atomic_load(&control->traps);
	char by_trap[64 + SDTKIT_TRACE_TEXT] = "";

	if (traps > 0)
		snprintf(by_trap, sizeof(by_trap), "; %lu site%s by trap, %s",
			 traps, traps == 1 ? "" : "s",
			 sdtkit_trace_told(&control->why_trap, "unknown"));
	tool_complain("%s: tracing %lu probe%s at %lu site%s%s",
		      tracing->command[0], probes, probes == 1 ? "" : "s",
		      sites, sites == 1 ? "" : "s", by_trap);
}

/*
 * Names the pattern that matches nothing or, without patterns, says that there
 * are no probes.
 */
static void say_unmatched(const struct tracing *tracing,
			  struct sdtkit_trace_control *control)
{
	const char *text = sdtkit_trace_told(&control->unmatched, NULL);

	if (tracing->patterns.count > 0 && text != NULL)
		tool_complain("%s: %s; %s", tracing->command[0], text,
			      later);
	else if (atomic_load(&control->none_at_first))
		tool_complain("%s: no probes so far; %s",
			      tracing->command[0], later);
}

void tracing_say_start(const struct tracing *tracing, struct sdtkit_trace_control *control)
{
	static bool begun, counted;
	bool first = !begun, none = atomic_load(&control->none_at_first);

	if (counted || tracing->quiet || atomic_load(&control->ready) == 0)
		return;
	begun = true;
	/* The other sites that cannot be attached to are reported at the end. */
	if (first && none && atomic_load(&control->left_out) == 0)
		say_unmatched(tracing, control);
	else if (first && none)
		tool_complain("%s: no site is traced so far: %s",
			      tracing->command[0],
			      sdtkit_trace_told(&control->problem, "unknown"));
	if (atomic_load(&control->begun) == 0)
		return;
	say_count(tracing, control);
	counted = true;
	if (!none)
		say_unmatched(tracing, control);
}
