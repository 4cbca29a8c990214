/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the configuration again. */
#ifndef SERVICE_RELOAD_H
#define SERVICE_RELOAD_H

#include "program.h"

/* How the options are read again: the command line, with --config in it. */
struct server_source {
	const struct service_program *program;
	int argc;
	char **argv;
	const void *asked;		/* as they were at the start */
	struct sink_needs needs;	/* which the tracer follows */
};

/*
 * Changes the options, to which setup points, to what the file says now, as far as that needs no new
 * attaching, and says what could not be changed. If the file is wrong, says so
 * and changes nothing.
 */
void reload(const struct sink_setup *setup, void *options,
	    const struct server_source *source);

#endif /* SERVICE_RELOAD_H */
