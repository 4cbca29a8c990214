/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The process that serves: it has no capabilities, and does everything with
 * reports that somebody else may influence.
 */
#ifndef SERVICE_SERVER_H
#define SERVICE_SERVER_H

#include "reload.h"

/*
 * Runs the server until the tracer closes the socket; returns the exit status.
 */
int server(void *options, struct server_source *source, pid_t tracer, int fd);

#endif /* SERVICE_SERVER_H */
