/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs COMMAND with the library in it, and follows its hits until the last of
 * its processes has ended.
 *
 *	posix_spawn --> follow.c --> waitpid
 *
 * Invariant: COMMAND does not notice that lines cannot be written: if the disk
 * is full or the pipe closed, the recording ends, and COMMAND goes on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/tool.h"
#include "lib/base/clock.h"
#include "lib/record/read.h"
#include "lib/trace/control.h"
#include "trace/children.h"
#include "trace/complaints.h"
#include "trace/follow.h"
#include "trace/report.h"
#include "trace/run.h"
#include "trace/setup.h"
#include "trace/start.h"
#include "trace/tracing.h"

extern char **environ;

struct run {
	struct tracing_source source;
	struct sdtkit_trace_control *control;
	/* Signals that are ignored here, but that COMMAND shall not ignore. */
	sigset_t defaults;
	/* COMMAND's process, and how it has ended. */
	pid_t pid;
	bool ended;
	int status;
};

static struct run *run_of(struct tracing_source *source)
{
	return (struct run *)(void *)source;
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
	char **command = run->source.tracing->command;
	sigset_t *watched = &run->source.signals, mask;
	posix_spawnattr_t attributes;
	int ret;

	tracing_ending_signals(watched);
	sigaddset(watched, SIGCHLD);
	sigaddset(watched, SIGUSR1);
	sigaddset(watched, SIGUSR2);
	sigprocmask(SIG_BLOCK, watched, &mask);
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

/* To be said before the first hit is printed. */
static void say(struct tracing_source *source)
{
	tracing_say_start(source->tracing, run_of(source)->control);
}

/* Reads the statuses of processes that have ended. */
static void reap(struct tracing_source *source)
{
	struct run *run = run_of(source);
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != run->pid)
			continue;
		run->ended = true;
		run->status = WIFEXITED(status) ? WEXITSTATUS(status) :
			      TRACING_SIGNAL + WTERMSIG(status);
		if (run->source.tracing->no_children)
			source->is_over = true;
	}
	if ((pid < 0 && errno == ECHILD) ||
	    (run->ended && tracing_is_left_to_strangers()))
		source->is_over = true;
}

/*
 * COMMAND gets the signals of the terminal by itself. Signals that were sent to
 * this process are passed on to COMMAND. When COMMAND has ended, they end the
 * tracing of the processes that it has left.
 */
static void take_signal(struct tracing_source *source, const siginfo_t *info)
{
	struct run *run = run_of(source);

	if (info->si_signo == SIGCHLD)
		return;
	if (run->ended)
		source->is_over = source->told_to_end = true;
	else if (info->si_code <= 0)
		kill(run->pid, info->si_signo);
}

static const struct tracing_source_kind kind = {
	.take_signal = take_signal,
	.look = reap,
	.say = say,
};

/*
 * No signal has to be passed on any more, and messages may block as lines do.
 */
static void let_signals_end_us(struct run *run)
{
	tracing_take_signals(&run->source);
	sigprocmask(SIG_UNBLOCK, &run->source.signals, NULL);
}

/* COMMAND has ended; returns the exit status. */
static int end(struct run *run)
{
	struct tracing *tracing = run->source.tracing;
	struct tracing_ending ending = { .status = run->status, .traps = -1 };
	struct sdtkit_record_info info;
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
	sdtkit_record_info(run->source.reader, &info);
	tracing_complain(tracing, run->control, &info);
	if (error != 0) {
		tracing_complain_of_output(tracing, error);
		return TRACING_NOT_WRITTEN;
	}
	return run->source.error != 0 ? TRACING_TROUBLE : run->status;
}

int tracing_run(struct tracing *tracing)
{
	struct run run = {
		.source = { .kind = &kind, .tracing = tracing },
	};
	int status;

	ignore_signals_of_writes(&run);
	run.control = tracing_set_up(tracing, &run.source.reader);
	if (run.control == NULL)
		return TRACING_TROUBLE;
	tracing_know_strangers();
	/* Processes whose parent has ended become children of this process. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	tracing->start = tracing_now();
	tracing->start_epoch = sdtkit_nanoseconds(CLOCK_REALTIME);
	status = start(&run);
	if (status != 0)
		return status;
	tracing_follow(&run.source);
	return end(&run);
}
