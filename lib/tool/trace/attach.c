/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asks a process for what its recorder writes:
 *
 *	connect "\0sdtkit-recorder-4711" --> the process that opened it
 *	                        file <--
 *
 * That process looks whose we are, and we look whose it is: any user may have
 * taken the name.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/tool.h"
#include "trace/attach.h"
#include "trace/writers.h"

enum {
	/* Seconds. */
	PATIENCE = 5,
};

/* How asking a process has ended. */
enum answer {
	ANSWER_FILE,
	ANSWER_NOBODY,
	ANSWER_COMPLAINED,
};

/* The owner of a process; -1: there is no such process. */
static uid_t owner_of(pid_t pid)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &status) == 0 ? status.st_uid : (uid_t)-1;
}

/* The process that has started this one; 0: nobody, or it is not known. */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512];
	const char *end = NULL;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	/* 4711 (name) S 4700 ... */
	if (fgets(text, sizeof(text), file) != NULL)
		end = strrchr(text, ')');
	fclose(file);
	if (end == NULL || sscanf(end, ") %*c %d", &parent) != 1)
		return 0;
	return (pid_t)parent;
}

static int connect_to(pid_t pid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const struct timeval patience = { .tv_sec = PATIENCE };
	int length, fd, error;

	/* The first byte is 0: a name that is not in the file system. */
	length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			  "sdtkit-recorder-%d", (int)pid);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				(size_t)length)) == 0)
		return fd;
	error = errno;
	close(fd);
	return -error;
}

/* Whether the other side is the process, or at least one of its user's. */
static bool is_genuine(int fd, pid_t pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	    (peer.uid == owner_of(pid) || peer.uid == 0))
		return true;
	tool_complain("process %d: a process of another user answers in its "
		      "place, which is not trusted", (int)pid);
	return false;
}

/* Receives a file descriptor; -1 if there is none. */
static int receive(int fd)
{
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec data = { &byte, sizeof(byte) };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const struct cmsghdr *header;
	int file;

	if (recvmsg(fd, &message, MSG_CMSG_CLOEXEC) < 0)
		return -1;
	errno = 0;
	header = CMSG_FIRSTHDR(&message);
	if (header == NULL || header->cmsg_level != SOL_SOCKET ||
	    header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(file)))
		return -1;
	memcpy(&file, CMSG_DATA(header), sizeof(file));
	return file;
}

static void complain_of_answer(pid_t pid, int error)
{
	if (error == EAGAIN || error == EWOULDBLOCK)
		tool_complain("process %d: its recorder does not answer "
			      "within %d seconds; is it stopped?", (int)pid,
			      PATIENCE);
	else if (owner_of(pid) != geteuid() && geteuid() != 0)
		tool_complain("process %d belongs to user %d: its recorder "
			      "answers only that user and root", (int)pid,
			      (int)owner_of(pid));
	else
		tool_complain("process %d: its recorder hands out nothing%s%s",
			      (int)pid, error != 0 ? ": " : "",
			      error != 0 ? strerror(error) : "");
}

static enum answer ask(pid_t pid, int *file)
{
	enum answer answer = ANSWER_COMPLAINED;
	int fd = connect_to(pid);

	if (fd == -ECONNREFUSED)
		return ANSWER_NOBODY;
	if (fd < 0) {
		complain_of_answer(pid, -fd);
		return ANSWER_COMPLAINED;
	}
	if (is_genuine(fd, pid)) {
		*file = receive(fd);
		if (*file >= 0)
			answer = ANSWER_FILE;
		else
			complain_of_answer(pid, errno);
	}
	close(fd);
	return answer;
}

int tracing_attach(pid_t pid, pid_t *only)
{
	pid_t asked;
	int file;

	if (owner_of(pid) == (uid_t)-1) {
		tool_complain("there is no process %d", (int)pid);
		return -1;
	}
	for (asked = pid; asked > 0; asked = parent_of(asked)) {
		switch (ask(asked, &file)) {
		case ANSWER_FILE:
			*only = asked != pid ? pid : 0;
			return file;
		case ANSWER_COMPLAINED:
			return -1;
		default:
			break;
		}
	}
	tool_complain("process %d has no recorder, nor has any that it was "
		      "started by; start it with "
		      "LD_PRELOAD=libsdtkit-recorder.so, or see "
		      "docs/recorder.md", (int)pid);
	return -1;
}

bool tracing_is_alive(pid_t pid)
{
	return tracing_writer((uint32_t)pid) != SDTKIT_RING_GONE;
}
