/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --snapshot FILE, --snapshot -p PID and -p PID: reads what a
 * recorder has written, and reports it as the hits of a command.
 *
 *	file, or the socket of a process --> fd --> reader --> report.c
 *	                     attach.c               lib/record/read.h
 *
 * A snapshot reads what a flight recorder has anyway. A process that is followed
 * records a second time, with patterns of its own, until this ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "sdtkit/tap.h"
#include "trace/attach.h"
#include "trace/output.h"
#include "trace/recording.h"
#include "trace/report.h"
#include "trace/recorded.h"
#include "trace/tracing.h"

enum {
	/* The pause between two looks at what is new: at least, at most. */
	PAUSE_MIN_US = 500,
	PAUSE_MAX_US = 20000,
	/* Items between two looks at signals. */
	ITEMS_AT_A_TIME = 4096,
	/* How long to wait for a blocked output after a signal: a second. */
	LAST_TICKS = 10,
};

struct recording {
	struct tracing *tracing;
	struct sdtkit_record_reader *reader;
	/* The process that is followed has ended, or a signal ends it all. */
	bool has_ended;
	bool told_to_end;
	/* Hits of this process only; 0: of all. */
	pid_t only;
	/* Keeps the process recording for us; -1: it does not. */
	int connection;
};

static void watched_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

/*
 * Signals are looked at between hits. That of a file that may not grow is
 * ignored: the error of the write is sufficient.
 */
