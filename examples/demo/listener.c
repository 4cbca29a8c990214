/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listener.c - the socket that clients connect to, and their processes.
 *
 * The handler of the listening socket only accepts; the fork is made by
 * listener_run(), between two rounds of the loop, so that a child starts
 * without the parent's event handlers on its stack.
 *
 * SIGTERM and SIGINT are blocked from before the fork until the child has its
 * own handlers, and again when these are freed: so a child neither misses the
 * signal nor is killed by it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tevent.h>

#include "child.h"
#include "listener.h"
#include "log.h"
#include "loop.h"
#include "smbd_probes.h"
#include "tevent_probes.h"

enum { MAX_CHILDREN = 100 };

struct listener {
	struct tevent_context *ev;
	struct tevent_fd *fde;
	int fd;
	int root;
	struct sockaddr_in address;

	int accepted;			/* a client without a process, or -1 */
	struct sockaddr_in remote;

	pid_t children[MAX_CHILDREN];	/* 0: free */
	int num_children;
	int stop_signals;		/* how often we were told to stop */
};

uint16_t listener_port(const struct listener *listener)
{
	return ntohs(listener->address.sin_port);
}

/* ---------------------------------------------------------------- children */

static void child_add(struct listener *l, pid_t pid)
{
	int i;

	for (i = 0; l->children[i] != 0; i++)
		;
	l->children[i] = pid;
	l->num_children++;
	SMBD_CHILD_START(pid, l->accepted, l->num_children);
}

static void child_remove(struct listener *l, pid_t pid, int status)
{
	int i;

	for (i = 0; i < MAX_CHILDREN; i++) {
		if (l->children[i] == pid) {
			l->children[i] = 0;
			l->num_children--;
		}
	}
	if (WIFSIGNALED(status))
		log_line("process %d ended by signal %d", (int)pid,
			 WTERMSIG(status));
	SMBD_CHILD_EXIT(pid, status, l->num_children);
}

static void children_signal(const struct listener *l, int signum)
{
	int i;

	for (i = 0; i < MAX_CHILDREN; i++) {
		if (l->children[i] != 0)
			kill(l->children[i], signum);
	}
}

/* ---------------------------------------------------------------- handlers */

static void accept_handler(struct tevent_context *ev, struct tevent_fd *fde,
			   uint16_t flags, void *private_data)
{
	struct listener *l = private_data;
	socklen_t len = sizeof(l->remote);

	TEVENT_FD_BEGIN(ev, fde, l->fd, flags, __func__, __location__);
	l->accepted = accept4(l->fd, (struct sockaddr *)&l->remote, &len,
			      SOCK_NONBLOCK | SOCK_CLOEXEC);
	TEVENT_FD_END(ev, fde);
}

static void child_handler(struct tevent_context *ev, struct tevent_signal *se,
			  int signum, int count, void *siginfo,
			  void *private_data)
{
	struct listener *l = private_data;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		child_remove(l, pid, status);
}

static void kill_handler(struct tevent_context *ev, struct tevent_timer *te,
			 struct timeval now, void *private_data)
{
	children_signal(private_data, SIGKILL);
}

/* The first signal is passed to the children; the second one kills them. */
static void stop_handler(struct tevent_context *ev, struct tevent_signal *se,
			 int signum, int count, void *siginfo,
			 void *private_data)
{
	struct listener *l = private_data;

	children_signal(l, l->stop_signals == 0 ? SIGTERM : SIGKILL);
	if (l->stop_signals == 0) {
		TALLOC_FREE(l->fde);
		tevent_add_timer(ev, l, tevent_timeval_current_ofs(3, 0),
				 kill_handler, l);
	}
	l->stop_signals++;
}

/* -------------------------------------------------------------------- life */

static int open_socket(uint16_t port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const int on = 1;
	int error;
	int fd;

	fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    listen(fd, 64) != 0) {
		error = -errno;
		close(fd);
		return error;
	}
	return fd;
}

static int listener_free(struct listener *l)
{
	TALLOC_FREE(l->fde);
	close(l->fd);
	return 0;
}

static bool add_handlers(struct listener *l)
{
	l->fde = tevent_add_fd(l->ev, l, l->fd, TEVENT_FD_READ,
			       accept_handler, l);
	return l->fde != NULL &&
	       tevent_add_signal(l->ev, l, SIGCHLD, 0, child_handler,
				 l) != NULL &&
	       tevent_add_signal(l->ev, l, SIGTERM, 0, stop_handler,
				 l) != NULL &&
	       tevent_add_signal(l->ev, l, SIGINT, 0, stop_handler, l) != NULL;
}

int listener_new(TALLOC_CTX *mem_ctx, struct tevent_context *ev,
		 uint16_t port, int root, struct listener **result)
{
	struct listener *l;
	socklen_t len = sizeof(l->address);
	int fd;

	fd = open_socket(port);
	if (fd < 0)
		return fd;
	l = talloc_zero(mem_ctx, struct listener);
	if (l == NULL) {
		close(fd);
		return -ENOMEM;
	}
	l->ev = ev;
	l->fd = fd;
	l->root = root;
	l->accepted = -1;
	talloc_set_destructor(l, listener_free);
	if (!add_handlers(l) ||
	    getsockname(fd, (struct sockaddr *)&l->address, &len) != 0) {
		talloc_free(l);
		return -ENOMEM;
	}
	loop_trace(ev);
	*result = l;
	return 0;
}

/* In the child: frees what belongs to the parent, then serves the client. */
static int run_child(struct listener *l, const sigset_t *signals)
{
	struct tevent_context *ev = l->ev;
	struct sockaddr_in remote = l->remote;
	struct sockaddr_in local = l->address;
	TALLOC_CTX *mem_ctx = talloc_parent(l);
	int root = l->root;
	int fd = l->accepted;

	if (tevent_re_initialise(ev) != 0) {
		log_line("cannot set up the event loop for a client");
		return 1;
	}
	talloc_free(l);
	return child_serve(mem_ctx, ev, fd, root, &remote, &local, signals);
}

/* Returns the pid as fork() does, or -1 if the client is refused. */
static pid_t start_child(struct listener *l, sigset_t *signals)
{
	sigset_t stop;
	pid_t pid;

	if (l->num_children == MAX_CHILDREN) {
		log_line("client refused: %d clients are served, which is the "
			 "limit", MAX_CHILDREN);
		return -1;
	}
	sigemptyset(&stop);
	sigaddset(&stop, SIGTERM);
	sigaddset(&stop, SIGINT);
	sigprocmask(SIG_BLOCK, &stop, signals);
	pid = fork();
	if (pid == 0)
		return 0;
	if (pid > 0)
		child_add(l, pid);
	else
		log_line("cannot create a process for a client");
	sigprocmask(SIG_SETMASK, signals, NULL);
	return pid;
}

int listener_run(struct listener *l)
{
	sigset_t signals;

	while (l->stop_signals == 0 || l->num_children > 0) {
		if (tevent_loop_once(l->ev) != 0) {
			log_line("event loop failed");
			return 1;
		}
		if (l->accepted < 0)
			continue;
		if (start_child(l, &signals) == 0)
			return run_child(l, &signals);
		close(l->accepted);
		l->accepted = -1;
	}
	SMBD_EXIT(0, "termination signal", "", 1, 0);
	return 0;
}
