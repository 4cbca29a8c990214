/* SPDX-License-Identifier: BSD-2-Clause */
/* See listen.h: the thread, its beginning and its end. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach.h"
#include "listen.h"
#include "read_parts.h"

enum {
	BACKLOG = 4,
};

/* Ends the sessions whose clients have gone, and serves the next one. */
static void serve_polled(struct sdtkit_record_listener *listener,
			 const struct pollfd *polls)
{
	int i;

	for (i = 0; i < SDTKIT_RECORD_SESSIONS; i++) {
		if (polls[2 + i].revents != 0)
			sdtkit_record_end_session(&listener->sessions[i]);
	}
	if (polls[1].revents & POLLIN)
		sdtkit_record_serve(listener);
}

/* Returns false at the end. */
static bool serve_next(struct sdtkit_record_listener *listener)
{
	struct pollfd polls[2 + SDTKIT_RECORD_SESSIONS];
	bool goes_on;
	int i;

	polls[0] = (struct pollfd) { .fd = listener->end.fd,
				     .events = POLLIN };
	polls[1] = (struct pollfd) { .fd = listener->socket.fd,
				     .events = POLLIN };
	for (i = 0; i < SDTKIT_RECORD_SESSIONS; i++)
		polls[2 + i] = (struct pollfd) {
			.fd = listener->sessions[i].recorder != NULL ?
			      listener->sessions[i].connection.fd : -1,
			.events = POLLIN,
		};
	if (poll(polls, 2 + SDTKIT_RECORD_SESSIONS, -1) < 0 && errno != EINTR)
		return false;
	pthread_mutex_lock(&listener->busy);
	/* The program has closed the bell: see knock(). */
	if (polls[0].revents != 0)
		sdtkit_record_drop(&listener->end);
	goes_on = !listener->is_over &&
		  sdtkit_record_is_ours(&listener->socket);
	if (goes_on)
		serve_polled(listener, polls);
	pthread_mutex_unlock(&listener->busy);
	return goes_on;
}

static void name_socket(struct sockaddr_un *address, socklen_t *size)
{
	int length;

	*address = (struct sockaddr_un) { .sun_family = AF_UNIX };
	length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			  SDTKIT_RECORD_SOCKET, (int)getpid());
	*size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			    (size_t)length);
}

/* The first recorder of a process has its name; others cannot be asked. */
static int open_socket(struct sdtkit_record_listener *listener)
{
	struct sockaddr_un address;
	socklen_t size;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0), ret;

	if (fd < 0)
		return -errno;
	name_socket(&address, &size);
	if (bind(fd, (void *)&address, size) < 0 || listen(fd, BACKLOG) < 0) {
		ret = -errno;
		close(fd);
		return ret;
	}
	sdtkit_record_note_descriptor(&listener->socket, fd);
	return 0;
}

static void drop_all(struct sdtkit_record_listener *listener)
{
	sdtkit_record_drop(&listener->socket);
	sdtkit_record_drop(&listener->readable);
	sdtkit_record_drop(&listener->end);
}

static void free_listener(struct sdtkit_record_listener *listener)
{
	sem_destroy(&listener->has_begun);
	pthread_mutex_destroy(&listener->busy);
	free(listener);
}

static void end(struct sdtkit_record_listener *listener)
{
	bool is_detached;
	int i;

	for (i = 0; i < SDTKIT_RECORD_SESSIONS; i++) {
		if (listener->sessions[i].recorder != NULL)
			sdtkit_record_end_session(&listener->sessions[i]);
	}
	pthread_mutex_lock(&listener->busy);
	drop_all(listener);
	listener->has_ended = true;
	is_detached = listener->is_detached;
	pthread_mutex_unlock(&listener->busy);
	if (is_detached)
		free_listener(listener);
}

static void *listen_until_end(void *argument)
{
	struct sdtkit_record_listener *listener = argument;
	int ret;

	sdtkit_record_exclude_thread();
	listener->has_own = sdtkit_record_own_descriptors(listener->end.fd,
		listener->recorder->output.descriptor.fd);
	ret = open_socket(listener);
	if (ret == 0)
		sdtkit_record_open_readable(listener);
	listener->result = ret;
	sem_post(&listener->has_begun);
	if (ret < 0)
		return NULL;
	while (serve_next(listener))
		;
	end(listener);
	return NULL;
}

