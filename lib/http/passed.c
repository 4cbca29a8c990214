/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * passed.c - LISTEN_PID=4711 LISTEN_FDS=1: descriptor 3 is a socket for us.
 */
#include <err.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "passed.h"

enum { FIRST = 3, HOST = 64, PORT = 8 };

static bool is_known;
static int fd = -1;
static char text[sizeof("unix:") + sizeof(struct sockaddr_un)];

/* They are not for the processes that this one starts. */
static int count(void)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	int number = 0;

	if (pid != NULL && fds != NULL && atoi(pid) == (int)getpid())
		number = atoi(fds);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	return number;
}

static int option(int name)
{
	int value = -1;
	socklen_t size = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

/* '@' stands for the byte 0, with which names of no file begin. */
static void write_path(struct sockaddr_un *address, socklen_t size)
{
	size_t length = size - offsetof(struct sockaddr_un, sun_path);

	if (length > 0 && address->sun_path[0] == '\0')
		address->sun_path[0] = '@';
	snprintf(text, sizeof(text), "unix:%.*s", (int)length,
		 address->sun_path);
}

static bool write_address(void)
{
	struct sockaddr_storage address;
	socklen_t size = sizeof(address);
	char host[HOST], port[PORT];
	bool v6;

	if (getsockname(fd, (void *)&address, &size) != 0)
		return false;
	v6 = address.ss_family == AF_INET6;
	if (address.ss_family == AF_UNIX)
		write_path((void *)&address, size);
	else if ((!v6 && address.ss_family != AF_INET) ||
		 getnameinfo((void *)&address, size, host, sizeof(host), port,
			     sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return false;
	else
		snprintf(text, sizeof(text), v6 ? "[%s]:%s" : "%s:%s", host,
			 port);
	return true;
}

/* systemd passes them without O_NONBLOCK, unless the unit asks for it. */
static void take(int passed)
{
	if (passed > 1)
		errx(1, "systemd has passed %d sockets, and only one can be "
		     "served: leave one ListenStream= in the unit of the "
		     "socket, behind an empty one", passed);
	fd = FIRST;
	if (option(SO_TYPE) != SOCK_STREAM || option(SO_ACCEPTCONN) != 1 ||
	    !write_address())
		errx(1, "descriptor %d, which systemd has passed, is not a "
		     "listening stream socket: use ListenStream= in the unit "
		     "of the socket, and not Accept=yes", fd);
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0)
		err(1, "descriptor %d, which systemd has passed", fd);
}

const char *passed_address(void)
{
	int passed = is_known ? 0 : count();

	is_known = true;
	if (passed > 0)
		take(passed);
	return fd >= 0 ? text : NULL;
}

/* The first one stays: a reload may close the other one, and need one again. */
int passed_open(void)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (copy < 0)
		err(1, "the socket that systemd has passed");
	return copy;
}

void passed_close(void)
{
	if (fd >= 0)
		close(fd);
	fd = -1;
}
