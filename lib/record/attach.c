/* SPDX-License-Identifier: BSD-2-Clause */
/* See attach.h: asks a process for its recorder. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "attach.h"
#include "read_parts.h"

/*
 * Bytes of a session. A busy thread fills 256 KiB in less than a millisecond,
 * and a reader on a busy machine does not come as often; pages that are never
 * written take no memory.
 */
enum {
	SESSION_SIZE = 256 << 20,
	SESSION_RING = 1 << 20,
	/* Seconds to wait for an answer. */
	PATIENCE = 10,
	/* Milliseconds to wait for a file that is being made. */
	MAKING_MS = 2000,
};

static int ask_process(pid_t pid, int *connection)
{
	static const struct timeval patience = { .tv_sec = PATIENCE };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct ucred peer;
	socklen_t size;
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), length, ret;

	if (fd < 0)
		return sdtkit_record_fail(errno, "socket: %s", strerror(errno));
	/* To connect to a process that is stopped may take for ever. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
			  SDTKIT_RECORD_SOCKET, (int)pid);
	size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)length);
	do
		ret = connect(fd, (void *)&address, size);
	while (ret < 0 && errno == EINTR);
	if (ret < 0) {
		close(fd);
		return sdtkit_record_fail(ENOENT, "it has no recorder that "
					  "listens");
	}
	size = sizeof(peer);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 ||
	    peer.pid != pid) {
		close(fd);
		return sdtkit_record_fail(EPERM, "another process listens in "
			"its name: do not trust it");
	}
	*connection = fd;
	return 0;
}

/* A descriptor that came with a message, or -1. */
static int take_descriptor(struct msghdr *message)
{
	struct cmsghdr *control = CMSG_FIRSTHDR(message);
	int fd = -1;

	if (control != NULL && control->cmsg_level == SOL_SOCKET &&
	    control->cmsg_type == SCM_RIGHTS &&
	    control->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(control), sizeof(fd));
	return fd;
}

static int refused(void)
{
	return sdtkit_record_fail(ECONNRESET, "the process refused: it serves "
				  "its own user and root");
}

static int silent(void)
{
	return sdtkit_record_fail(ETIMEDOUT, "its recorder does not answer "
		"within %d seconds: is it stopped?", PATIENCE);
}

static int does_not_answer(void)
{
	return sdtkit_record_fail(errno, "the process does not answer: %s",
				  strerror(errno));
}

/* A wait with SO_RCVTIMEO would fail when this process is stopped meanwhile. */
static int wait_for_answer(int connection)
{
	struct pollfd poll_for = { .fd = connection, .events = POLLIN };
	int ready = poll(&poll_for, 1, PATIENCE * 1000);

	return ready > 0 ? 0 : ready == 0 ? silent() : does_not_answer();
}

static int receive(int connection, int *fd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct sdtkit_record_answer answer;
	struct iovec part = { &answer, sizeof(answer) };
	/* For one: the kernel does not give more than there is room for. */
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	int ret = wait_for_answer(connection);
	ssize_t size;

	if (ret < 0)
		return ret;
	size = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
	if (size < 0)
		return errno == ECONNRESET ? refused() : does_not_answer();
	*fd = take_descriptor(&message);
	answer.text[sizeof(answer.text) - 1] = '\0';
	if (size != sizeof(answer))
		ret = refused();
	else if (answer.error < 0)
		ret = sdtkit_record_fail(-answer.error, "%s", answer.text);
	else if (*fd < 0)
		ret = sdtkit_record_fail(EPROTO, "the process sent no file");
	else
		sdtkit_record_fail(0, "%s", answer.text);
	if (ret < 0 && *fd >= 0)
		close(*fd);
	return ret;
}

/* If the process has closed the connection, its answer says why. */
static int send_request(int connection,
			const struct sdtkit_record_request *request)
{
	if (send(connection, request, sizeof(*request), MSG_NOSIGNAL) ==
	    sizeof(*request) || errno == EPIPE || errno == ECONNRESET)
		return 0;
	return does_not_answer();
}

