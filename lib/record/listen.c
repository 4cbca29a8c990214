/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See attach.h: the side that answers, a thread of the process that opened the
 * recorder.
 *
 * Invariants:
 * 1. The thread blocks all signals and hits no probe that is recorded: it would
 *    wait for itself.
 * 2. A program may close all its descriptors and use their numbers for others:
 *    each is looked at before it is used.
 * 3. A session lives as long as its connection.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach.h"
#include "read_parts.h"
#include "recorder.h"

enum {
	SESSIONS = SDTKIT_RECORD_WRITERS - 1,
	/* For a request that does not come; milliseconds. */
	PATIENCE_MS = 1000,
};

/* A descriptor, and the file that it was when it was ours. */
struct descriptor {
	int fd;
	dev_t device;
	ino_t inode;
};

struct session {
	struct descriptor connection;
	struct sdtkit_recorder *recorder;
};

struct sdtkit_record_listener {
	pthread_t thread;
	struct sdtkit_recorder *recorder;
	struct descriptor socket;
	struct descriptor end;
	struct session sessions[SESSIONS];
};

static void note(struct descriptor *descriptor, int fd)
{
	struct stat status = { 0 };

	descriptor->fd = fd;
	fstat(fd, &status);
	descriptor->device = status.st_dev;
	descriptor->inode = status.st_ino;
}

static bool is_ours(const struct descriptor *descriptor)
{
	struct stat status;

	return descriptor->fd >= 0 && fstat(descriptor->fd, &status) == 0 &&
	       status.st_dev == descriptor->device &&
	       status.st_ino == descriptor->inode;
}

static void drop(struct descriptor *descriptor)
{
	if (is_ours(descriptor))
		close(descriptor->fd);
	descriptor->fd = -1;
}

static bool may_ask(int connection)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size)
	       == 0 && (peer.uid == 0 || peer.uid == geteuid());
}

