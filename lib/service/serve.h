/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The service. It consists of two processes, see serve.c.
 *
 *	serve_begin -> serve_open_sinks -> attach -> serve_attached ->
 *	[serve_take | serve_row | serve_turn]... -> serve_end
 *
 * These are called for a service only.
 */
#ifndef SERVICE_SERVE_H
#define SERVICE_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "program.h"

struct service_options;

/* PROGRAM serve [OPTION]...: run(), with --daemon before the options. */
int serve_main(const char *program, int (*run)(int argc, char **argv),
	       int argc, char **argv);

/*
 * Exits with a message if there is no user to run as; from then on, files are
 * read as this user. Returns its name, or NULL if it is the one that we are.
 */
const char *serve_check(const struct service_program *program,
			const struct service_options *options);

/*
 * Starts the server, and sets the options that it needs. Exits with a message
 * if that fails. Returns the user, as serve_check() does.
 */
const char *serve_begin(const struct service_program *program, int argc,
			char **argv, void *options);

/*
 * Opens the sinks of this process, and sets the options that they need, which
 * are those of setup. What they make belongs to the user.
 */
void serve_open_sinks(const struct sink_setup *setup, void *options);

/* Gives up privileges, and says that the service runs. */
void serve_attached(const void *options);

/* Whether the server has taken the last report: only then may one be sent. */
bool serve_ready(void);

/* Waits for that some seconds; returns whether it is so. */
bool serve_wait(void);

void serve_take(const struct report *report);

/* A row that the server has no time for is lost, and counted. */
void serve_row(const struct report_table *table, const void *row);

/* How many rows have been lost since the last call. */
unsigned long long serve_lost(void);

/* Reads the configuration again. */
void serve_reload(void);

/* Several times a second. Returns false if the server has ended. */
bool serve_turn(unsigned long long now);

/*
 * Ends the server, for which it waits some seconds; returns whether all of it
 * went well.
 */
bool serve_end(void);

#endif /* SERVICE_SERVE_H */
