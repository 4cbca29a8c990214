/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs COMMAND with the library in it, and reads its hits until the last of its
 * processes has ended.
 *
 *	posix_spawn --> sigtimedwait --> waitpid --> rings --> lines --.
 *	                     ^-----------------------------------------'
 *
 * Invariants:
 * 1. COMMAND does not notice that lines cannot be written: if the disk is full
 *    or the pipe closed, the recording ends, and COMMAND goes on.
 * 2. Nothing but hits and COMMAND's processes is waited for, so that it is all
 *    in one loop without threads; hits that never end do not keep it from
 *    signals.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/record/read.h"
#include "lib/trace/control.h"
#include "trace/children.h"
#include "trace/complaints.h"
#include "trace/output.h"
#include "trace/report.h"
#include "trace/run.h"
#include "trace/setup.h"
#include "trace/start.h"
#include "trace/tracing.h"

extern char **environ;

enum {
	/*
	 * The pause between two looks at the rings: while there are hits, and
	 * at most.
	 */
	PAUSE_MIN_US = 500,
	PAUSE_MAX_US = 20000,
	/* Hits between two looks at signals. */
	HITS_AT_A_TIME = 4096,
	/* How long to wait for a blocked output when tracing ends: a second. */
	LAST_TICKS = 10,
};

struct run {
	struct tracing *tracing;
	struct sdtkit_trace_control *control;
	struct sdtkit_record_reader *reader;
	/* Signals that are ignored here, but that COMMAND shall not ignore. */
	sigset_t defaults;
	/* COMMAND's process, and how it has ended. */
	pid_t pid;
	bool ended;
	int status;
	/*
	 * Tracing is over: no process of COMMAND is left, or the user has ended
	 * it.
	 */
	bool over;
	/* How many lost hits have been reported where they are missing. */
	uint64_t marked;
	/* A signal has ended the trace. */
	bool told_to_end;
};

/* The signals that are waited for. */
static void watched_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGUSR2);
}

/* Ignores the signals of a failed write: its error is sufficient. */
static void ignore_signals_of_writes(struct run *run)
{
	static const int numbers[] = { SIGPIPE, SIGXFSZ };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction before;
	size_t i;

	sigemptyset(&run->defaults);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaction(numbers[i], &ignore, &before);
		if (before.sa_handler != SIG_IGN)
			sigaddset(&run->defaults, numbers[i]);
	}
}

/*
 * Starts COMMAND with the signals that this program was started with. SIGCHLD
 * is an exception: if it is ignored, as some daemons leave it, the status of a
 * child cannot be read.
 */
static int start(struct run *run)
{
	char **command = run->tracing->command;
	sigset_t watched, mask;
	posix_spawnattr_t attributes;
	int ret;

	watched_signals(&watched);
	sigprocmask(SIG_BLOCK, &watched, &mask);
	signal(SIGCHLD, SIG_DFL);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
				 POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &mask);
	posix_spawnattr_setsigdefault(&attributes, &run->defaults);
	ret = posix_spawnp(&run->pid, command[0], NULL, &attributes, command,
			   environ);
	posix_spawnattr_destroy(&attributes);
	if (ret == 0)
		return 0;
	tool_complain("cannot run '%s': %s", command[0], strerror(ret));
	return ret == ENOENT ? TRACING_NOT_FOUND : TRACING_CANNOT;
}

/* Reports that hits were lost. */
static void mark_gap(struct run *run, uint64_t lost, uint64_t time)
{
	run->marked += lost;
	run->tracing->lost += lost;
	tracing_gap(run->tracing, lost, time);
}

static void take(struct run *run, const struct sdtkit_record_item *item)
{
	if (item->event != NULL)
		tracing_hit(run->tracing, item->event);
	else
		mark_gap(run, item->lost, item->time);
}

/*
 * Reads the hits that there are, but a limited number; returns how many. After
 * a complaint that there is no memory, there are none any more.
 */
static int drain(struct run *run)
{
	struct tracing *tracing = run->tracing;
	struct sdtkit_record_item item;
	int count = 0, ret = 0;

	while (count < HITS_AT_A_TIME &&
	       (ret = sdtkit_record_next(run->reader, &item)) > 0) {
		/* To be said before the first hit is printed. */
		tracing_say_start(tracing, run->control);
		count++;
		if (tracing->max == 0 || tracing->hits < tracing->max)
			take(run, &item);
	}
	if (ret < 0)
		tool_no_memory();
	tracing_say_start(tracing, run->control);
	tracing_settle(tracing);
	if (tracing_report_error(tracing) < 0 ||
	    (tracing->max != 0 && tracing->hits == tracing->max))
		sdtkit_record_end(run->reader);
	return count;
}

