/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics_server.c - serves metrics as tsmbd does, without tracing anything.
 *
 *	metrics-server --listen=127.0.0.1:4711 --auth=users
 *
 * It takes a report ten times a second, and ends at a signal. At SIGHUP it
 * closes all and opens it again; at SIGUSR1 it reads the files again, which
 * nobody has checked before, and prints a line. When it has taken the first
 * report, it prints a line.
 */
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "metrics/metrics.h"
#include "tsmbd/options.h"
#include "tsmbd/parse.h"
#include "tsmbd/rows.h"

static volatile sig_atomic_t ended, reopened, reread;

static void end(int signum)
{
	ended = 1;
}

static void reopen(int signum)
{
	reopened = 1;
}

static void read_again(int signum)
{
	reread = 1;
}

/* Whoever waits for a line learns that it was done. */
static bool say(const char *line)
{
	return puts(line) >= 0 && fflush(stdout) == 0;
}

static struct options options;
static const struct report_program program = {
	.name = "tsmbd",
	.version = TSMBD_VERSION,
	.tables = &smbd_tables,
	.metrics = &smbd_metrics,
	.settings = options_settings,
};
static const struct sink_setup setup = { &program, &options, 0 };
static struct sink_needs needs;

static bool handle_signals(void)
{
	if (reopened) {
		reopened = 0;
		metrics_sink.close(&setup);
		metrics_sink.open(&setup, &needs);
	}
	if (!reread)
		return true;
	reread = 0;
	metrics_sink.reread(&setup);
	return say("reread");
}

int main(int argc, char **argv)
{
	static struct report report = { .tables = &smbd_tables };
	struct operation_row *row = report_append(&report, SMBD_OPERATIONS);
	bool said = false;

	options_parse(argc, argv, &options);
	row->opcode = TSMBD_READ;
	row->op.count = 2;
	metrics_sink.open(&setup, &needs);
	signal(SIGTERM, end);
	signal(SIGHUP, reopen);
	signal(SIGUSR1, read_again);
	while (!ended) {
		if (!handle_signals())
			return 1;
		report.end_ns = sdtkit_nanoseconds(CLOCK_MONOTONIC);
		metrics_sink.take(&setup, &report);
		if (!said && !say("ready"))
			return 1;
		said = true;
		nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
	}
	return metrics_sink.close(&setup) ? 0 : 1;
}
