/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Follows a source of hits, see follow.h.
 *
 *	sigtimedwait --> look --> rings --lib/record/read.h--> report.c
 *	     ^------------------------------------------------------'
 *
 * Invariant: nothing is waited for but signals and hits, so that it is all in
 * one loop without threads; hits that never end do not keep it from signals.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <time.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "trace/follow.h"
#include "trace/output.h"
#include "trace/report.h"
#include "trace/tracing.h"

enum {
	/*
	 * The pause between two looks at the rings: when there were few hits,
	 * and at most. There is none when there were many.
	 */
	PAUSE_MIN_US = 500,
	PAUSE_MAX_US = 20000,
	MANY = 256,
	/* Items between two looks at signals. */
	ITEMS_AT_A_TIME = 4096,
	/* How long to wait for a blocked output when a trace ends: a second. */
	LAST_TICKS = 10,
};

void tracing_ending_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGQUIT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGHUP);
}

/* Waits so long for a signal, and takes it. */
static bool wait_for_signal(struct tracing_source *source, long pause_us)
{
	const struct timespec time = { .tv_nsec = pause_us * 1000 };
	siginfo_t info;

	if (sigtimedwait(&source->signals, &info, &time) <= 0)
		return false;
	if (source->kind->take_signal != NULL)
		source->kind->take_signal(source, &info);
	else
		source->is_over = source->told_to_end = true;
	return true;
}

void tracing_take_signals(struct tracing_source *source)
{
	while (wait_for_signal(source, 0))
		;
}

/*
 * Called while the output is blocked. When a signal ends the trace, what there
 * is may still be written, but not for ever. How long the output was blocked
 * before the signal does not matter.
 */
static bool attend(void *context, int ticks)
{
	struct tracing_source *source = context;

	if (!source->told_to_end)
		source->ticks_before = ticks;
	else if (ticks == 1)
		source->ticks_before = 0;
	tracing_take_signals(source);
	source->kind->look(source);
	return !source->told_to_end ||
	       ticks - source->ticks_before < LAST_TICKS;
}

/* What -c and -w ask for. */
static bool has_enough(const struct tracing *tracing)
{
	return (tracing->max != 0 && tracing->hits == tracing->max) ||
	       tracing->is_over_time;
}

bool tracing_is_full(const struct tracing *tracing)
{
	return tracing_report_error(tracing) < 0 || has_enough(tracing);
}

static void say(struct tracing_source *source)
{
	if (source->kind->say != NULL)
		source->kind->say(source);
}

/* Reports that hits were lost. */
static void mark_gap(struct tracing_source *source, uint64_t lost,
		     uint64_t time)
{
	source->marked += lost;
	source->tracing->lost += lost;
	tracing_gap(source->tracing, lost, time);
}

static void take(struct tracing_source *source,
		 const struct sdtkit_record_item *item)
{
	if (has_enough(source->tracing) || (source->kind->is_wanted != NULL &&
					 !source->kind->is_wanted(source, item)))
		return;
	if (item->event != NULL)
		tracing_hit(source->tracing, item->event);
	else
		mark_gap(source, item->lost, item->time);
}

/*
 * Reports what there is, but a limited number; returns how many there were.
 * Behind an error there are none any more.
 */
static int drain(struct tracing_source *source)
{
	struct sdtkit_record_item item;
	int count = 0, ret = 0;

	while (count < ITEMS_AT_A_TIME && source->error == 0 &&
	       (ret = sdtkit_record_next(source->reader, &item)) > 0) {
		count++;
		say(source);
		take(source, &item);
	}
	say(source);
	tracing_settle(source->tracing);
	if (ret < 0) {
		source->error = ret;
		tool_complain("%s", sdtkit_record_error());
	}
	if (source->error != 0 || tracing_is_full(source->tracing))
		sdtkit_record_end(source->reader);
	return count;
}

static void read_hits(struct tracing_source *source)
{
	struct tracing *tracing = source->tracing;
	uint64_t begin = tracing_now();
	int count = ITEMS_AT_A_TIME;
	long pause = PAUSE_MIN_US;

	while (!source->is_over) {
		wait_for_signal(source, count > MANY ? 0 : pause);
		tracing->is_over_time = tracing->wait_ns != 0 &&
			tracing_now() - begin >= tracing->wait_ns;
		source->kind->look(source);
		count = drain(source);
		if (count > 0)
			pause = PAUSE_MIN_US;
		else if (pause < PAUSE_MAX_US)
			pause *= 2;
	}
}

/* Writers have ended, or are ended here, but in a file that is not ours. */
static void read_rest(struct tracing_source *source)
{
	bool is_ours = !source->is_shared && !source->tracing->is_snapshot;

	sdtkit_record_end(source->reader);
	while ((is_ours || !(source->told_to_end ||
			     tracing_is_full(source->tracing))) &&
	       drain(source) > 0)
		tracing_take_signals(source);
}

/*
 * What was lost behind the last hit. A snapshot does not know where, so it has
 * no line for it, but the sum is right, and a CTF trace has it at the end. With
 * -c or -w, hits after the last line are not wanted.
 */
static void report_rest(struct tracing_source *source)
{
	struct tracing *tracing = source->tracing;
	struct sdtkit_record_info info;

	sdtkit_record_info(source->reader, &info);
	if (source->is_shared || has_enough(tracing) ||
	    info.lost <= source->marked)
		return;
	if (tracing->is_snapshot && tracing->ctf == NULL)
		tracing->lost += info.lost - source->marked;
	else
		mark_gap(source, info.lost - source->marked, tracing_now());
}

void tracing_follow(struct tracing_source *source)
{
	tracing_while_blocked(attend, source);
	tracing_begin(source->tracing);
	read_hits(source);
	read_rest(source);
	report_rest(source);
	source->tracing->lost += tracing_report_unwritten(source->tracing);
}
