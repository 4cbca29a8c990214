/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.c - notes which signals have come. */
#include <signal.h>

#include "signals.h"

static volatile sig_atomic_t ended;
static volatile sig_atomic_t wishes[SIGNAL_WISHES];
static bool reloads;			/* at SIGHUP */

static void note(int signum)
{
	if (signum == SIGUSR1)
		wishes[SIGNAL_REPORT] = 1;
	else if (signum == SIGHUP && reloads)
		wishes[SIGNAL_RELOAD] = 1;
	else
		ended = 1;
}

bool signals_ended(void)
{
	return ended;
}

void signals_end(void)
{
	ended = 1;
}

bool signals_took(enum signal_wish wish)
{
	bool has_come = wishes[wish];

	if (has_come)
		wishes[wish] = 0;
	return has_come;
}

/*
 * SA_RESTART: a report that is being printed is completed. The wait for events
 * ends at a signal even so. Under nohup(1) SIGHUP stays ignored.
 */
void signals_catch(bool serves)
{
	const struct sigaction action = { .sa_handler = note,
		.sa_flags = SA_RESTART };
	struct sigaction old;

	reloads = serves;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, NULL, &old);
	if (serves || old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}
