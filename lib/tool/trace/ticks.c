/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts a blocked write, so that the writer can look after signals: the
 * output may be a pipe that nobody reads, or a terminal that is stopped.
 *
 *	tracing_ticks_start()
 *	write() ... 100 ms ... EINTR, or fewer bytes than wanted
 *	tracing_ticks_stop()
 *
 * It is a POSIX timer, since the program that executed this one may have set
 * that of alarm(2). If the first tick comes before the write begins, the next
 * one interrupts it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "trace/ticks.h"

enum {
	TICK_NS = 100000000,
};

static enum { NOT_MADE, MADE, FAILED } state;
static timer_t timer;

static void on_tick(int number)
{
}

/* COMMAND was started before, so it does not inherit this signal's action. */
static void make_timer(void)
{
	const struct sigaction action = { .sa_handler = on_tick };
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL,
		.sigev_signo = SIGRTMIN,
	};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	state = FAILED;
	if (sigaction(SIGRTMIN, &action, NULL) == 0 &&
	    sigprocmask(SIG_UNBLOCK, &set, NULL) == 0 &&
	    timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
		state = MADE;
}

void tracing_ticks_start(void)
{
	static const struct itimerspec ticks = {
		.it_value = { .tv_nsec = TICK_NS },
		.it_interval = { .tv_nsec = TICK_NS },
	};

	if (state == NOT_MADE)
		make_timer();
	if (state == MADE)
		timer_settime(timer, 0, &ticks, NULL);
}

void tracing_ticks_stop(void)
{
	static const struct itimerspec none = { .it_value = { 0, 0 } };
	int error = errno;

	if (state == MADE)
		timer_settime(timer, 0, &none, NULL);
	errno = error;
}
