/* SPDX-License-Identifier: BSD-2-Clause */
/* listener.h - the socket that clients connect to, and their processes. */
#ifndef DEMO_LISTENER_H
#define DEMO_LISTENER_H

#include <stdint.h>
#include <talloc.h>

struct listener;
struct tevent_context;

/*
 * Listens on the loopback address; port 0 lets the kernel choose. root is the
 * directory to serve and stays with the caller. Returns 0 or -errno.
 */
int listener_new(TALLOC_CTX *mem_ctx, struct tevent_context *ev,
		 uint16_t port, int root, struct listener **listener);

uint16_t listener_port(const struct listener *listener);

/*
 * Forks a process per client until SIGTERM or SIGINT, then ends them all.
 * Like fork(), it returns in the children too, when their client has left.
 * Returns the exit status of the process.
 */
int listener_run(struct listener *listener);

#endif /* DEMO_LISTENER_H */
