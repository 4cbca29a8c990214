/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is said about a recording, on standard error:
 *
 *	sdtkit trace: server: process 4711 has recorded 3 probes, 1200 hits of 4
 *	threads; 200 older hits were overwritten
 *	sdtkit trace: server: process 4713 wrote this when signal 11 (Segmentation
 *	fault) ended it
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "sdtkit/tap.h"
#include "trace/complaints.h"
#include "trace/recorded.h"
#include "trace/report.h"
#include "trace/tracing.h"

/*
 * How many of the recorded probes are wanted. A process that was asked for
 * patterns has described no others.
 */
static size_t count_probes(struct tracing *tracing,
			   struct sdtkit_record_reader *reader)
{
	const struct sdtkit_tap_probe *probe;
	size_t count = 0, i;

	for (i = 0; (probe = sdtkit_record_probe_at(reader, i)) != NULL; i++) {
		if (patterns_fit(&tracing->patterns, probe->provider,
				 probe->probe))
			count++;
	}
	return count;
}

static void say_dump(const struct sdtkit_record_info *info)
{
	if (info->dump_time == 0)
		return;
	if (info->dump_signal != 0)
		tool_complain("%s: process %d wrote this when signal %d (%s) "
			      "ended it", info->program, (int)info->dump_pid,
			      info->dump_signal, strsignal(info->dump_signal));
	else
		tool_complain("%s: process %d wrote this because the program "
			      "said so", info->program, (int)info->dump_pid);
}

static size_t count_all_probes(struct sdtkit_record_reader *reader)
{
	size_t count = 0;

	while (sdtkit_record_probe_at(reader, count) != NULL)
		count++;
	return count;
}

bool tracing_is_recorded(struct tracing *tracing,
			 struct sdtkit_record_reader *reader)
{
	return !tracing->is_snapshot || count_probes(tracing, reader) > 0 ||
	       patterns_complain(&tracing->patterns);
}

/* Hits are counted by ring, so the numbers are those of all probes. */
static void say_snapshot(struct sdtkit_record_reader *reader,
			 const struct sdtkit_record_info *info, size_t wanted)
{
	unsigned long long gone = info->overwritten;
	unsigned long long events = info->events - gone;
	size_t probes = count_all_probes(reader);
	char older[64] = "", chosen[64] = "";

	if (gone > 0)
		snprintf(older, sizeof(older), "; %llu older hit%s overwritten",
			 gone, gone == 1 ? " was" : "s were");
	if (wanted < probes)
		snprintf(chosen, sizeof(chosen), "; %zu of the probes %s "
			 "chosen", wanted, wanted == 1 ? "is" : "are");
	tool_complain("%s: process %d has recorded %zu probe%s, %llu hit%s of "
		      "%u thread%s%s%s", info->program, (int)info->pid, probes,
		      tool_plural(probes), events, tool_plural(events),
		      info->rings_used, tool_plural(info->rings_used), older,
		      chosen);
	say_dump(info);
}

void tracing_say_recorded(struct tracing *tracing,
			  struct sdtkit_record_reader *reader)
{
	struct sdtkit_record_info info;
	size_t probes = count_probes(tracing, reader);

	if (tracing->quiet)
		return;
	sdtkit_record_info(reader, &info);
	if (tracing->is_snapshot)
		say_snapshot(reader, &info, probes);
	else
		tool_complain("%s: process %d records %zu probe%s",
			      info.program, (int)info.pid, probes,
			      tool_plural(probes));
	if (probes == 0)
		patterns_complain(&tracing->patterns);
}

void tracing_complain_of_recording(const struct tracing *tracing,
				   struct sdtkit_record_reader *reader)
{
	int error = tracing_report_error(tracing);
	struct sdtkit_record_info info;

	sdtkit_record_info(reader, &info);
	if (error != 0) {
		tracing_complain_of_output(tracing, error);
		return;
	}
	if (tracing->hits == 0)
		tool_complain("%s: none of these probes %s%s", info.program,
			      tracing->is_snapshot ? "has been hit" :
			      "was hit while they were followed",
			      tracing->asked != NULL &&
			      patterns_has_filter(tracing->asked) ?
			      ", or no hit passed a filter" : "");
	if (tracing->lost > 0)
		tool_complain("%llu hit%s lost",
			      (unsigned long long)tracing->lost,
			      tracing->lost == 1 ? " was" : "s were");
	if (info.no_ring > 0)
		tool_complain("%llu hit%s not recorded, because the file has "
			      "only %u rings, one for each thread: give the "
			      "recorder a larger one",
			      (unsigned long long)info.no_ring,
			      info.no_ring == 1 ? " was" : "s were",
			      info.ring_count);
	tracing_complain_of_damage(&info);
}
