/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link.c - sends reports and events from the tracer to the server.
 *
 *	head | struct smbd_report | rows of clients | of users | ...
 *	| rows of shares by command | waits
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "link.h"

static bool (*is_ending)(void);

void link_begin(bool (*ending)(void))
{
	is_ending = ending;
}

/*
 * Waits a second at most, since a signal that comes just before would not end
 * the wait. Adds up what it waits at the end, and returns false to give up.
 */
static bool wait_for_room(int fd, int *waited_ms)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	if (poll(&room, 1, 1000) == 0 && (is_ending == NULL || is_ending()))
		*waited_ms += 1000;
	return *waited_ms < LINK_LAST_MS;
}

static int send_all(int fd, const void *data, size_t size)
{
	const char *at = data;
	int waited_ms = 0;
	ssize_t sent;

	while (size > 0) {
		sent = send(fd, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EAGAIN) {
			if (!wait_for_room(fd, &waited_ms))
				return -ETIMEDOUT;
			continue;
		}
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		at += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int link_receive(int fd, void *data, size_t size)
{
	char *at = data;
	ssize_t got;

	while (size > 0) {
		got = recv(fd, at, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -EPIPE;
		at += got;
		size -= (size_t)got;
	}
	return 0;
}

int link_send(int fd, enum link_kind kind, const void *data, size_t size)
{
	struct link_head head = { kind, (unsigned int)size };
	int ret = send_all(fd, &head, sizeof(head));

	return ret == 0 ? send_all(fd, data, size) : ret;
}

/* A report has a table for each kind of names, and one more. */
enum { TABLES = TSMBD_KINDS + 1 };

static const struct top *table(const struct smbd_report *r, int i)
{
	return i < TSMBD_KINDS ? &r->tops[i] : &r->share_commands;
}

static size_t size_of_rows(const struct top *top)
{
	return (size_t)top->count * sizeof(*top->rows);
}

static size_t size_of_waits(const struct smbd_report *r)
{
	return (size_t)r->num_waits * sizeof(*r->waits);
}

int link_send_report(int fd, const struct smbd_report *r)
{
	size_t size = sizeof(*r) + size_of_waits(r);
	struct link_head head;
	int ret;
	int i;

	for (i = 0; i < TABLES; i++)
		size += size_of_rows(table(r, i));
	head = (struct link_head){ LINK_REPORT, (unsigned int)size };
	ret = send_all(fd, &head, sizeof(head));
	if (ret == 0)
		ret = send_all(fd, r, sizeof(*r));
	for (i = 0; ret == 0 && i < TABLES; i++)
		ret = send_all(fd, table(r, i)->rows,
			       size_of_rows(table(r, i)));
	return ret == 0 ? send_all(fd, r->waits, size_of_waits(r)) : ret;
}

int link_open_report(char *data, size_t size, struct smbd_report *r)
{
	size_t at = sizeof(*r);
	struct top *top;
	int i;

	if (size < at)
		return -EBADMSG;
	memcpy(r, data, sizeof(*r));
	for (i = 0; i < TABLES; i++) {
		top = i < TSMBD_KINDS ? &r->tops[i] : &r->share_commands;
		if (size - at < size_of_rows(top))
			return -EBADMSG;
		top->rows = (struct top_row *)(void *)(data + at);
		top->capacity = top->count;
		top->index = NULL;
		at += size_of_rows(top);
	}
	if (size - at != size_of_waits(r))
		return -EBADMSG;
	r->waits = (struct waited *)(void *)(data + at);
	return 0;
}