static void prepare_signals(void)
{
	sigset_t watched;

	watched_signals(&watched);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

/* Waits so long for a signal; 0: not at all. */
static void look_at_signals(struct recording *recording, long pause_us)
{
	struct timespec time = { .tv_nsec = pause_us * 1000 };
	sigset_t watched;

	watched_signals(&watched);
	if (sigtimedwait(&watched, NULL, &time) > 0)
		recording->told_to_end = true;
}

/* Called while the output is blocked. */
static bool attend(void *context, int ticks)
{
	struct recording *recording = context;

	look_at_signals(recording, 0);
	return !recording->told_to_end || ticks < LAST_TICKS;
}

static bool is_wanted(struct recording *recording,
		      const struct sdtkit_record_item *item)
{
	if (recording->only != 0 && item->pid != recording->only)
		return false;
	/* A process records what it was asked for. */
	return item->event == NULL || recording->connection >= 0 ||
	       patterns_fit(&recording->tracing->patterns,
			    item->event->probe->provider,
			    item->event->probe->probe);
}

static bool is_full(const struct tracing *tracing)
{
	return tracing_report_error(tracing) < 0 ||
	       (tracing->max != 0 && tracing->hits == tracing->max);
}

/*
 * Reports what there is, but a limited number. Returns how many there were, or
 * -errno.
 */
static int drain(struct recording *recording)
{
	struct tracing *tracing = recording->tracing;
	struct sdtkit_record_item item;
	int count = 0, ret = 0;

	while (count < ITEMS_AT_A_TIME && !is_full(tracing) &&
	       (ret = sdtkit_record_next(recording->reader, &item)) > 0) {
		count++;
		if (!is_wanted(recording, &item))
			continue;
		if (item.event != NULL) {
			tracing_hit(tracing, item.event);
			continue;
		}
		tracing->lost += item.lost;
		tracing_gap(tracing, item.lost, item.time);
	}
	tracing_settle(tracing);
	return ret < 0 ? ret : count;
}

/* What was written before the process ended is read after that. */
static bool is_last_look(struct recording *recording)
{
	const struct tracing *tracing = recording->tracing;

	if (tracing->is_snapshot || recording->has_ended)
		return true;
	recording->has_ended = sdtkit_record_is_closed(recording->reader) ||
			       !tracing_is_alive(tracing->pid);
	return false;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/*
 * Returns 0 or -errno. The youngest hits wait for others for a millisecond, so
 * that the end is there when two looks have found nothing, one behind a pause.
 */
static int follow(struct recording *recording)
{
	long pause = PAUSE_MIN_US;
	int count, last_looks = 0;

	while (!recording->told_to_end && !is_full(recording->tracing)) {
		bool is_last = is_last_look(recording);

		count = drain(recording);
		if (count < 0)
			return count;
		if (count == 0 && is_last &&
		    (++last_looks == 2 || recording->tracing->is_snapshot))
			break;
		if (count > 0)
			pause = PAUSE_MIN_US;
		else if (pause < PAUSE_MAX_US)
			pause *= 2;
		look_at_signals(recording, count > 0 ? 0 : pause);
	}
	return 0;
}

/* Returns a file descriptor, or -1 after a complaint. */
static int open_source(struct recording *recording)
{
	const struct tracing *tracing = recording->tracing;
	int fd;

	if (tracing->pid != 0 && tracing->is_snapshot)
		return tracing_snapshot(tracing->pid);
	if (tracing->pid != 0)
		return tracing_attach(tracing, &recording->connection);
	/* It may be a pipe, which nobody writes to. */
	fd = open(tracing->file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		tool_complain("%s: %s", tracing->file, strerror(errno));
	return fd;
}

static bool open_reader(struct recording *recording, int fd)
{
	const struct tracing *tracing = recording->tracing;
	unsigned int flags = tracing->is_snapshot ? 0 : SDTKIT_RECORD_FOLLOW;
	int ret;

	if (!tracing->is_snapshot && recording->connection < 0)
		flags |= SDTKIT_RECORD_FROM_NOW;
	ret = sdtkit_record_open(fd, flags, &recording->reader);
	if (ret == 0)
		return true;
	if (tracing->pid != 0)
		tool_complain("process %d: %s", (int)tracing->pid,
			      sdtkit_record_error());
	else
		tool_complain("%s: %s", tracing->file, sdtkit_record_error());
	return false;
}

/* Reports as for a command, which is the program that has recorded. */
static void describe(struct recording *recording, char **words)
{
	struct tracing *tracing = recording->tracing;
	struct sdtkit_record_info info;

	sdtkit_record_info(recording->reader, &info);
	words[0] = (char *)info.program;
	tracing->command = words;
	tracing->start = info.start_monotonic;
	tracing->start_epoch = info.start_realtime;
	/* There are hits of others in the file, too. */
	if (tracing->pid != 0 && tracing->pid != info.pid)
		recording->only = tracing->pid;
}

/*
 * What was lost behind the last hit. A snapshot does not know where, so it has
 * no line for it, but the sum is right, and a CTF trace has it at the end.
 */
static void report_rest(struct recording *recording)
{
	struct tracing *tracing = recording->tracing;
	struct sdtkit_record_info info;

	sdtkit_record_info(recording->reader, &info);
	if (is_full(tracing) || info.lost <= tracing->lost ||
	    (recording->connection < 0 && !tracing->is_snapshot))
		return;
	if (!tracing->is_snapshot || tracing->ctf != NULL)
		tracing_gap(tracing, info.lost - tracing->lost, now());
	tracing->lost = info.lost;
}

static int report(struct recording *recording)
{
	static const struct tracing_ending ending = { .traps = -1 };
	struct tracing *tracing = recording->tracing;
	int ret, error;

	tracing_while_blocked(attend, recording);
	tracing_say_recorded(tracing, recording->reader);
	tracing_begin(tracing);
	ret = follow(recording);
	if (ret < 0)
		tool_complain("%s", sdtkit_record_error());
	report_rest(recording);
	tracing->lost += tracing_report_unwritten(tracing);
	tracing_end(tracing, &ending);
	error = tracing_report_error(tracing);
	tracing_complain_of_recording(tracing, recording->reader);
	if (error != 0)
		return TRACING_NOT_WRITTEN;
	return ret < 0 ? TRACING_TROUBLE : 0;
}

int tracing_read_recording(struct tracing *tracing)
{
	struct recording recording = { .tracing = tracing, .connection = -1 };
	char *words[] = { NULL, NULL };
	int fd, status = TRACING_TROUBLE;

	fd = open_source(&recording);
	if (fd < 0)
		return TRACING_TROUBLE;
	if (open_reader(&recording, fd)) {
		prepare_signals();
		if (tracing_open_report(tracing)) {
			describe(&recording, words);
			status = report(&recording);
		}
		sdtkit_record_close(recording.reader);
	}
	close(fd);
	if (recording.connection >= 0)
		close(recording.connection);
	return status;
}
