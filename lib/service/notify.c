/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * notify.c - a datagram to the socket in NOTIFY_SOCKET: "READY=1".
 *
 * The protocol is stable, see sd_notify(3). A name that begins with '@' is in
 * the abstract namespace.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify.h"

static int fd = -1;
static struct sockaddr_un address = { .sun_family = AF_UNIX };
static socklen_t length;
static unsigned long long interval;	/* of the watchdog; 0: none */
static unsigned long long due;

/* WATCHDOG_USEC is for us if WATCHDOG_PID says so, or is missing. */
static void read_watchdog(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");

	if (usec != NULL && (pid == NULL || atoi(pid) == (int)getpid()))
		interval = strtoull(usec, NULL, 10) * 1000 / 3;
}

void notify_begin(void)
{
	const char *name = getenv("NOTIFY_SOCKET");

	if (name == NULL || (*name != '/' && *name != '@') ||
	    strlen(name) >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, name, strlen(name));
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
			     strlen(name));
	if (*name == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	read_watchdog();
}

void notify(const char *format, ...)
{
	char text[512];
	va_list args;
	int size;

	if (fd < 0)
		return;
	va_start(args, format);
	size = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (size > (int)sizeof(text) - 1)
		size = sizeof(text) - 1;
	sendto(fd, text, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT,
	       (struct sockaddr *)&address, length);
}

void notify_alive(unsigned long long now)
{
	if (interval == 0 || now < due)
		return;
	due = now + interval;
	notify("WATCHDOG=1");
}