static int start_thread(struct sdtkit_record_listener *listener)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	/* Traps cannot be set by a thread that blocks their signal. */
	if (listener->recorder->flags & SDTKIT_RECORDER_TRAPS)
		sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&listener->thread, NULL, listen_until_end,
			     listener);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret != 0)
		return sdtkit_record_fail(ret, "the thread that listens: %s",
					  strerror(ret));
	while (sem_wait(&listener->has_begun) < 0)
		;
	ret = listener->result;
	if (ret < 0)
		pthread_join(listener->thread, NULL);
	else if (listener->has_own)
		close(listener->end.fd);
	return ret == 0 || ret == -EADDRINUSE ? ret :
		sdtkit_record_fail(-ret, "the socket @" SDTKIT_RECORD_SOCKET
				   ": %s", (int)getpid(), strerror(-ret));
}

/* Not a pipe: who writes to one that nobody has gets a signal. */
static int open_bell(struct sdtkit_record_listener *listener)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return sdtkit_record_fail(errno, "socketpair: %s",
					  strerror(errno));
	sdtkit_record_note_descriptor(&listener->end,
				      sdtkit_record_above_standard(fds[0]));
	sdtkit_record_note_descriptor(&listener->bell,
				      sdtkit_record_above_standard(fds[1]));
	return 0;
}

int sdtkit_record_listen(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_listener *listener = calloc(1, sizeof(*listener));
	int ret;

	if (listener == NULL)
		return sdtkit_record_no_memory();
	listener->recorder = recorder;
	listener->process = getpid();
	listener->socket.fd = -1;
	listener->readable.fd = -1;
	sem_init(&listener->has_begun, 0, 0);
	pthread_mutex_init(&listener->busy, NULL);
	ret = open_bell(listener);
	if (ret == 0)
		ret = start_thread(listener);
	if (ret == 0) {
		recorder->listener = listener;
		return 0;
	}
	sdtkit_record_drop(&listener->end);
	sdtkit_record_drop(&listener->bell);
	free_listener(listener);
	return ret == -EADDRINUSE ? 0 : ret;
}

/* Connects as a client does: the thread wakes up, and sees that it is over. */
static bool knock(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);
	struct sockaddr_un address;
	struct ucred peer;
	socklen_t size;
	bool is_ours;

	if (fd < 0)
		return false;
	name_socket(&address, &size);
	is_ours = connect(fd, (void *)&address, size) == 0;
	size = sizeof(peer);
	is_ours = is_ours && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer,
					&size) == 0 && peer.pid == getpid();
	close(fd);
	return is_ours;
}

/* poll(2) does not see what happens to a file whose number means another. */
static bool is_polled(const struct sdtkit_record_listener *listener,
		      const struct sdtkit_record_descriptor *descriptor)
{
	return listener->has_own || sdtkit_record_is_ours(descriptor);
}

/* Wakes the thread up, to end. False: the thread cannot be woken up. */
static bool wake_up(const struct sdtkit_record_listener *listener)
{
	if (is_polled(listener, &listener->end) &&
	    sdtkit_record_is_ours(&listener->bell) &&
	    send(listener->bell.fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
		return true;
	return is_polled(listener, &listener->socket) && knock();
}

void sdtkit_record_forget_listener(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_listener *listener = recorder->listener;
	int i;

	if (listener == NULL)
		return;
	recorder->listener = NULL;
	for (i = 0; i < SDTKIT_RECORD_SESSIONS; i++)
		sdtkit_record_drop(&listener->sessions[i].connection);
	drop_all(listener);
	sdtkit_record_drop(&listener->bell);
}

/* A thread that cannot be woken up touches nothing of the recorder any more. */
void sdtkit_record_stop_listening(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_listener *listener = recorder->listener;
	pthread_t thread;
	bool is_detached;

	if (listener == NULL)
		return;
	if (listener->process != getpid()) {
		sdtkit_record_forget_listener(recorder);
		return;
	}
	recorder->listener = NULL;
	thread = listener->thread;
	pthread_mutex_lock(&listener->busy);
	listener->is_over = true;
	is_detached = !listener->has_ended && !wake_up(listener);
	listener->is_detached = is_detached;
	sdtkit_record_drop(&listener->bell);
	pthread_mutex_unlock(&listener->busy);
	if (is_detached) {
		pthread_detach(thread);
		return;
	}
	pthread_join(thread, NULL);
	free_listener(listener);
}