/* The answer, with the descriptor if there is no error. */
static void answer(int connection, int error, int fd)
{
	struct sdtkit_record_answer what = { .error = error };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { &what, sizeof(what) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	memset(&control, 0, sizeof(control));
	if (error < 0) {
		snprintf(what.text, sizeof(what.text), "%s",
			 sdtkit_record_error());
	} else {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
	}
	sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The file again, so that who gets it cannot write it. */
static int open_for_reading(const struct sdtkit_recorder *recorder)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/thread-self/fd/%d",
		 recorder->output.fd);
	fd = open(recorder->output.path[0] != '\0' ? recorder->output.path :
		  path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return sdtkit_record_fail(errno, "%s: %s",
			recorder->output.path, strerror(errno));
	return fd;
}

static void give_snapshot(struct sdtkit_record_listener *listener,
			  int connection)
{
	int fd = open_for_reading(listener->recorder);

	answer(connection, fd < 0 ? fd : 0, fd);
	if (fd >= 0)
		close(fd);
}

/* Returns whether the connection is kept. */
static bool begin_session(struct sdtkit_record_listener *listener,
			  int connection,
			  const struct sdtkit_record_request *request)
{
	struct sdtkit_record_settings settings = {
		.size = request->size,
		.ring_size = (uint32_t)request->ring_size,
		.mode = request->mode == SDTKIT_RECORD_BLOCK ?
			SDTKIT_RECORD_BLOCK : SDTKIT_RECORD_DISCARD,
	};
	struct session *session = listener->sessions;
	size_t limit = request->string_limit;
	int ret;

	while (session < listener->sessions + SESSIONS &&
	       session->recorder != NULL)
		session++;
	if (session == listener->sessions + SESSIONS)
		ret = sdtkit_record_fail(EBUSY, "%d others trace this process "
					 "already", SESSIONS);
	else
		ret = sdtkit_record_open_recorder(request->patterns,
			SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_NO_DUMP |
			(listener->recorder->flags & SDTKIT_RECORDER_TRAPS),
			&settings, limit > SDTKIT_RECORD_STRING_MAX ?
			SDTKIT_RECORD_STRING_MAX : limit, &session->recorder);
	if (ret < 0) {
		answer(connection, ret, -1);
		return false;
	}
	note(&session->connection, connection);
	answer(connection, 0, session->recorder->output.fd);
	return true;
}

static void end_session(struct session *session)
{
	struct sdtkit_record_file *file = session->recorder->output.file;

	/* First of all, nobody waits any more. */
	atomic_store(&file->has_reader, 0);
	atomic_store(&file->closed, 1);
	drop(&session->connection);
	sdtkit_recorder_close(session->recorder);
	session->recorder = NULL;
}

/* A request of the right size and version comes soon, or is not waited for. */
static bool read_request(int connection, struct sdtkit_record_request *request)
{
	struct pollfd poll_for = { .fd = connection, .events = POLLIN };

	if (poll(&poll_for, 1, PATIENCE_MS) != 1 ||
	    recv(connection, request, sizeof(*request), MSG_DONTWAIT) !=
	    sizeof(*request) || request->version != SDTKIT_RECORD_VERSION)
		return false;
	request->patterns[sizeof(request->patterns) - 1] = '\0';
	return true;
}

static void serve(struct sdtkit_record_listener *listener)
{
	struct sdtkit_record_request request;
	bool is_kept = false;
	int connection;

	connection = accept4(listener->socket.fd, NULL, NULL, SOCK_CLOEXEC);
	if (connection < 0)
		return;
	if (may_ask(connection) && read_request(connection, &request)) {
		if (request.what == SDTKIT_RECORD_REQUEST_SNAPSHOT)
			give_snapshot(listener, connection);
		else if (request.what == SDTKIT_RECORD_REQUEST_SESSION)
			is_kept = begin_session(listener, connection,
						&request);
	}
	if (!is_kept)
		close(connection);
}

/* Returns false at the end. */
static bool serve_next(struct sdtkit_record_listener *listener)
{
	struct pollfd polls[2 + SESSIONS];
	int i;

	polls[0] = (struct pollfd) { .fd = listener->end.fd,
				     .events = POLLIN };
	polls[1] = (struct pollfd) { .fd = listener->socket.fd,
				     .events = POLLIN };
	for (i = 0; i < SESSIONS; i++)
		polls[2 + i] = (struct pollfd) {
			.fd = listener->sessions[i].recorder != NULL ?
			      listener->sessions[i].connection.fd : -1,
			.events = POLLIN,
		};
	if (poll(polls, 2 + SESSIONS, -1) < 0 && errno != EINTR)
		return false;
	if (!is_ours(&listener->end) || !is_ours(&listener->socket) ||
	    polls[0].revents != 0)
		return false;
	for (i = 0; i < SESSIONS; i++) {
		if (polls[2 + i].revents != 0)
			end_session(&listener->sessions[i]);
	}
	if (polls[1].revents & POLLIN)
		serve(listener);
	return true;
}

static void *listen_until_end(void *argument)
{
	struct sdtkit_record_listener *listener = argument;
	int i;

	sdtkit_record_exclude_thread();
	while (serve_next(listener))
		;
	for (i = 0; i < SESSIONS; i++) {
		if (listener->sessions[i].recorder != NULL)
			end_session(&listener->sessions[i]);
	}
	return NULL;
}

/* The first recorder of a process has its name; others cannot be asked. */
static int open_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0), length;

	if (fd < 0)
		return sdtkit_record_fail(errno, "socket: %s", strerror(errno));
	length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			  SDTKIT_RECORD_SOCKET, (int)getpid());
	if (bind(fd, (void *)&address, (socklen_t)
		 (offsetof(struct sockaddr_un, sun_path) + 1 +
		  (size_t)length)) < 0 || listen(fd, 4) < 0) {
		int error = errno;

		close(fd);
		return sdtkit_record_fail(error, "the socket @"
			SDTKIT_RECORD_SOCKET ": %s", (int)getpid(),
			strerror(error));
	}
	return fd;
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
	return ret == 0 ? 0 : sdtkit_record_fail(ret, "the thread that "
				"listens: %s", strerror(ret));
}

int sdtkit_record_listen(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_listener *listener = calloc(1, sizeof(*listener));
	int fd, ret;

	if (listener == NULL)
		return sdtkit_record_fail(ENOMEM, "%s", strerror(ENOMEM));
	listener->recorder = recorder;
	fd = open_socket();
	if (fd == -EADDRINUSE) {
		free(listener);
		return 0;
	}
	ret = fd;
	if (fd >= 0) {
		note(&listener->socket, fd);
		note(&listener->end, eventfd(0, EFD_CLOEXEC));
		ret = start_thread(listener);
	}
	if (ret < 0) {
		if (fd >= 0) {
			drop(&listener->socket);
			drop(&listener->end);
		}
		free(listener);
		return ret;
	}
	recorder->listener = listener;
	return 0;
}

void sdtkit_record_stop_listening(struct sdtkit_recorder *recorder)
{
	struct sdtkit_record_listener *listener = recorder->listener;
	uint64_t one = 1;

	if (listener == NULL)
		return;
	if (is_ours(&listener->end) &&
	    write(listener->end.fd, &one, sizeof(one)) < 0)
		return;
	pthread_join(listener->thread, NULL);
	drop(&listener->socket);
	drop(&listener->end);
	free(listener);
	recorder->listener = NULL;
}
