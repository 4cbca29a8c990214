/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen.c - opens the socket of --listen.
 *
 *	127.0.0.1:10445   [::1]:10445   ::1   10445   unix:/run/tsmbd/metrics.sock
 *
 * Names of hosts are not looked up: what they stand for may change, and with it
 * who can connect.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "settings/values.h"
#include "listen.h"
#include "passed.h"

enum {
	BACKLOG = 64,
	UNIX_MODE = 0660,
	UNIX_PATH = sizeof(((struct sockaddr_un *)0)->sun_path),
	PART = 64,
};

static const char unix_prefix[] = "unix:";
static const char use[] = "use ADDRESS:PORT, as in 127.0.0.1:" LISTEN_PORT
			  " or [::1]:" LISTEN_PORT ", with an address in "
			  "numbers and a port up to 65535, PORT alone, or "
			  "unix:/PATH";

/* Copies length bytes; returns whether they fit. */
static bool copy(char to[PART], const char *from, size_t length)
{
	if (length >= PART)
		return false;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

/* getaddrinfo() would take a number for an address of four bytes. */
const char *listen_implied(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits > 0 && text[digits] == '\0' ? "127.0.0.1" : "";
}

/* Splits at the last colon, unless an IPv6 address stands there alone. */
static bool split(const char *text, char address[PART], char port[PART])
{
	const char *end = strrchr(text, ']');
	const char *colon = strrchr(text, ':');

	strcpy(address, listen_implied(text));
	if (*address != '\0')
		return copy(port, text, strlen(text));
	strcpy(port, LISTEN_PORT);
	if (*text == '[') {
		if (end == NULL || (end[1] != '\0' && end[1] != ':'))
			return false;
		return copy(address, text + 1, (size_t)(end - text - 1)) &&
		       (end[1] == '\0' ||
			copy(port, end + 2, strlen(end + 2)));
	}
	if (colon == NULL || strchr(text, ':') != colon)
		return copy(address, text, strlen(text));
	return copy(address, text, (size_t)(colon - text)) &&
	       copy(port, colon + 1, strlen(colon + 1));
}

static struct addrinfo *resolve(const char *text)
{
	const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	char address[PART], port[PART];
	struct addrinfo *list = NULL;

	if (!split(text, address, port) || *address == '\0' ||
	    strspn(port, "0123456789") != strlen(port) || *port == '\0' ||
	    strlen(port) > 5 || atoi(port) > 65535 ||
	    getaddrinfo(address, port, &hints, &list) != 0)
		return NULL;
	return list;
}

static const char *unix_path(const char *text)
{
	size_t length = strlen(unix_prefix);

	return strncmp(text, unix_prefix, length) == 0 ? text + length : NULL;
}

const char *check_listen(const void *context, const char *text)
{
	const char *path = unix_path(text);
	struct addrinfo *list;

	if (path != NULL)
		return *path != '/' ? use :
		       strlen(path) < UNIX_PATH ? NULL :
		       "use a shorter path: 107 bytes are allowed";
	list = resolve(text);
	if (list == NULL)
		return use;
	freeaddrinfo(list);
	return NULL;
}

static bool is_loopback(const struct sockaddr *address)
{
	const struct sockaddr_in6 *v6 = (const void *)address;
	const struct sockaddr_in *v4 = (const void *)address;

	if (address->sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
	return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
}

bool listen_is_local(const char *text)
{
	struct addrinfo *list;
	bool local;

	if (unix_path(text) != NULL)
		return true;
	list = resolve(text);
	if (list == NULL)
		return false;
	local = is_loopback(list->ai_addr);
	freeaddrinfo(list);
	return local;
}

bool listen_is_privileged(const char *text)
{
	struct addrinfo *list = unix_path(text) == NULL ? resolve(text) : NULL;
	const struct sockaddr_in *v4;
	unsigned int port;

	if (list == NULL)
		return false;
	/* that of IPv6 is at the same place */
	v4 = (const void *)list->ai_addr;
	port = ntohs(v4->sin_port);
	freeaddrinfo(list);
	return port > 0 && port < IPPORT_RESERVED;
}

/* For messages: "--listen=::1", or where in the file it is. */
static const char *what(const char *text)
{
	static char all[VALUES_OPTION + VALUES_WORD + 1];
	char option[VALUES_OPTION];
	char word[VALUES_WORD];

	snprintf(all, sizeof(all), "%s=%s",
		 values_option("listen", option),
		 values_word(text, word));
	return all;
}

static void listen_on(const char *text, int fd, const struct sockaddr *address,
		      socklen_t length)
{
	if (bind(fd, address, length) != 0)
		err(1, "%s: cannot bind", what(text));
	if (listen(fd, BACKLOG) != 0)
		err(1, "%s: cannot listen", what(text));
}

static int new_socket(int family, const char *text)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		err(1, "%s: cannot make a socket", what(text));
	return fd;
}

static void open_address(const char *text, struct listener *listener)
{
	struct addrinfo *list = resolve(text);
	int on = 1;

	if (list == NULL)
		errx(1, "invalid value '%s' for --listen: %s", text, use);
	listener->fd = new_socket(list->ai_family, text);
	listener->local = is_loopback(list->ai_addr);
	setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (list->ai_family == AF_INET6)
		setsockopt(listener->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on,
			   sizeof(on));
	listen_on(text, listener->fd, list->ai_addr, list->ai_addrlen);
	freeaddrinfo(list);
}

/* Removes the socket of a process that ended without doing so. */
static void remove_stale(const char *text, const struct sockaddr_un *address)
{
	struct stat st;
	int fd;

	if (lstat(address->sun_path, &st) != 0)
		return;
	if (!S_ISSOCK(st.st_mode))
		errx(1, "%s: the file exists and is not a socket",
		     what(text));
	fd = new_socket(AF_UNIX, text);
	if (connect(fd, (const void *)address, sizeof(*address)) == 0 ||
	    errno != ECONNREFUSED)
		errx(1, "%s: another process listens there", what(text));
	close(fd);
	unlink(address->sun_path);
}

/* The mode is that of the socket from the moment on in which it exists. */
static void open_unix(const char *text, const char *path,
		      struct listener *listener)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	mode_t mask;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	remove_stale(text, &address);
	listener->fd = new_socket(AF_UNIX, text);
	listener->local = true;
	listener->path = path;
	mask = umask(0777 & ~UNIX_MODE);
	listen_on(text, listener->fd, (const void *)&address, sizeof(address));
	umask(mask);
}

void listen_open(const char *text, struct listener *listener)
{
	const char *path = unix_path(text);

	*listener = (struct listener){ .fd = -1 };
	if (passed_address() != NULL) {
		listener->fd = passed_open();
		listener->local = listen_is_local(text);
		listener->path = path;
		listener->passed = true;
	} else if (path != NULL) {
		open_unix(text, path, listener);
	} else {
		open_address(text, listener);
	}
}

bool listen_is_ours(const char *host)
{
	size_t length = strcspn(host, ":");
	struct in_addr address;
	char name[PART];

	if (*host == '[' || memchr(host, '.', length) == NULL)
		return true;
	return copy(name, host, length) &&
	       inet_pton(AF_INET, name, &address) == 1;
}
