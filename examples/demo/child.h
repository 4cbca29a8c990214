/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - the process that serves one client. */
#ifndef DEMO_CHILD_H
#define DEMO_CHILD_H

#include <netinet/in.h>
#include <signal.h>
#include <talloc.h>

struct tevent_context;

/*
 * Serves the client at the other end of fd until it leaves, is dropped, or
 * SIGTERM or SIGINT comes. ev is the parent's loop, reinitialised. Both
 * signals are blocked on entry and on return; signals is the mask to run with
 * in between. Returns the exit status: 0, or 1 if the client could not be
 * served.
 */
int child_serve(TALLOC_CTX *mem_ctx, struct tevent_context *ev, int fd,
		int root, const struct sockaddr_in *remote,
		const struct sockaddr_in *local, const sigset_t *signals);

#endif /* DEMO_CHILD_H */
