/* SPDX-License-Identifier: BSD-2-Clause */
/* The socket of --listen. */
#ifndef TSMBD_LISTEN_H
#define TSMBD_LISTEN_H

#include <stdbool.h>

/* For --listen=127.0.0.1 */
#define LISTEN_PORT "10445"

struct listener {
	int fd;
	bool local;		/* only this machine can connect */
	const char *path;	/* of a UNIX socket, or NULL */
	bool passed;		/* by systemd, which removes the path */
};

/*
 * A check of an option, without a context: returns NULL if the text is
 * ADDRESS:PORT, [ADDRESS]:PORT, an address or a port alone, or unix:PATH, or what
 * to use instead.
 */
const char *check_listen(const void *context, const char *text);

/* Returns the address of a port alone, or "" if the text is something else. */
const char *listen_implied(const char *text);

/* Returns whether only this machine can connect to such a text. */
bool listen_is_local(const char *text);

/* Returns whether the port is one of those that are for root: 1 to 1023. */
bool listen_is_privileged(const char *text);

/*
 * Takes the socket that was passed, if there is one, or opens it; exits with a
 * message if it cannot be opened.
 */
void listen_open(const char *text, struct listener *listener);

/*
 * Whether "HOST:PORT" of a request is an address or a name without a dot, as
 * localhost. Somebody else's name can be made to stand for 127.0.0.1, by which
 * a page of theirs in a browser could read ours.
 */
bool listen_is_ours(const char *host);

#endif /* TSMBD_LISTEN_H */
