/* SPDX-License-Identifier: BSD-2-Clause */
/* See listen.h and attach.h: what a client asks for, and what it gets. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "attach.h"
#include "listen.h"
#include "read_parts.h"

enum {
	/* For a request that does not come; milliseconds. */
	PATIENCE_MS = 1000,
	/* How long a hit waits for a reader that does not get on. */
	HIT_MS = 5000,
	/* Before the next attempt when there are no descriptors left. */
	PAUSE_MS = 100,
};

static bool may_ask(int connection)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size)
	       == 0 && (peer.uid == 0 || peer.uid == geteuid());
}

/*
 * The answer: with the descriptor, or the text of the error. told: the error is
 * 0, and its text is about what is left out.
 */
static void answer(int connection, int error, int fd, bool told)
{
	struct sdtkit_record_answer what = { .error = error };
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { &what, sizeof(what) };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	memset(&control, 0, sizeof(control));
	if (error < 0 || told)
		snprintf(what.text, sizeof(what.text), "%s",
			 sdtkit_record_error());
	if (error == 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
	}
	sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/*
 * Opens the file of a recorder for reading: by its descriptor, in the table of
 * this thread or of the program, or if that was closed, by its name. -1: it
 * cannot be.
 */
static int open_file(const struct sdtkit_record_output *output)
{
	static const char *const tables[] = {
		"/proc/thread-self/fd/%d", "/proc/self/fd/%d",
	};
	char path[64];
	int fd, i;

	for (i = 0; i < 3; i++) {
		if (i < 2)
			snprintf(path, sizeof(path), tables[i],
				 output->descriptor.fd);
		fd = open(i < 2 ? path : output->path,
			  O_RDONLY | O_CLOEXEC | (i < 2 ? 0 : O_NOFOLLOW));
		if (fd >= 0 && sdtkit_record_is_same(&output->descriptor, fd))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

void sdtkit_record_open_readable(struct sdtkit_record_listener *listener)
{
	sdtkit_record_note_descriptor(&listener->readable,
		open_file(&listener->recorder->output));
}

static void give_file(const struct sdtkit_recorder *recorder, int connection,
		      int fd)
{
	int ret = 0;

	if (fd < 0)
		ret = sdtkit_record_fail(EBADF, "the process has closed the "
			"descriptor of its recording, and %s",
			recorder->output.path[0] == '\0' ?
			"that has no name" : "removed it");
	answer(connection, ret, fd, false);
}

/* That of the listener, or another one that is no session. */
static bool give_own(struct sdtkit_record_listener *listener, bool counts,
		     int connection)
{
	struct sdtkit_recorder *recorder = listener->recorder;
	int fd, i;

	if ((recorder->kind != NULL) == counts) {
		if (!sdtkit_record_is_ours(&listener->readable))
			sdtkit_record_open_readable(listener);
		give_file(recorder, connection, listener->readable.fd);
		return true;
	}
	pthread_mutex_lock(&sdtkit_record_lock);
	SDTKIT_RECORD_FOR_EACH(recorder, i) {
		if ((recorder->kind != NULL) == counts &&
		    recorder->directory[0] != '\0')
			break;
	}
	if (i < SDTKIT_RECORD_WRITERS) {
		fd = open_file(&recorder->output);
		give_file(recorder, connection, fd);
		if (fd >= 0)
			close(fd);
	}
	pthread_mutex_unlock(&sdtkit_record_lock);
	return i < SDTKIT_RECORD_WRITERS;
}

static void give_snapshot(struct sdtkit_record_listener *listener,
			  int connection)
{
	if (give_own(listener, false, connection))
		return;
	answer(connection, sdtkit_record_fail(ENOENT, "the process counts, and "
		"does not record events: use sdtkit top"), -1, false);
}

static int open_session(struct sdtkit_record_listener *listener,
			const struct sdtkit_record_request *request,
			struct sdtkit_record_session **session)
{
	struct sdtkit_record_settings settings = {
		.size = request->size,
		.ring_size = (uint32_t)request->ring_size,
		.mode = request->mode == SDTKIT_RECORD_BLOCK ?
			SDTKIT_RECORD_BLOCK : SDTKIT_RECORD_DISCARD,
		.patience_ms = HIT_MS,
	};
	struct sdtkit_record_session *s = listener->sessions;
	const char *patterns = request->patterns;
	size_t limit = request->string_limit;
	int ret;

	while (s < listener->sessions + SDTKIT_RECORD_SESSIONS &&
	       s->recorder != NULL)
		s++;
	if (s == listener->sessions + SDTKIT_RECORD_SESSIONS)
		return sdtkit_record_fail(EBUSY, "%d others trace this process "
					  "already", SDTKIT_RECORD_SESSIONS);
	if (request->what == SDTKIT_RECORD_REQUEST_COUNT) {
		if (sdtkit_record_prepare_counts == NULL)
			return sdtkit_record_fail(EPROTONOSUPPORT, "the recorder "
				"of this program cannot count");
		ret = sdtkit_record_prepare_counts(patterns, &settings,
						   &patterns);
		if (ret < 0)
			return ret;
	}
	*session = s;
	return sdtkit_record_open_recorder(patterns,
		SDTKIT_RECORDER_NO_FILE | SDTKIT_RECORDER_NO_DUMP |
		(listener->recorder->flags & SDTKIT_RECORDER_TRAPS),
		&settings, limit > SDTKIT_RECORD_STRING_MAX ?
		SDTKIT_RECORD_STRING_MAX : limit, &s->recorder);
}

/* Returns whether the connection is kept. */
static bool begin_session(struct sdtkit_record_listener *listener,
			  int connection,
			  const struct sdtkit_record_request *request)
{
	const struct sdtkit_record_descriptor *file;
	struct sdtkit_record_session *session = NULL;
	int ret = open_session(listener, request, &session);
	bool left_out;

	if (ret < 0) {
		answer(connection, ret, -1, false);
		return false;
	}
	left_out = sdtkit_recorder_left_out(session->recorder) > 0;
	if (left_out)
		sdtkit_record_fail_left_out(session->recorder, 0, false);
	sdtkit_record_note_descriptor(&session->connection, connection);
	file = &session->recorder->output.descriptor;
	if (!sdtkit_record_is_ours(file))
		ret = sdtkit_record_fail(EBADF, "the process has closed the "
					 "descriptor of this recording");
	answer(connection, ret, file->fd, left_out);
	return true;
}

void sdtkit_record_end_session(struct sdtkit_record_session *session)
{
	struct sdtkit_record_file *file = session->recorder->output.file;

	/* First of all, nobody waits any more. */
	atomic_store(&file->closed, 1);
	sdtkit_record_drop(&session->connection);
	sdtkit_record_close_recorder(session->recorder);
	session->recorder = NULL;
}

/* A request of the right size and version comes soon, or is not waited for. */
static bool read_request(int connection, struct sdtkit_record_request *request)
{
	struct pollfd poll_for = { .fd = connection, .events = POLLIN };

	if (poll(&poll_for, 1, PATIENCE_MS) != 1 ||
	    recv(connection, request, sizeof(*request), MSG_DONTWAIT) !=
	    sizeof(*request) || request->version != SDTKIT_RECORD_VERSION ||
	    request->what > SDTKIT_RECORD_REQUEST_COUNT)
		return false;
	request->patterns[sizeof(request->patterns) - 1] = '\0';
	return true;
}

/* The client still waits, and the thread must not run all the time. */
static void pause_without_memory(struct sdtkit_record_listener *listener)
{
	struct pollfd poll_for = { .fd = listener->end.fd, .events = POLLIN };

	if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
	    errno == ENOMEM)
		poll(&poll_for, 1, PAUSE_MS);
}

void sdtkit_record_serve(struct sdtkit_record_listener *listener)
{
	struct sdtkit_record_request request;
	bool is_kept = false;
	int connection;

	connection = accept4(listener->socket.fd, NULL, NULL, SOCK_CLOEXEC);
	if (connection < 0) {
		pause_without_memory(listener);
		return;
	}
	if (may_ask(connection) && read_request(connection, &request)) {
		if (request.what == SDTKIT_RECORD_REQUEST_SNAPSHOT)
			give_snapshot(listener, connection);
		/* What is counted anyway has no filter, or another one. */
		else if (request.what == SDTKIT_RECORD_REQUEST_SESSION ||
			 strchr(request.patterns, '/') != NULL ||
			 !give_own(listener, true, connection))
			is_kept = begin_session(listener, connection,
						&request);
	}
	if (!is_kept)
		close(connection);
}
