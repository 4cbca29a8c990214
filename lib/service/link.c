/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * link.c - sends reports and rows from the tracer to the server.
 *
 *	head | struct link_report | rows of the first table | of the second...
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

static int send_head(int fd, enum link_kind kind, size_t size)
{
	struct link_head head = { kind, (unsigned int)size };

	return send_all(fd, &head, sizeof(head));
}

int link_send(int fd, enum link_kind kind, const void *data, size_t size)
{
	int ret = send_head(fd, kind, size);

	return ret == 0 ? send_all(fd, data, size) : ret;
}

/* What a report has besides its rows, and how many rows each table has. */
struct link_report {
	unsigned long long end_ns, elapsed_ns;
	unsigned int counts[REPORT_TABLES];
};

static size_t size_of_rows(const struct report *r, size_t t)
{
	return r->rows[t].count * report_table(r, t)->row_size;
}

int link_send_report(int fd, const struct report *r)
{
	struct link_report head = { .end_ns = r->end_ns,
		.elapsed_ns = r->elapsed_ns };
	size_t size = sizeof(head);
	int ret;
	size_t t;

	for (t = 0; t < r->tables->count; t++) {
		head.counts[t] = (unsigned int)r->rows[t].count;
		size += size_of_rows(r, t);
	}
	ret = send_head(fd, LINK_REPORT, size);
	if (ret == 0)
		ret = send_all(fd, &head, sizeof(head));
	for (t = 0; ret == 0 && t < r->tables->count; t++)
		ret = send_all(fd, r->rows[t].rows, size_of_rows(r, t));
	return ret;
}

int link_open_report(const char *data, size_t size, struct report *r)
{
	struct link_report head;
	size_t t, i, row;

	report_clear(r);
	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, data, sizeof(head));
	data += sizeof(head);
	size -= sizeof(head);
	r->end_ns = head.end_ns;
	r->elapsed_ns = head.elapsed_ns;
	for (t = 0; t < r->tables->count; t++) {
		row = report_table(r, t)->row_size;
		if (size / row < head.counts[t])
			return -EBADMSG;
		for (i = 0; i < head.counts[t]; i++, data += row)
			memcpy(report_append(r, t), data, row);
		size -= head.counts[t] * row;
	}
	return size == 0 ? 0 : -EBADMSG;
}
