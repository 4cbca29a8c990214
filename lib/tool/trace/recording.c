/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtkit trace --snapshot FILE, --snapshot -p PID and -p PID: reads what a
 * recorder has written, and reports it as the hits of a command.
 *
 *	file, or the socket of a process --> fd --> reader --> follow.c
 *	                     attach.c               lib/record/read.h
 *
 * A snapshot reads what a flight recorder has anyway. A process that is followed
 * records a second time, with patterns of its own, until this program ends; if it
 * has no recorder, the kernel writes what a recorder would (kernel.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/tool.h"
#include "lib/record/read.h"
#include "lib/uprobe/allowed.h"
#include "sdtkit/tap.h"
#include "trace/attach.h"
#include "trace/follow.h"
#include "trace/kernel.h"
#include "trace/recording.h"
#include "trace/report.h"
#include "trace/recorded.h"
#include "trace/tracing.h"

struct recording {
	struct tracing_source source;
	/* Hits of this process only; 0: of all. */
	pid_t only;
	/* Keeps the process recording for us; -1: it does not. */
	int connection;
};

static struct recording *recording_of(struct tracing_source *source)
{
	return (struct recording *)(void *)source;
}

/*
 * Signals are looked at between hits. That of a file that may not grow is
 * ignored: the error of the write is sufficient.
 */
static void prepare_signals(struct tracing_source *source)
{
	tracing_ending_signals(&source->signals);
	sigprocmask(SIG_BLOCK, &source->signals, NULL);
	signal(SIGXFSZ, SIG_IGN);
}

static bool is_wanted(struct tracing_source *source,
		      const struct sdtkit_record_item *item)
{
	const struct recording *recording = recording_of(source);

	if (recording->only != 0 && item->pid != recording->only)
		return false;
	/* A process records what it was asked for. */
	return item->event == NULL || recording->connection >= 0 ||
	       patterns_fit(&recording->source.tracing->patterns,
			    item->event->probe->provider,
			    item->event->probe->probe);
}

/* What was written before the process ended is read after that. */
static void look(struct tracing_source *source)
{
	const struct tracing *tracing = source->tracing;

	if (tracing->is_snapshot || tracing_is_full(tracing) ||
	    source->error != 0 || sdtkit_record_is_closed(source->reader) ||
	    !tracing_is_alive(tracing->pid))
		source->is_over = true;
}

static const struct tracing_source_kind kind = {
	.look = look,
	.is_wanted = is_wanted,
};

static bool passes(struct tracing_source *source,
		   const struct sdtkit_record_item *item)
{
	return item->event == NULL || tracing_kernel_passes(item->event);
}

/* What has been hit until now is still to be reported. */
static void end_kernel(struct tracing_source *source, const siginfo_t *info)
{
	source->told_to_end = true;
	tracing_kernel_stop();
}

static void look_at_kernel(struct tracing_source *source)
{
	const struct tracing *tracing = source->tracing;
	bool has_ended = source->told_to_end ||
		(tracing->pid != 0 && !tracing_is_alive(tracing->pid));

	if (tracing_is_full(tracing) || source->error != 0)
		source->is_over = true;
	if (has_ended || source->is_over)
		tracing_kernel_stop();
	if (tracing_kernel_feed() && has_ended)
		source->is_over = true;
}

static const struct tracing_source_kind kernel_kind = {
	.take_signal = end_kernel,
	.look = look_at_kernel,
	.is_wanted = passes,
};

/* Who has no recorder is traced by the kernel, if that is possible. */
static bool is_for_kernel(const struct tracing *tracing)
{
	char why[ALLOWED_TEXT];

	if (tracing->is_snapshot || tracing->via != TOOL_VIA_ANY)
		return tracing->via == TOOL_VIA_KERNEL;
	return (tracing->pid == 0 || !tracing_has_recorder(tracing->pid)) &&
	       tracing_kernel_may(why);
}

/* Returns a file descriptor, or -1 after a complaint. */
static int open_source(struct recording *recording)
{
	struct tracing *tracing = recording->source.tracing;
	int fd;

	if (is_for_kernel(tracing)) {
		recording->source.kind = &kernel_kind;
		return tracing_kernel_begin(tracing);
	}
	if (tracing->pid == 0 && !tracing->is_snapshot) {
		tool_read_only_name(tracing->name, &tracing->pid);
		return -1;
	}
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
	const struct tracing *tracing = recording->source.tracing;
	unsigned int flags = tracing->is_snapshot ? 0 : SDTKIT_RECORD_FOLLOW;
	int ret;

	recording->source.is_shared = !tracing->is_snapshot &&
				      recording->source.kind == &kind &&
				      recording->connection < 0;
	if (recording->source.is_shared)
		flags |= SDTKIT_RECORD_FROM_NOW;
	ret = sdtkit_record_open(fd, flags, &recording->source.reader);
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
	struct tracing *tracing = recording->source.tracing;
	struct sdtkit_record_info info;

	sdtkit_record_info(recording->source.reader, &info);
	words[0] = (char *)info.program;
	tracing->command = words;
	tracing->start = info.start_monotonic;
	tracing->start_epoch = info.start_realtime;
	/* There are hits of others in the file, too. */
	if (recording->source.kind == &kind && tracing->pid != 0 &&
	    tracing->pid != info.pid)
		recording->only = tracing->pid;
}

static int report(struct recording *recording)
{
	static const struct tracing_ending ending = { .traps = -1 };
	struct tracing *tracing = recording->source.tracing;
	int error;

	if (recording->source.kind == &kernel_kind)
		tracing_kernel_say(tracing);
	else
		tracing_say_recorded(tracing, recording->source.reader);
	tracing_follow(&recording->source);
	tracing_end(tracing, &ending);
	error = tracing_report_error(tracing);
	tracing_complain_of_recording(tracing, recording->source.reader);
	if (error != 0)
		return TRACING_NOT_WRITTEN;
	return recording->source.error != 0 ? TRACING_TROUBLE : 0;
}

int tracing_read_recording(struct tracing *tracing)
{
	struct recording recording = {
		.source = { .kind = &kind, .tracing = tracing },
		.connection = -1,
	};
	char *words[] = { NULL, NULL };
	int fd, status = TRACING_TROUBLE;

	fd = open_source(&recording);
	if (fd < 0)
		return TRACING_TROUBLE;
	if (open_reader(&recording, fd)) {
		prepare_signals(&recording.source);
		if (tracing_is_recorded(tracing, recording.source.reader) &&
		    tracing_open_report(tracing)) {
			describe(&recording, words);
			status = report(&recording);
		}
		sdtkit_record_close(recording.source.reader);
	}
	close(fd);
	if (recording.connection >= 0)
		close(recording.connection);
	if (recording.source.kind == &kernel_kind)
		tracing_kernel_leave();
	return status;
}
