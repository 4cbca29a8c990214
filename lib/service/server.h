/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The process that serves: it has no capabilities, and does everything with
 * reports that somebody else may influence.
 */
#ifndef TSMBD_SERVE_SERVER_H
#define TSMBD_SERVE_SERVER_H

#include "tsmbd/options.h"

/* How the options are read again: the command line, with --config in it. */
struct server_source {
	int argc;
	char **argv;
	struct options asked;		/* before sinks added their needs */
};

/*
 * Runs the server until the tracer closes the socket; returns the exit status.
 */
int server(struct options *options, const struct server_source *source,
	   int fd);

#endif /* TSMBD_SERVE_SERVER_H */