/* Reads the statuses of processes that have ended. */
static void reap(struct run *run)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != run->pid)
			continue;
		run->ended = true;
		run->status = WIFEXITED(status) ? WEXITSTATUS(status) :
			      TRACING_SIGNAL + WTERMSIG(status);
		if (run->tracing->no_children)
			run->over = true;
	}
	if ((pid < 0 && errno == ECHILD) ||
	    (run->ended && tracing_is_left_to_strangers()))
		run->over = true;
}

/*
 * COMMAND gets the signals of the terminal by itself. Signals that were sent to
 * this process are passed on to COMMAND. When COMMAND has ended, they end the
 * tracing of the processes that it has left.
 */
static void take_signal(struct run *run, const siginfo_t *info)
{
	if (info->si_signo == SIGCHLD)
		return;
	if (run->ended)
		run->over = run->told_to_end = true;
	else if (info->si_code <= 0)
		kill(run->pid, info->si_signo);
}

static void take_all_signals(struct run *run)
{
	static const struct timespec at_once;
	sigset_t watched;
	siginfo_t info;

	watched_signals(&watched);
	while (sigtimedwait(&watched, &info, &at_once) > 0)
		take_signal(run, &info);
}

/*
 * Called while the output is blocked. When a signal ends the trace, what there
 * is may still be written, but not for ever.
 */
static bool attend(void *context, int ticks)
{
	struct run *run = context;

	take_all_signals(run);
	reap(run);
	return !run->told_to_end || ticks < LAST_TICKS;
}

static void follow(struct run *run)
{
	long pause = PAUSE_MIN_US;
	sigset_t watched;
	siginfo_t info;
	int count = 0;

	watched_signals(&watched);
	while (!run->over) {
		struct timespec time = { .tv_nsec = pause * 1000 };

		if (count == HITS_AT_A_TIME)
			time.tv_nsec = 0;
		if (sigtimedwait(&watched, &info, &time) > 0)
			take_signal(run, &info);
		reap(run);
		count = drain(run);
		if (count > 0)
			pause = PAUSE_MIN_US;
		else if (pause < PAUSE_MAX_US)
			pause *= 2;
	}
}

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Hits that were lost, and that no ring could tell of. */
static void finish(struct run *run)
{
	struct tracing *tracing = run->tracing;
	struct sdtkit_record_info info;

	sdtkit_record_end(run->reader);
	while (drain(run) > 0)
		;
	sdtkit_record_info(run->reader, &info);
	/* With -n, hits after the last line are not wanted. */
	if (info.lost > run->marked &&
	    (tracing->max == 0 || tracing->hits < tracing->max))
		mark_gap(run, info.lost - run->marked, now(CLOCK_MONOTONIC));
	tracing->lost += tracing_report_unwritten(tracing);
}

/*
 * No signal has to be passed on any more, and messages may block as lines do.
 */
static void let_signals_end_us(struct run *run)
{
	sigset_t watched;

	take_all_signals(run);
	watched_signals(&watched);
	sigprocmask(SIG_UNBLOCK, &watched, NULL);
}

/* COMMAND has ended; returns the exit status. */
static int end(struct run *run)
{
	struct tracing *tracing = run->tracing;
	struct tracing_ending ending = { .status = run->status, .traps = -1 };
	int error;

	if (!tracing_is_overwritten(run->control)) {
		ending.left_out = atomic_load(&run->control->left_out);
		ending.traps = (int64_t)atomic_load(&run->control->traps);
	}
	tracing_end(tracing, &ending);
	error = tracing_report_error(tracing);
	/* Standard error is blocked, so a message would be too. */
	if (error == -EINTR && tracing->path == NULL)
		return TRACING_NOT_WRITTEN;
	let_signals_end_us(run);
	tracing_complain(tracing, run->control);
	if (error == 0)
		return run->status;
	tracing_complain_of_output(tracing, error);
	return TRACING_NOT_WRITTEN;
}

int tracing_run(struct tracing *tracing)
{
	struct run run = { .tracing = tracing };
	int status;

	ignore_signals_of_writes(&run);
	run.control = tracing_set_up(tracing, &run.reader);
	if (run.control == NULL)
		return TRACING_TROUBLE;
	tracing_know_strangers();
	/* Processes whose parent has ended become children of this process. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	tracing->start = now(CLOCK_MONOTONIC);
	tracing->start_epoch = now(CLOCK_REALTIME);
	status = start(&run);
	if (status != 0)
		return status;
	tracing_while_blocked(attend, &run);
	tracing_begin(tracing);
	follow(&run);
	finish(&run);
	return end(&run);
}