static int cannot_open(const char *path, int error)
{
	return sdtkit_record_fail(error, "%s: %s", path, strerror(error));
}

/*
 * The process has chosen the path, and may put something else there. That is
 * looked at first: to open a device can do something.
 */
static int open_regular(const char *path)
{
	int at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), file;
	struct stat status = { 0 };
	char again[40];

	if (at < 0)
		return cannot_open(path, errno);
	fstat(at, &status);
	snprintf(again, sizeof(again), "/proc/self/fd/%d", at);
	if (S_ISREG(status.st_mode))
		file = open(again, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	else
		file = sdtkit_record_fail(ENOEXEC, "%s: not a regular file",
					  path);
	if (file == -1)
		file = cannot_open(path, errno);
	close(at);
	return file;
}

/* Whether a file has counts, or events, as is asked for. */
static bool has_wanted(const char *path, bool counts)
{
	int fd = open_regular(path);
	uint32_t mode = 0;
	bool is_read = fd >= 0 &&
		pread(fd, &mode, sizeof(mode),
		      offsetof(struct sdtkit_record_file, mode)) ==
		sizeof(mode);

	if (fd >= 0)
		close(fd);
	/* What cannot be read is told of later. */
	return !is_read || (mode == SDTKIT_RECORD_COUNT) == counts;
}

/*
 * "/dev/shm/sdtkit-recorder-4711.1" among the mappings of a task: "/proc/4711"
 * or one of its threads. -ESRCH: it has none at all, since it has ended.
 */
static int find_path_of(const char *task, bool counts, char *path)
{
	char name[64], line[PATH_MAX + 128];
	int ret = -ESRCH;
	FILE *maps;

	snprintf(name, sizeof(name), "%s/maps", task);
	maps = fopen(name, "re");
	if (maps == NULL)
		return sdtkit_record_fail(errno, "%s: %s%s", name,
			strerror(errno), errno == EACCES && geteuid() != 0 ?
			": only the user of the process, and root, may read "
			"it" : "");
	while (ret != 0 && fgets(line, sizeof(line), maps) != NULL) {
		char *at = strchr(line, '/');

		ret = -ENOENT;
		if (at == NULL || strstr(at, "/sdtkit-recorder-") == NULL ||
		    strstr(at, " (deleted)") != NULL)
			continue;
		at[strcspn(at, "\n")] = '\0';
		snprintf(path, PATH_MAX, "%s/root%s", task, at);
		if (has_wanted(path, counts))
			ret = 0;
	}
	fclose(maps);
	return ret;
}

/* The main thread may have ended before others. */
static int find_path(pid_t pid, bool counts, char *path)
{
	char name[64], task[PATH_MAX];
	struct dirent *entry;
	DIR *tasks;
	int ret;

	snprintf(name, sizeof(name), "/proc/%d", (int)pid);
	ret = find_path_of(name, counts, path);
	if (ret == -ESRCH) {
		snprintf(name, sizeof(name), "/proc/%d/task", (int)pid);
		tasks = opendir(name);
		while (tasks != NULL && ret == -ESRCH &&
		       (entry = readdir(tasks)) != NULL) {
			if (entry->d_name[0] == '.')
				continue;
			snprintf(task, sizeof(task), "/proc/%d/task/%s",
				 (int)pid, entry->d_name);
			ret = find_path_of(task, counts, path);
		}
		if (tasks != NULL)
			closedir(tasks);
	}
	if (ret != -ENOENT && ret != -ESRCH)
		return ret;
	return sdtkit_record_fail(ENOENT, "it has no recorder%s: start it with "
		"LD_PRELOAD=libsdtkit-recorder.so and %s, or have it call %s()",
		counts ? " that counts a span" : "",
		counts ? "SDTKIT_RECORDER_COUNT='*:*', or other patterns" :
		"SDTKIT_RECORDER", counts ? "sdtkit_recorder_count" :
		"sdtkit_recorder_open");
}

