/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * peer.c - finds the client of an smbd that existed before the tracing.
 *
 * Its probe client_start is long past, so its sockets are looked up in
 * /proc/PID/net/tcp. A line of that, addresses in hex, as words of the host:
 *
 *	0: 0100007F:01BD 0100007F:C3CB 01 00000000:00000000 00:00000000
 *	00000000     0        0 81234 1 ...
 *
 * The state 01 is an established connection, 81234 is the socket's inode.
 *
 * smbd has other connections: to ctdb, LDAP, winbind. Its client's is one
 * that was accepted, so somebody listens on its local address and port; an
 * outgoing one has a port on which nobody listens. The process that listens
 * has children for clients, and is not one of these.
 *
 * All sockets of a network namespace are read at once and kept for a while:
 * thousands of processes are looked at when the tracing begins.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "peer.h"
#include "proc.h"

/* States of <netinet/tcp.h>. In CLOSE_WAIT the client has hung up. */
enum { ESTABLISHED = 1, CLOSE_WAIT = 8, LISTEN = 10 };

enum { MAX_NAMESPACES = 16 };

/* IPv4 is mapped into IPv6: ::ffff:192.0.2.7 */
struct end {
	struct in6_addr address;
	unsigned int port;
};

struct tcp_socket {
	unsigned long inode;
	unsigned int state;
	struct end local;
	struct end remote;
};

static struct sockets {
	char namespace[32];		/* "net:[4026531840]" */
	time_t read;
	struct tcp_socket *list;	/* by inode */
	size_t count;
	struct end *listening;
	size_t num_listening;
} namespaces[MAX_NAMESPACES];

static int by_inode(const void *a, const void *b)
{
	const struct tcp_socket *x = a;
	const struct tcp_socket *y = b;

	return x->inode < y->inode ? -1 : x->inode > y->inode;
}

static bool parse_end(const char *hex, struct end *end)
{
	uint32_t address[4] = { 0, 0, htonl(0xffff), 0 };
	size_t words = strlen(hex) / 8;
	size_t i;

	if (words != 1 && words != 4)
		return false;
	for (i = 4 - words; i < 4; i++, hex += 8) {
		if (sscanf(hex, "%8" SCNx32, &address[i]) != 1)
			return false;
	}
	memcpy(&end->address, address, sizeof(address));
	return true;
}

static bool parse_line(const char *line, struct tcp_socket *s)
{
	char local[33], remote[33];

	return sscanf(line, "%*s %32[0-9A-F]:%x %32[0-9A-F]:%x %x %*s %*s %*s "
		      "%*s %*s %lu", local, &s->local.port, remote,
		      &s->remote.port, &s->state, &s->inode) == 6 &&
	       (s->state == ESTABLISHED || s->state == CLOSE_WAIT ||
		s->state == LISTEN) &&
	       parse_end(local, &s->local) && parse_end(remote, &s->remote);
}

static void add(struct sockets *all, const struct tcp_socket *one)
{
	all->list = memory_grow(all->list, all->count, sizeof(*all->list));
	all->list[all->count++] = *one;
	if (one->state != LISTEN)
		return;
	all->listening = memory_grow(all->listening, all->num_listening,
				     sizeof(*all->listening));
	all->listening[all->num_listening++] = one->local;
}

static void read_file(unsigned int pid, const char *name, struct sockets *all)
{
	struct tcp_socket one;
	char line[512];
	char path[40];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/net/%s", pid, name);
	file = fopen(path, "re");
	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (parse_line(line, &one))
			add(all, &one);
	}
	fclose(file);
}

static time_t now(void)
{
	return (time_t)(sdtkit_nanoseconds(CLOCK_MONOTONIC) / 1000000000);
}

/* Returns the entry of its namespace, or else the oldest entry. */
static struct sockets *find_sockets(const char *namespace)
{
	struct sockets *oldest = namespaces;
	struct sockets *s;

