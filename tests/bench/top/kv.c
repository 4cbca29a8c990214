/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kv.c - a server of keys and values like redis, to be measured: one thread,
 * one request of a client at a time, a few microseconds for each.
 *
 *	kv			listens on a free port of 127.0.0.1, and prints it
 *	kv PORT CLIENTS COUNT	sends COUNT requests, each client when its last
 *				one was answered, and prints how many were
 *
 *	SET key17 value			GET key17		GET none
 *	+OK				$value			-none
 */
#include <arpa/inet.h>
#include <err.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kv_probes.h"

enum { KV_GET, KV_SET, KV_OTHER };	/* as in kv.d */

enum { MAX_CLIENTS = 64, SLOTS = 4096, KEY = 32, VALUE = 96, LINE = 160 };

struct slot {
	char key[KEY];
	char value[VALUE];
};

struct client {
	int fd;
	size_t used;
	char line[LINE];
};

static struct slot slots[SLOTS];

static struct slot *slot_of(const char *key)
{
	unsigned int hash = 5381;

	for (; *key != '\0'; key++)
		hash = hash * 33 + (unsigned char)*key;
	return &slots[hash % SLOTS];
}

/* Another key of the same slot is forgotten. */
static int set(const char *key, const char *value, char *answer)
{
	struct slot *slot = slot_of(key);

	snprintf(slot->key, KEY, "%s", key);
	snprintf(slot->value, VALUE, "%s", value);
	strcpy(answer, "+OK\n");
	return 0;
}

static int get(const char *key, char *answer)
{
	const struct slot *slot = slot_of(key);

	if (strcmp(slot->key, key) != 0) {
		strcpy(answer, "-none\n");
		return 1;
	}
	snprintf(answer, LINE, "$%s\n", slot->value);
	return 0;
}

static int op_of(const char *verb)
{
	if (strcmp(verb, "GET") == 0)
		return KV_GET;
	return strcmp(verb, "SET") == 0 ? KV_SET : KV_OTHER;
}

static void serve_line(struct client *c)
{
	char verb[8] = "", key[KEY] = "", value[VALUE] = "";
	char answer[LINE] = "-what\n";
	int status = 2;
	ssize_t sent;
	int op;

	sscanf(c->line, "%7s %31s %95s", verb, key, value);
	op = op_of(verb);
	KV_REQUEST_START((uintptr_t)c, op, (uint32_t)c->used);
	if (op == KV_GET)
		status = get(key, answer);
	else if (op == KV_SET)
		status = set(key, value, answer);
	sent = send(c->fd, answer, strlen(answer), MSG_NOSIGNAL);
	KV_REQUEST_END((uintptr_t)c, status, sent > 0 ? (uint32_t)sent : 0);
	(void)sent;
	c->used = 0;
}

/* A client waits for its answer, so a line comes alone. */
static void receive(struct client *c)
{
	ssize_t size = recv(c->fd, c->line + c->used, LINE - 1 - c->used, 0);

	if (size <= 0) {
		close(c->fd);
		free(c);
		return;
	}
	c->used += (size_t)size;
	c->line[c->used] = '\0';
	if (c->line[c->used - 1] == '\n' || c->used == LINE - 1)
		serve_line(c);
}

static void watch(int queue, int fd, void *what)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = what };

	if (epoll_ctl(queue, EPOLL_CTL_ADD, fd, &event) != 0)
		err(1, "epoll_ctl");
}

static void welcome(int queue, int listener)
{
	struct client *c = calloc(1, sizeof(*c));

	if (c == NULL)
		err(1, NULL);
	c->fd = accept(listener, NULL, NULL);
	if (c->fd < 0)
		err(1, "accept");
	watch(queue, c->fd, c);
}

static int serve(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int queue = epoll_create1(0);
	socklen_t size = sizeof(address);
	struct epoll_event events[16];
	int count;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listener, (struct sockaddr *)&address, size) != 0 ||
	    listen(listener, MAX_CLIENTS) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0)
		err(1, "socket");
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	watch(queue, listener, NULL);
	for (;;) {
		count = epoll_wait(queue, events, 16, -1);
		while (count-- > 0) {
			if (events[count].data.ptr == NULL)
				welcome(queue, listener);
			else
				receive(events[count].data.ptr);
		}
	}
}

static int connect_to(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((uint16_t)port);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
		err(1, "connect");
	return fd;
}

/* One SET and three GETs, as caches are used. */
static void ask(int fd, unsigned long number)
{
	char line[LINE];
	int size;

	if (number % 4 == 0)
		size = snprintf(line, LINE, "SET key%lu value%lu\n",
				number % 997, number);
	else
		size = snprintf(line, LINE, "GET key%lu\n", number % 997);
	if (send(fd, line, (size_t)size, 0) != size)
		err(1, "send");
}

static unsigned long drive(int port, int clients, unsigned long count)
{
	struct pollfd fds[MAX_CLIENTS];
	unsigned long sent = 0, answered = 0;
	char line[LINE];
	int i;

	for (i = 0; i < clients; i++) {
		fds[i] = (struct pollfd){ connect_to(port), POLLIN, 0 };
		ask(fds[i].fd, sent++);
	}
	while (answered < sent && poll(fds, (nfds_t)clients, -1) > 0) {
		for (i = 0; i < clients; i++) {
			if (fds[i].revents == 0)
				continue;
			if (recv(fds[i].fd, line, LINE, 0) <= 0)
				errx(1, "the server has closed");
			answered++;
			if (sent < count)
				ask(fds[i].fd, sent++);
		}
	}
	return answered;
}

int main(int argc, char **argv)
{
	int clients;

	if (argc < 4)
		return serve();
	clients = atoi(argv[2]);
	if (clients < 1 || clients > MAX_CLIENTS)
		errx(1, "invalid value '%s': use 1 to %d clients", argv[2],
		     MAX_CLIENTS);
	printf("%lu\n", drive(atoi(argv[1]), clients,
			      strtoul(argv[3], NULL, 10)));
	return 0;
}