/* Whether a process is still making the file: it writes the first word last. */
static bool is_being_made(int file)
{
	uint64_t magic = 0;

	return pread(file, &magic, sizeof(magic), 0) >= 0 && magic == 0;
}

static void wait_until_made(int file)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; i < MAKING_MS && is_being_made(file); i++)
		nanosleep(&pause, NULL);
}

/* The process itself, or a child of the one that listens. */
static int find_file(pid_t pid, bool counts, int *fd)
{
	char path[PATH_MAX];
	int ret = find_path(pid, counts, path), file;

	if (ret < 0)
		return ret;
	file = open_regular(path);
	if (file < 0)
		return file;
	wait_until_made(file);
	*fd = file;
	return 0;
}

int sdtkit_record_find(pid_t pid, int *fd)
{
	static const struct sdtkit_record_request request = {
		.version = SDTKIT_RECORD_VERSION,
		.what = SDTKIT_RECORD_REQUEST_SNAPSHOT,
	};
	int connection, ret = ask_process(pid, &connection);

	if (ret == -ENOENT)
		return find_file(pid, false, fd);
	if (ret < 0)
		return ret;
	ret = send_request(connection, &request);
	if (ret == 0)
		ret = receive(connection, fd);
	close(connection);
	/* A process that is stopped, or whose thread waits, has a file as well. */
	if (ret == -ETIMEDOUT && find_file(pid, false, fd) == 0)
		return 0;
	return ret == -ETIMEDOUT ? silent() : ret;
}

/* Closes c unless it becomes *connection. */
static int ask(int c, const char *patterns,
	       struct sdtkit_record_request *request, int *connection, int *fd)
{
	int ret = 0;

	if (strlen(patterns) >= sizeof(request->patterns))
		ret = sdtkit_record_fail(E2BIG, "the patterns have more than "
			"%d bytes", SDTKIT_RECORD_PATTERNS - 1);
	snprintf(request->patterns, sizeof(request->patterns), "%s", patterns);
	if (ret == 0)
		ret = send_request(c, request);
	if (ret == 0)
		ret = receive(c, fd);
	if (ret < 0)
		close(c);
	else
		*connection = c;
	return ret;
}

int sdtkit_record_begin_session(pid_t pid, const char *patterns,
				enum sdtkit_record_mode mode,
				size_t string_limit, int *connection, int *fd)
{
	struct sdtkit_record_request request = {
		.version = SDTKIT_RECORD_VERSION,
		.what = SDTKIT_RECORD_REQUEST_SESSION,
		.size = SESSION_SIZE,
		.ring_size = SESSION_RING,
		.mode = mode,
		.string_limit = (uint32_t)string_limit,
	};
	int c, ret = ask_process(pid, &c);

	return ret < 0 ? ret : ask(c, patterns, &request, connection, fd);
}

int sdtkit_record_find_counts(pid_t pid, const char *patterns,
			      int *connection, int *fd)
{
	struct sdtkit_record_request request = {
		.version = SDTKIT_RECORD_VERSION,
		.what = SDTKIT_RECORD_REQUEST_COUNT,
		.mode = SDTKIT_RECORD_COUNT,
	};
	int c, ret = ask_process(pid, &c);
	bool listens = ret == 0;

	if (listens)
		ret = ask(c, patterns, &request, connection, fd);
	if (ret != (listens ? -ECONNRESET : -ENOENT))
		return ret;
	/* A file that is found has no filter, or another one. */
	if (strchr(patterns, '/') != NULL)
		return listens ? ret : sdtkit_record_fail(ENOENT, "it has no "
			"recorder that listens, which a filter needs");
	*connection = -1;
	ret = find_file(pid, true, fd);
	return ret < 0 && listens ? refused() : ret;
}