	for (s = namespaces; s < namespaces + MAX_NAMESPACES; s++) {
		if (strcmp(s->namespace, namespace) == 0)
			return s;
		if (s->read < oldest->read)
			oldest = s;
	}
	oldest->read = 0;
	return oldest;
}

static int sockets_of(unsigned int pid, struct sockets **out)
{
	char namespace[sizeof(namespaces[0].namespace)];
	struct sockets *all;
	char path[40];
	int ret;

	snprintf(path, sizeof(path), "/proc/%u/ns/net", pid);
	ret = proc_link(AT_FDCWD, path, namespace, sizeof(namespace));
	if (ret < 0)
		return ret;
	*out = all = find_sockets(namespace);
	if (all->read != 0 && all->read >= now() - 1)
		return 0;
	free(all->list);
	free(all->listening);
	memset(all, 0, sizeof(*all));
	strcpy(all->namespace, namespace);
	all->read = now();
	read_file(pid, "tcp", all);
	read_file(pid, "tcp6", all);
	if (all->count > 0)
		qsort(all->list, all->count, sizeof(*all->list), by_inode);
	return 0;
}

void peer_forget(void)
{
	size_t i;

	for (i = 0; i < MAX_NAMESPACES; i++)
		namespaces[i].read = 0;
}

static const struct tcp_socket *find_socket(const struct sockets *all,
					    unsigned long inode)
{
	struct tcp_socket key = { .inode = inode };

	if (all->count == 0)
		return NULL;
	return bsearch(&key, all->list, all->count, sizeof(key), by_inode);
}

static bool is_any(const struct in6_addr *a)
{
	return IN6_IS_ADDR_UNSPECIFIED(a) ||
	       (IN6_IS_ADDR_V4MAPPED(a) && a->s6_addr32[3] == 0);
}

static bool was_accepted(const struct sockets *all, const struct end *local)
{
	const struct end *end;
	size_t i;

	for (i = 0; i < all->num_listening; i++) {
		end = &all->listening[i];
		if (end->port == local->port &&
		    (is_any(&end->address) ||
		     IN6_ARE_ADDR_EQUAL(&end->address, &local->address)))
			return true;
	}
	return false;
}

static void format(const struct end *end, char *name, size_t size)
{
	bool old = IN6_IS_ADDR_V4MAPPED(&end->address);
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(old ? AF_INET : AF_INET6, old ?
		  (const void *)&end->address.s6_addr32[3] : &end->address,
		  text, sizeof(text));
	snprintf(name, size, "%s:%s:%u", old ? "ipv4" : "ipv6", text,
		 end->port);
}

/*
 * Finds the first connection that the process has accepted, unless it listens.
 */
static const struct tcp_socket *search(DIR *dir, const struct sockets *all)
{
	const struct tcp_socket *first = NULL;
	const struct tcp_socket *s;
	struct dirent *entry;
	unsigned long inode;
	char target[64];

	while ((entry = readdir(dir)) != NULL) {
		if (proc_link(dirfd(dir), entry->d_name, target,
			      sizeof(target)) < 0 ||
		    sscanf(target, "socket:[%lu]", &inode) != 1)
			continue;
		s = find_socket(all, inode);
		if (s != NULL && s->state == LISTEN)
			return NULL;
		if (s != NULL && first == NULL &&
		    was_accepted(all, &s->local))
			first = s;
	}
	return first;
}

int peer_of_process(unsigned int pid, char *name, size_t size)
{
	const struct tcp_socket *s;
	struct sockets *all;
	char path[32];
	DIR *dir;
	int ret;

	ret = sockets_of(pid, &all);
	if (ret < 0)
		return ret;
	snprintf(path, sizeof(path), "/proc/%u/fd", pid);
	dir = opendir(path);
	if (dir == NULL)
		return -errno;
	s = search(dir, all);
	if (s != NULL)
		format(&s->remote, name, size);
	closedir(dir);
	return s != NULL ? 0 : -ENOENT;
}
