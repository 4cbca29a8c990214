/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * connections.c - the connections that are open, see connections.h.
 *
 * There may be 32, and 16 of one address. One more ends the oldest that has not
 * sent its request yet, so that whoever opens connections and sends nothing does
 * not keep out others. If all of them are being answered, the new one is ended.
 *
 * To end one is to shut its socket down: it is closed by the thread that serves.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>

#include "connections.h"

enum {
	MOST = 32,
	MOST_OF_ONE_ADDRESS = 16,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection {
	int fd;
	time_t since;			/* 0: there is none */
	unsigned long long number;
	unsigned long long origin;
	bool asked;			/* it has sent a request */
	bool ended;			/* and is not closed yet */
} connections[CONNECTIONS_MAX];

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + 1;		/* never 0 */
}

static struct connection *find(int fd)
{
	int i;

	for (i = 0; i < CONNECTIONS_MAX; i++) {
		if (connections[i].since != 0 && connections[i].fd == fd)
			return &connections[i];
	}
	return NULL;
}

static void end_connection(struct connection *c)
{
	shutdown(c->fd, SHUT_RDWR);
	c->ended = true;
}

static void make_room(struct connection *new)
{
	struct connection *c, *oldest = new;
	int all = 0, same = 0;
	bool crowd;

	for (c = connections; c < connections + CONNECTIONS_MAX; c++) {
		if (c->since == 0 || c->ended)
			continue;
		all++;
		same += c->origin == new->origin;
	}
	crowd = new->origin != 0 && same > MOST_OF_ONE_ADDRESS;
	if (!crowd && all <= MOST)
		return;
	for (c = connections; c < connections + CONNECTIONS_MAX; c++) {
		if (c->since != 0 && !c->ended && !c->asked &&
		    c->number < oldest->number &&
		    (!crowd || c->origin == new->origin))
			oldest = c;
	}
	end_connection(oldest);
}

void connections_add(int fd, unsigned long long origin)
{
	static unsigned long long number;
	struct connection *c;

	pthread_mutex_lock(&lock);
	for (c = connections; c < connections + CONNECTIONS_MAX; c++) {
		if (c->since != 0)
			continue;
		*c = (struct connection){
			.fd = fd, .since = seconds(), .number = number++,
			.origin = origin,
		};
		make_room(c);
		break;
	}
	pthread_mutex_unlock(&lock);
}

void connections_asked(int fd)
{
	struct connection *c;

	pthread_mutex_lock(&lock);
	c = find(fd);
	if (c != NULL)
		c->asked = true;
	pthread_mutex_unlock(&lock);
}

void connections_remove(int fd)
{
	struct connection *c;

	pthread_mutex_lock(&lock);
	c = find(fd);
	if (c != NULL)
		c->since = 0;
	pthread_mutex_unlock(&lock);
}

void connections_end_slow(void)
{
	time_t now = seconds();
	int i;

	pthread_mutex_lock(&lock);
	for (i = 0; i < CONNECTIONS_MAX; i++) {
		if (connections[i].since != 0 &&
		    now - connections[i].since > CONNECTIONS_LIMIT_S)
			shutdown(connections[i].fd, SHUT_RDWR);
	}
	pthread_mutex_unlock(&lock);
}
