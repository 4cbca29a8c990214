/* SPDX-License-Identifier: BSD-2-Clause */
/* The connections that are open, and which of them has to give way. */
#ifndef TSMBD_METRICS_CONNECTIONS_H
#define TSMBD_METRICS_CONNECTIONS_H

enum {
	/* Connections open at a time, with those that are being ended. */
	CONNECTIONS_MAX = 48,
	CONNECTIONS_LIMIT_S = 10,
};

/*
 * Adds a connection, and ends one if there are too many now. origin is its
 * address as a number, or 0 if all come from the same place.
 */
void connections_add(int fd, unsigned long long origin);

/* Call when a connection has sent its request: it no longer gives way. */
void connections_asked(int fd);

/* Call before a connection is closed. */
void connections_remove(int fd);

/* Ends those that have been open for longer than the limit. */
void connections_end_slow(void);

#endif /* TSMBD_METRICS_CONNECTIONS_H */
