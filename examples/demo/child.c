/* SPDX-License-Identifier: BSD-2-Clause */
/* child.c - the process that serves one client. */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/prctl.h>

#include <tevent.h>

#include "child.h"
#include "connection.h"
#include "log.h"
#include "loop.h"
#include "smbd_probes.h"

static void stop_handler(struct tevent_context *ev, struct tevent_signal *se,
			 int signum, int count, void *siginfo,
			 void *private_data)
{
	bool *stopping = private_data;

	*stopping = true;
}

/* Addresses as Samba writes them: "ipv4:127.0.0.1:51934". */
static void address_string(const struct sockaddr_in *address, char text[32])
{
	char ip[INET_ADDRSTRLEN] = "";

	inet_ntop(AF_INET, &address->sin_addr, ip, sizeof(ip));
	snprintf(text, 32, "ipv4:%s:%u", ip, ntohs(address->sin_port));
}

static bool watch_signals(TALLOC_CTX *mem_ctx, struct tevent_context *ev,
			  bool *stopping)
{
	/* if the parent is killed, it cannot tell this process to stop */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	return tevent_add_signal(ev, mem_ctx, SIGTERM, 0, stop_handler,
				 stopping) != NULL &&
	       tevent_add_signal(ev, mem_ctx, SIGINT, 0, stop_handler,
				 stopping) != NULL;
}

int child_serve(TALLOC_CTX *mem_ctx, struct tevent_context *ev, int fd,
		int root, const struct sockaddr_in *remote,
		const struct sockaddr_in *local, const sigset_t *signals)
{
	char remote_text[32], local_text[32];
	struct connection *conn;
	bool stopping = false;
	sigset_t blocked;
	const char *reason;
	uint64_t num_requests;

	address_string(remote, remote_text);
	address_string(local, local_text);
	conn = connection_new(mem_ctx, ev, fd, root, remote_text, local_text);
	if (conn == NULL || !watch_signals(conn, ev, &stopping)) {
		log_line("%s: cannot be served: out of memory", remote_text);
		return 1;
	}
	sigprocmask(SIG_SETMASK, signals, &blocked);
	loop_trace_client(ev);
	SMBD_CLIENT_START(conn, remote_text, local_text, fd);
	while (connection_alive(conn) && !stopping) {
		if (tevent_loop_once(ev) != 0) {
			log_line("%s: event loop failed", remote_text);
			break;
		}
	}
	reason = connection_drop_reason(conn);
	num_requests = connection_num_requests(conn);
	/* the process ends anyway, and the connection frees its handlers */
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	connection_free(conn);
	SMBD_EXIT(reason != NULL, reason, remote_text, 0, num_requests);
	return 0;
}
